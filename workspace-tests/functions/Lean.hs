{-# LANGUAGE CPP, ScopedTypeVariables #-}
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
#include "bugs.inc"
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
