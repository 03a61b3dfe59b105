{-# LANGUAGE CPP, FlexibleContexts, FlexibleInstances, MonoLocalBinds, MultiParamTypeClasses, ScopedTypeVariables #-}
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
#include "bugs.inc"
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
