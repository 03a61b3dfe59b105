{-# LANGUAGE ScopedTypeVariables #-}
{-# OPTIONS_GHC -Wno-orphans #-}
-- | LeanCheck's first failure of each bug, which is the counterexample that it shows.
module Main where

import Arguments
import Control.Exception
import GHC.TypeLits (KnownNat)
import Programs (File (..), Msg (..), Tree (..), Value (..))
import Properties
import Report
import System.IO
import Test.LeanCheck
import Test.LeanCheck.Function ()
import Test.LeanCheck.Function.ShowFunction

-- | 0, 1, -1, 2, -2 and so on, as far as they are in the range.
instance (KnownNat low, KnownNat high) => Listable (Between low high) where
    list = map Between (0 : concat [filter inRange [n, -n] | n <- [1 .. max high (-low)]])
      where
        (low, high) = endpoints (undefined :: Between low high)
        inRange n = low <= n && n <= high

instance Listable Float64 where
    tiers = cons0 (Float64 (0 / 0)) \/ mapT Float64 tiers

instance Listable File where
    list = [Open, Closed]

instance Listable Msg where
    list = [X, Y]

instance Listable Value where
    tiers = cons1 Num \/ cons1 Text \/ cons1 Flag

instance Listable Tree where
    tiers = cons0 Leaf \/ cons3 Node

instance ShowFunction (Between low high) where bindtiers = bindtiersShow
instance ShowFunction Float64 where bindtiers = bindtiersShow
instance ShowFunction File where bindtiers = bindtiersShow
instance ShowFunction Value where bindtiers = bindtiersShow

bugs :: [(String, [([String], Bool)])]
bugs =
    [ bug "kobayashi::fhnhn_wrong" fhnhn
    , bug "kobayashi::fold_div_wrong" foldDiv
    , bug "kobayashi::fold_fun_list_wrong" foldFunList
    , bug "kobayashi::hors_wrong" hors
    , bug "kobayashi::hrec_wrong" hrec
    , bug "kobayashi::intro1_wrong" intro1
    , bug "kobayashi::intro3_wrong" intro3
    , bug "kobayashi::max_wrong" max3
    , bug "kobayashi::mem_wrong" mem
    , bug "kobayashi::r_lock_wrong" rLock
    , bug "kobayashi::r_file_wrong" rFile
    , bug "terauchi::boolflip_wrong" boolflip
    , bug "terauchi::mult_cps_wrong" multCps
    , bug "terauchi::sum_wrong" sumOf
    , bug "terauchi::sum_acm_wrong" sumAcm
    , bug "terauchi::mult_wrong" mult
    , bug "occurrence::strnum_wrong" strnum
    , bug "occurrence::once_wrong" once
    , bug "occurrence::both_wrong" both
    , bug "games::first_quadrant_wrong" firstQuadrant
    , bug "games::zombie_wrong" zombie
    , bug "games::snake_wrong" snake
    , bug "games::tetris_wrong" tetris
    , bug "others::quotient_wrong" quotient
    , bug "others::argmin_wrong" argmin
    , bug "others::mc91_wrong" mc91
    , bug "others::ack_wrong" ack
    , bug "others::repeat_wrong" repeatTimes
    , bug "others::zipmap_wrong" zipmap
    , bug "others::map_filter_wrong" mapFilter
    , bug "others::braun_wrong" braun
    , bug "others::sat_wrong" sat
    , bug "sorting::sort_lossy_wrong" sortLossy
    , bug "sorting::sort_wrong" sortUnlessDone
    , bug "sorting::sort_stable_wrong" sortStable
    , bug "sorting::heapify_wrong" heapify
    , bug "sorting::partition_point_wrong" partitionPoint
    , bug "lists::retain_wrong" retain
    , bug "lists::dedup_by_wrong" dedupBy
    , bug "lists::fold_wrong" fold
    , bug "lists::group_by_wrong" groups
    , bug "lists::partition_wrong" partition
    , bug "control::memo_wrong" memo
    , bug "control::retry_wrong" retry
    , bug "control::unfold_wrong" unfold
    , bug "control::value_or_else_wrong" valueOrElse
    , bug "control::fixpoint_wrong" fixpoint
    , bug "events::dispatch_wrong" dispatch
    , bug "events::visit_wrong" visit
    , bug "events::catamorphism_wrong" catamorphism
    , bug "events::route_wrong" route
    ]
  where
    bug name test = (name, results test)

-- | The first failure, which may be an exception.
firstFailure :: [([String], Bool)] -> IO (Maybe (Int, [String]))
firstFailure cases = go (zip [1 .. caseLimit] cases)
  where
    go [] = pure Nothing
    go ((n, (arguments, outcome)) : rest) = do
        passed <- evaluate outcome `catch` \(failure :: SomeException) -> case fromException failure of
            Just (asynchronous :: SomeAsyncException) -> throwIO asynchronous
            Nothing -> pure False
        if passed then go rest else pure (Just (n, arguments))

main :: IO ()
main = do
    hSetBuffering stdout LineBuffering
    mapM_ measure bugs
  where
    measure (name, cases) = do
        round' <- timed (fmap fst <$> firstFailure cases)
        shown <- maybe (pure Nothing) (const (firstFailure cases)) (fst round')
        report name [round'] (maybe [] snd shown)
