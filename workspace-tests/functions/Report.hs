-- | What the programs print: a line for each bug, with tabs between its parts.
module Report where

import Data.List (intercalate)
import GHC.Clock (getMonotonicTime)
import System.Timeout (timeout)

-- | The valid cases of a round, and its seconds.
caseLimit :: Int
caseLimit = 10000

secondLimit :: Int
secondLimit = 10

-- | The seconds of an action that gives the case of the first failure. One that takes too long finds nothing.
timed :: IO (Maybe Int) -> IO (Maybe Int, Double)
timed action = do
    start <- getMonotonicTime
    found <- timeout (secondLimit * 1000000) action
    end <- getMonotonicTime
    pure (maybe Nothing id found, end - start)

-- | The rounds of a bug, and the arguments that the library shows.
report :: String -> [(Maybe Int, Double)] -> [String] -> IO ()
report bug rounds shown = putStrLn (intercalate "\t" [bug, unwords cases, unwords seconds, text])
  where
    cases = map (maybe "none" show . fst) rounds
    seconds = map (show . snd) rounds
    text = intercalate ", " (map (intercalate "; " . map (unwords . words) . lines) shown)
