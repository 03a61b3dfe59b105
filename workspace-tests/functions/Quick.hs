{-# LANGUAGE DataKinds, DeriveAnyClass, DeriveGeneric, ScopedTypeVariables, StandaloneDeriving #-}
{-# OPTIONS_GHC -Wno-orphans #-}
-- | QuickCheck's first failure of each bug in ten rounds, and the counterexample that it shows.
module Main where

import Arguments
import GHC.Generics (Generic)
import GHC.TypeLits (KnownNat)
import Programs (File (..), Msg (..), Tree (..), Value (..))
import Properties
import Report
import System.IO
import Test.QuickCheck hiding (once)
import Test.QuickCheck.Random (mkQCGen)

-- | Half of the numbers are small, in the order of the size, and half are any of the range.
instance (KnownNat low, KnownNat high) => Arbitrary (Between low high) where
    arbitrary = Between <$> oneof [choose (low, high), sized (\s -> choose (max low (-s), min high s))]
      where
        (low, high) = endpoints (undefined :: Between low high)
    shrink (Between n) = [Between m | m <- shrinkIntegral n, low <= m, m <= high]
      where
        (low, high) = endpoints (undefined :: Between low high)

instance Arbitrary Float64 where
    arbitrary = Float64 <$> frequency [(1, pure (0 / 0)), (9, arbitrary)]
    shrink (Float64 x) = map Float64 (shrink x)

deriving instance Generic File
deriving instance Generic Msg
deriving instance CoArbitrary Msg
deriving instance Generic Value
deriving instance CoArbitrary Value

instance Arbitrary File where
    arbitrary = elements [Open, Closed]
    shrink file = [Open | file == Closed]

instance Function Msg where
    function = functionMap (== Y) (\y -> if y then Y else X)

instance Arbitrary Value where
    arbitrary = oneof [Num <$> arbitrary, Text <$> arbitrary, Flag <$> arbitrary]
    shrink value = case value of
        Num n -> Num <$> shrink n
        Text t -> Num 0 : (Text <$> shrink t)
        Flag b -> Num 0 : (Flag <$> shrink b)

instance Function Value where
    function = functionMap toEither fromEither
      where
        toEither value = case value of Num n -> Left n; Text t -> Right (Left t); Flag b -> Right (Right b)
        fromEither = either Num (either Text Flag)

-- | A tree of at most as many nodes as the size.
instance Arbitrary Tree where
    arbitrary = sized (\s -> choose (0, s) >>= ofNodes)
      where
        ofNodes 0 = pure Leaf
        ofNodes n = do
            left <- choose (0, n - 1 :: Int)
            Node <$> ofNodes left <*> arbitrary <*> ofNodes (n - 1 - left)
    shrink Leaf = []
    shrink (Node l k r) = [Leaf, l, r] ++ [Node l' k' r' | (l', k', r') <- shrink (l, k, r)]

bugs :: [(String, Property)]
bugs =
    [ bug "kobayashi::fhnhn_wrong" $ \(Fn h) n -> fhnhn h n
    , bug "kobayashi::fold_div_wrong" $ \m xs (Fn f) -> foldDiv m xs f
    , bug "kobayashi::fold_fun_list_wrong" $ \fs x -> foldFunList (map applyFun fs) x
    , bug "kobayashi::hors_wrong" $ \n (Fn c) -> hors n c
    , bug "kobayashi::hrec_wrong" $ \(Fn f) x -> hrec f x
    , bug "kobayashi::intro1_wrong" $ \(Fn h) n -> intro1 h n
    , bug "kobayashi::intro3_wrong" $ \(Fn2 h) n -> intro3 h n
    , bug "kobayashi::max_wrong" $ \(Fn2 f) x y z -> max3 f x y z
    , bug "kobayashi::mem_wrong" $ \(Fn f) x xs -> mem f x xs
    , bug "kobayashi::r_lock_wrong" rLock
    , bug "kobayashi::r_file_wrong" $ \(Fn results) n -> rFile results n
    , bug "terauchi::boolflip_wrong" $ \(Fn f) b -> boolflip f b
    , bug "terauchi::mult_cps_wrong" $ \m n (Fn k) -> multCps m n k
    , bug "terauchi::sum_wrong" $ \(Fn f) n -> sumOf f n
    , bug "terauchi::sum_acm_wrong" $ \(Fn f) n acm -> sumAcm f n acm
    , bug "terauchi::mult_wrong" $ \(Fn2 f) n m -> mult f n m
    , bug "occurrence::strnum_wrong" $ \(Fn test) x -> strnum test x
    , bug "occurrence::once_wrong" $ \(Fn get) -> once get
    , bug "occurrence::both_wrong" $ \(Fn x) (Fn y) -> both x y
    , bug "games::first_quadrant_wrong" $ \(Fn p) -> firstQuadrant p
    , bug "games::zombie_wrong" $ \(Fn z) (Fn player) -> zombie z player
    , bug "games::snake_wrong" $ \first rest (Fn ahead) (Fn food) -> snake first rest ahead food
    , bug "games::tetris_wrong" $ \rows (Fn full) -> tetris rows full
    , bug "others::quotient_wrong" $ \(Fn g) n -> quotient g n
    , bug "others::argmin_wrong" $ \(Fn f) x xs -> argmin f x xs
    , bug "others::mc91_wrong" mc91
    , bug "others::ack_wrong" $ \m n (Fn2 f) -> ack m n f
    , bug "others::repeat_wrong" $ \(Fn f) n x -> repeatTimes f n x
    , bug "others::zipmap_wrong" $ \(Fn2 f) pairs -> zipmap f pairs
    , bug "others::map_filter_wrong" $ \(Fn f) (Fn p) xs -> mapFilter f p xs
    , bug "others::braun_wrong" $ \xs x (Fn2 less) -> braun xs x less
    , bug "others::sat_wrong" $ \(Fn2 p) a b -> sat p a b
    , bug "sorting::sort_lossy_wrong" $ \xs (Fn f) -> sortLossy xs f
    , bug "sorting::sort_wrong" $ \xs (Fn f) -> sortUnlessDone xs f
    , bug "sorting::sort_stable_wrong" $ \keys (Fn f) -> sortStable keys f
    , bug "sorting::heapify_wrong" $ \xs (Fn f) -> heapify xs f
    , bug "sorting::partition_point_wrong" partitionPoint
    , bug "lists::retain_wrong" $ \xs (Fn keep) -> retain xs keep
    , bug "lists::dedup_by_wrong" $ \xs (Fn f) -> dedupBy xs f
    , bug "lists::fold_wrong" $ \xs start (Fn2 f) -> fold xs start f
    , bug "lists::group_by_wrong" $ \xs (Fn f) -> groups xs f
    , bug "lists::partition_wrong" $ \xs (Fn test) -> partition xs test
    , bug "control::memo_wrong" $ \keys (Fn make) -> memo keys make
    , bug "control::retry_wrong" $ \(Fn op) times -> retry op times
    , bug "control::unfold_wrong" $ \(Fn next) most -> unfold next most
    , bug "control::value_or_else_wrong" $ \value (Fn other) -> valueOrElse value other
    , bug "control::fixpoint_wrong" $ \(Fn f) start most -> fixpoint f start most
    , bug "events::dispatch_wrong" $ \f g h first ->
        dispatch (applyFun <$> f) (applyFun <$> g) (applyFun <$> h) first
    , bug "events::visit_wrong" $ \tree (Fn results) -> visit tree results
    , bug "events::catamorphism_wrong" $ \tree leaf (Fn3 node) -> catamorphism tree leaf node
    , bug "events::route_wrong" $ \filters x -> route (map applyFun filters) x
    ]
  where
    bug name test = (name, property test)

-- | The result of a round, without shrinking or with it.
checked :: Int -> Int -> Property -> IO Result
checked shrinks seed =
    quickCheckWithResult stdArgs {replay = Just (mkQCGen seed, 0), chatty = False, maxSuccess = caseLimit, maxShrinks = shrinks}

-- | The number of the failing test, which QuickCheck counts with those that passed.
firstFailure :: Result -> Maybe Int
firstFailure result = case result of
    Failure {numTests = n} -> Just n
    _ -> Nothing

main :: IO ()
main = do
    hSetBuffering stdout LineBuffering
    mapM_ measure bugs
  where
    measure (name, test) = do
        rounds <- mapM (\seed -> timed (firstFailure <$> checked 0 seed test)) [0 .. 9]
        shown <- case [seed | (seed, (Just _, _)) <- zip [0 ..] rounds] of
            [] -> pure []
            seed : _ -> failingTestCase <$> checked 1000 seed test
        report name rounds shown
