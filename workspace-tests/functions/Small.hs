{-# LANGUAGE FlexibleContexts, FlexibleInstances, MonoLocalBinds, MultiParamTypeClasses, ScopedTypeVariables #-}
{-# OPTIONS_GHC -Wno-orphans #-}
-- | SmallCheck's first failure of each bug, which is the counterexample that it shows.
module Main where

import Arguments
import Control.Exception
import Data.IORef
import GHC.TypeLits (KnownNat)
import Programs (File (..), Msg (..), Tree (..), Value (..))
import Properties
import Report
import System.IO
import System.IO.Unsafe (unsafePerformIO)
import Test.SmallCheck
import Test.SmallCheck.Drivers
import Test.SmallCheck.Series

-- | The numbers of the range that are at most the depth, in the order 0, 1, -1, 2, -2.
instance (KnownNat low, KnownNat high, Monad m) => Serial m (Between low high) where
    series = generate (\d -> [Between n | n <- 0 : concat [[i, -i] | i <- [1 .. d]], low <= n, n <= high])
      where
        (low, high) = endpoints (undefined :: Between low high)

instance Monad m => Serial m Float64 where
    series = generate (const [Float64 (0 / 0)]) \/ (Float64 <$> series)

instance Monad m => Serial m File where
    series = cons0 Open \/ cons0 Closed

instance Monad m => Serial m Msg where
    series = cons0 X \/ cons0 Y

instance Monad m => CoSerial m Msg where
    coseries results = do
        x <- alts0 results
        y <- alts0 results
        pure (\msg -> case msg of X -> x; Y -> y)

instance Monad m => Serial m Value where
    series = cons1 Num \/ cons1 Text \/ cons1 Flag

instance Monad m => CoSerial m Value where
    coseries results = do
        num <- alts1 results
        text <- alts1 results
        flag <- alts1 results
        pure (\value -> case value of Num n -> num n; Text t -> text t; Flag b -> flag b)

instance Monad m => Serial m Tree where
    series = cons0 Leaf \/ cons3 Node

-- | A property that is false where it fails by an exception.
class Total property where
    total :: property -> property

instance Total Bool where
    total outcome = unsafePerformIO (evaluate outcome `catch` \(failure :: SomeException) -> case fromException failure of
        Just (asynchronous :: SomeAsyncException) -> throwIO asynchronous
        Nothing -> pure False)

instance Total property => Total (a -> property) where
    total property = total . property

bugs :: [(String, Property IO)]
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
    bug name property = (name, test (total property))

-- | All depths one after the other, to the first failure or the limit of cases. The failing case is counted, too.
firstFailure :: IORef Int -> Property IO -> IO (Maybe PropertyFailure)
firstFailure count property = atDepth 0 `catch` \LimitReached -> pure Nothing
  where
    atDepth depth = smallCheckWithHook depth (const next) property >>= maybe (atDepth (depth + 1)) (pure . Just)
    next = do
        n <- atomicModifyIORef' count (\n -> (n + 1, n + 1))
        if n >= caseLimit then throwIO LimitReached else pure ()

data LimitReached = LimitReached deriving (Show)

instance Exception LimitReached

argumentsOf :: PropertyFailure -> [String]
argumentsOf (CounterExample arguments rest) = arguments ++ argumentsOf rest
argumentsOf _ = []

main :: IO ()
main = do
    hSetBuffering stdout LineBuffering
    mapM_ measure bugs
  where
    measure (name, property) = do
        count <- newIORef 0
        failure <- newIORef Nothing
        round' <- timed (do
            found <- firstFailure count property
            writeIORef failure found
            n <- readIORef count
            pure (n <$ found))
        shown <- readIORef failure
        report name [round'] (maybe [] argumentsOf shown)
