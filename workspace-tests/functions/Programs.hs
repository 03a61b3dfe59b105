-- | The wrong programs of workspace-tests/fixtures/callbacks in Haskell, with the same mistakes.
--
-- A panic is a call of `error`. An `FnMut` is a function that also gets the number of the call, from 0. Where a spec mentions
-- the calls of a function, the program returns them, too.
module Programs where

import Data.List (findIndex, foldl', sortBy)
import qualified Data.Map as Map
import Data.Int
import Data.Maybe (fromMaybe, mapMaybe)
import Data.Word

-- After Kobayashi, Sato and Unno.

data File = Open | Closed deriving (Eq, Ord, Show)

fhnhn :: (Int32 -> Int32) -> Int32 -> ()
fhnhn h n = if h n > 0 && h (n + 1) < 0 then error "opposite signs" else ()

foldDiv :: Int32 -> [Int32] -> (Int32 -> Int32) -> Int32
foldDiv m xs positive = foldl' (\quotient n -> quotient `quot` (n - 3)) m (map positive xs)

foldFunList :: [Int32 -> Int32] -> Int32 -> Int32
foldFunList (f : g : fs) x = foldFunList fs (g (f x))
foldFunList _ x = x

hors :: Word8 -> (Int32 -> ()) -> Int32 -> ()
hors 0 c q = c q
hors n c q
    | q /= 0 = error "a state other than 0"
    | otherwise = c 0 `seq` hors (n - 1) (\p -> c (p + 1)) 0

hrec :: (Int32 -> Int32) -> Int32 -> Int32
hrec g x = if x >= -2 then g x else hrec (\y -> hrec g y) (g x)

intro1 :: (Int32 -> Int32) -> Int32 -> Int32
intro1 h n = if n >= -1 then h (n + 1) else 0

intro3 :: (Int32 -> Int32 -> Int32) -> Int32 -> Int32
intro3 h n = h (h n (n + 1)) (n + 1)

max3 :: (Int32 -> Int32 -> Int32) -> Int32 -> Int32 -> Int32 -> Int32
max3 max2 x y z = if max2 y z == z then z else max2 x y

mem :: (Word8 -> Word8 -> Bool) -> Word8 -> [Word8] -> Bool
mem same x xs = search (zip (Nothing : map Just xs) xs)
  where
    search [] = False
    search ((Just before, y) : _) | same before y = False
    search ((_, y) : rest) = same x y || search rest

rLock :: (Word8 -> Word8) -> (Word8 -> Word8) -> Int32 -> Word8
rLock lock unlock n = if n >= 0 then unlock state else state
  where
    state = if n > 0 then lock 0 else 0

rFile :: (Word -> File -> File) -> Word8 -> File
rFile readFrom n = go 0 n Open
  where
    go _ 0 file = file
    go call left Open = go (call + 2) (left - 1) (readFrom (call + 1) (readFrom call Open))
    go call left Closed = go call (left - 1) Closed

-- After Terauchi.

boolflip :: (Bool -> Bool) -> Bool -> Bool
boolflip f b = f (f b)

-- | The arguments of the calls, and the result.
multCps :: Int32 -> Word8 -> (Int32 -> Int32) -> ([Int32], Int32)
multCps _ 0 _ = ([], 0)
multCps m n k = ([product'], k product')
  where
    product' = m * fromIntegral n

sumOf :: (Word32 -> Word32) -> Word32 -> Word32
sumOf _ 0 = 0
sumOf f n = sum (map f [1 .. n - 1])

sumAcm :: (Word32 -> Word32) -> Word32 -> Word32 -> Word32
sumAcm _ 0 acm = acm
sumAcm f n acm = if f n == 0 then acm else sumAcm f (n - 1) (acm + f n)

mult :: (Word32 -> Word32 -> Word32) -> Word32 -> Word32 -> Word32
mult add n m = foldl' step 0 [1 .. m]
  where
    step total _ = if total == n then n else add total n

-- After Tobin-Hochstadt and Felleisen.

data Value = Num Word8 | Text String | Flag Bool deriving (Eq, Ord, Show)

num :: Value -> Int
num (Num n) = fromIntegral n
num other = error (show other ++ " is no number")

text :: Value -> String
text (Text t) = t
text other = error (show other ++ " is no text")

isNum, isText :: Value -> Bool
isNum value = case value of Num _ -> True; _ -> False
isText value = case value of Text _ -> True; _ -> False

strnum :: (Value -> Bool) -> Value -> Int
strnum _ (Flag _) = 0
strnum test x = if test x then length (text x) else num x

once :: (Word -> Value) -> Int
once get = if isNum (get 0) then num (get 1) else 0

both :: (() -> Value) -> (() -> Value) -> Int
both x y = if isNum (x ()) || isText (y ()) then num (x ()) + length (text (y ())) else 0

-- The games.

data Msg = X | Y deriving (Eq, Ord, Show)

firstQuadrant :: (Msg -> Double) -> Bool
firstQuadrant p = all (\msg -> compareNumbers (p msg) 0 /= LT) [X, Y]

-- | The order of two numbers, which NaN doesn't have.
compareNumbers :: Double -> Double -> Ordering
compareNumbers a b = if isNaN a || isNaN b then error "not comparable" else compare a b

zombie :: (Msg -> Int32) -> (Msg -> Int32) -> Bool
zombie z player = near (z X) (player X) && near (z Y) (player X)

near :: Int32 -> Int32 -> Bool
near a b = abs (toInteger a - toInteger b) <= 1

snake :: [(Int8, Int8)] -> ((Int8, Int8) -> (Int8, Int8)) -> ((Int8, Int8) -> Bool) -> [(Int8, Int8)]
snake body ahead food = if food (moved !! 1) then moved else init moved
  where
    moved = ahead (head body) : body

tetris :: [Word8] -> (Word8 -> Bool) -> [Word8]
tetris rows full = foldl' step rows [0 .. length rows - 1]
  where
    step left i = case splitAt i left of
        (before, row : after) | full row -> before ++ after ++ [0]
        _ -> left

-- The others.

quotient :: (Int32 -> Int32) -> Int32 -> Int64
quotient g n = 1 `quot` (100 - fromIntegral (g n))

argmin :: (Word8 -> Double) -> [Word8] -> Word8
argmin f = foldl1 (\a b -> if compareNumbers (f a) (f b) == GT then b else a)

mc91 :: (Int32 -> Int32) -> Int32 -> Int32
mc91 again x = if x > 100 then x - 10 else again (x + 11)

ack :: Word32 -> Word32 -> (Word32 -> Word32 -> Word32) -> Word32
ack 0 n _ = n + 1
ack m 0 again = again (m - 1) 1
ack m n again = again m (again m (n - 1))

repeatTimes :: (Int32 -> Int32) -> Word8 -> Int32 -> Int32
repeatTimes _ 0 x = x
repeatTimes f 1 x = f x
repeatTimes f n x = repeatTimes f (n `div` 2) (repeatTimes f (n `div` 2) x)

zipmap :: (Word8 -> Word8 -> Word8) -> [Word8] -> [Word8] -> [Word8]
zipmap f = zipWith (flip f)

mapFilter :: (Word8 -> Word8) -> (Word8 -> Bool) -> [Word8] -> [Word8]
mapFilter f p xs = map f (filter p xs)

data Braun = BraunLeaf | BraunNode Braun Word8 Braun deriving (Eq, Show)

braun :: Braun -> Word8 -> (Word8 -> Word8 -> Bool) -> Braun
braun BraunLeaf x _ = BraunNode BraunLeaf x BraunLeaf
braun (BraunNode l y r) x less
    | less x y = BraunNode l x (braun r y less)
    | otherwise = BraunNode (braun r x less) y l

sat :: (Bool -> Bool -> Bool) -> Bool -> Bool -> Bool
sat p a b = if found || not (p a b) then found else error "these values make it true"
  where
    found = or [p c d | c <- [True, False], d <- [True, not c]]

-- Sorting.

type Order a = a -> a -> Ordering

sortLossy :: [Word8] -> Order Word8 -> [Word8]
sortLossy xs cmp = foldl' insert [] xs
  where
    insert sorted x
        | any (\y -> cmp y x == EQ) sorted = sorted
        | otherwise = let (before, after) = span (\y -> cmp y x == LT) sorted in before ++ x : after

sortUnlessDone :: [Word8] -> Order Word8 -> [Word8]
sortUnlessDone xs cmp = if length xs >= 2 && cmp (head xs) (last xs) /= LT then sortBy cmp xs else xs

sortStable :: [(Word8, Word8)] -> Order Word8 -> [(Word8, Word8)]
sortStable [] _ = []
sortStable xs@(first : rest) cmp = case splitAt least xs of
    ([], _) -> first : sortStable rest cmp
    (_ : between, x : after) -> x : sortStable (between ++ first : after) cmp
    (_, []) -> error "the least element is in the list"
  where
    least = foldl1 (\a b -> if cmp (key a) (key b) == GT then b else a) [0 .. length xs - 1]
    key i = fst (xs !! i)

heapify :: [Word8] -> Order Word8 -> [Word8]
heapify xs cmp = foldl' sift xs (reverse [0 .. length xs `div` 2 - 1])
  where
    sift heap i
        | child < length heap && cmp (heap !! child) (heap !! i) == LT = sift (swap i child heap) child
        | otherwise = heap
      where
        child = 2 * i + 1

swap :: Int -> Int -> [a] -> [a]
swap i j xs = [xs !! (if k == i then j else if k == j then i else k) | k <- [0 .. length xs - 1]]

partitionPoint :: Word8 -> Word8 -> (Word8 -> Bool) -> Word8
partitionPoint low high holds
    | low >= high = low
    | holds middle && middle > low = partitionPoint low (middle - 1) holds
    | holds middle = partitionPoint low middle holds
    | otherwise = partitionPoint (middle + 1) high holds
  where
    middle = low + (high - low) `div` 2

-- Lists.

retain :: [Word8] -> (Word8 -> Bool) -> [Word8]
retain [] _ = []
retain (x : xs) keep
    | keep x = x : retain xs keep
    | null xs = []
    | otherwise = retain (last xs : init xs) keep

dedupBy :: [Word8] -> (Word8 -> Word8 -> Bool) -> [Word8]
dedupBy (x : y : rest) same
    | same x y = x : dedupBy rest same
    | otherwise = x : dedupBy (y : rest) same
dedupBy xs _ = xs

fold :: [Int8] -> Int8 -> (Int8 -> Int8 -> Int8) -> Int8
fold xs start f = foldl' f start (reverse xs)

groups :: [Word8] -> (Word8 -> Word8 -> Bool) -> [[Word8]]
groups xs same = chunks xs
  where
    chunks [] = []
    chunks (y : ys) = case chunks ys of
        (z : zs) : rest | same y z -> (y : z : zs) : rest
        rest -> [y] : rest

partition :: [Int32] -> (Int32 -> Bool) -> ([Int32], [Int32])
partition xs test = (filter passes xs, filter (not . passes) xs)
  where
    passes x = test (if x == minBound then maxBound else abs x)

-- Control.

-- | The arguments of the calls, and the values.
memo :: [Word8] -> (Word8 -> Word8) -> ([Word8], [Word8])
memo allKeys make = go Map.empty allKeys
  where
    go _ [] = ([], [])
    go cache (key : keys) = (called ++ later, value : values)
      where
        cached = Map.findWithDefault 0 key cache
        (called, value) = if cached == 0 then ([key], make key) else ([], cached)
        (later, values) = go (Map.insert key value cache) keys

-- | The number of calls, and the result.
retry :: (Word -> Either Word8 Word8) -> Word8 -> (Word, Either Word8 Word8)
retry op times = case op 0 of
    Left _ | times > 1 -> (2, Right (either (const 0) id (op 1)))
    result -> (1, result)

-- | The number of calls, and the values.
unfold :: (Word -> Maybe Word8) -> Word -> (Word, [Word8])
unfold next most = (most, mapMaybe next (calls most))

-- | The numbers of so many calls.
calls :: Word -> [Word]
calls n = take (fromIntegral n) [0 ..]

-- | The number of calls, and the value.
valueOrElse :: Maybe Word8 -> (() -> Word8) -> (Int, Word8)
valueOrElse value other = (1, fromMaybe (other ()) value)

fixpoint :: (Word8 -> Word8) -> Word8 -> Word8 -> Maybe Word8
fixpoint _ _ 0 = Nothing
fixpoint step value most = if step next == value then Just value else fixpoint step next (most - 1)
  where
    next = step value

-- Events.

dispatch :: [Word8 -> Word8] -> Word8 -> Int
dispatch handlers first = go 0 [first]
  where
    go count [] = count
    go count (event : queue)
        | sum (map fromIntegral caused) > (0 :: Int) = go (count + 1) (reverse caused ++ queue)
        | otherwise = go (count + 1) queue
      where
        caused = map ($ event) handlers

data Tree = Leaf | Node Tree Word8 Tree deriving (Eq, Show)

-- | The numbers that the visitor saw, and the result.
visit :: Tree -> (Word -> Word8 -> Bool) -> ([Word8], Bool)
visit tree visitor = go tree []
  where
    go Leaf seen = (seen, True)
    go (Node l k r) seen = if visitor (fromIntegral (length seenLeft)) k then go r (seenLeft ++ [k]) else (seenLeft ++ [k], False)
      where
        (seenLeft, _) = go l seen

catamorphism :: Tree -> Int8 -> (Int8 -> Word8 -> Int8 -> Int8) -> Int8
catamorphism Leaf leaf _ = leaf
catamorphism (Node l k r) leaf node = node (catamorphism r leaf node) k (catamorphism l leaf node)

route :: [Word8 -> Bool] -> Word8 -> Maybe Int
route filters x = Just (fromMaybe (length filters) (findIndex ($ x) filters))
