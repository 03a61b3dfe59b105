{-# LANGUAGE DataKinds #-}
-- | The specs of workspace-tests/fixtures/callbacks as properties of the wrong programs.
--
-- All arguments are valid: a parameter has a type without other values, or the property maps it into the type of the spec.
-- `only` is the type of a parameter of a function. Nothing may stay unevaluated, so a result without a condition is
-- compared with itself.
module Properties where

import Arguments
import Data.Function (on)
import Data.Int
import Data.List (isPrefixOf, nub, sort)
import Data.Maybe (isJust, isNothing)
import Data.Ord (comparing)
import Data.Word
import qualified Programs as P
import Programs (Braun (..), File (..), Msg (..), Tree (..), Value, isText)

-- | A function that fails where its spec excludes the argument.
only :: (a -> Bool) -> (a -> b) -> a -> b
only valid f x = if valid x then f x else error "called with an argument that its type excludes"

-- | Passes if the value can be computed.
returns :: Eq a => a -> Bool
returns x = x == x

fhnhn :: (Int32 -> Int32) -> Small -> Bool
fhnhn h n = returns (P.fhnhn h (number n))

foldDiv :: Int32 -> [Int32] -> (Int32 -> Between 0 2147483646) -> Bool
foldDiv m xs f = returns (P.foldDiv m xs (\x -> 1 + number (f x)))

-- | The type `Step` of the specs.
step :: (Int32 -> Between 0 9) -> Int32 -> Int32
step f x = x + 1 + number (f x)

foldFunList :: [Int32 -> Between 0 9] -> Small -> Bool
foldFunList fs x = P.foldFunList (map step fs) (number x) >= number x + fromIntegral (length fs)

hors :: Between 0 20 -> (Int32 -> ()) -> Bool
hors n c = returns (P.hors (number n) (only (`elem` [0, 1]) c) 0)

hrec :: (Int32 -> Between 0 1000000) -> Between 4 1000 -> Bool
hrec f x = P.hrec (\y -> y + 1 + number (f y)) (number x) >= 0

intro1 :: (Int32 -> Int32) -> Small -> Bool
intro1 h n = returns (P.intro1 (only (> 0) h) (number n))

intro3 :: (Int32 -> Int32 -> Int32) -> Small -> Bool
intro3 h n = returns (P.intro3 (\z -> only (> z) (h z)) (number n))

max3 :: (Int32 -> Int32 -> Int32) -> Int32 -> Int32 -> Int32 -> Bool
max3 f x y z = result >= x && result >= y && result >= z
  where
    result = P.max3 (\a b -> maximum [a, b, f a b]) x y z

mem :: (Word8 -> Class) -> Word8 -> [Word8] -> Bool
mem f x xs = P.mem same x xs == any (same x) xs
  where
    same = (==) `on` f

rLock :: Int32 -> Bool
rLock n = P.rLock (only (== 0) (const 1)) (only (== 1) (const 0)) n == 0

rFile :: Calls File -> Word8 -> Bool
rFile results n = returns (P.rFile (\call -> only (== Open) (\_ -> results call)) n)

boolflip :: (Bool -> Bool) -> Bool -> Bool
boolflip f b = P.boolflip f b == f b

multCps :: Small -> Word8 -> (Int32 -> Int32) -> Bool
multCps m n k = calls == [number m * fromIntegral n] && map k calls == [result]
  where
    (calls, result) = P.multCps (number m) n k

sumOf :: (Word32 -> Between 0 100) -> Between 0 50 -> Bool
sumOf f n = P.sumOf (\i -> max i (number (f i))) (number n) >= number n

sumAcm :: (Word32 -> Between 0 100) -> Between 0 50 -> Between 0 1000 -> Bool
sumAcm f n acm = P.sumAcm g (number n) (number acm) == number acm + sum (map g [1 .. number n])
  where
    g = number . f

mult :: (Word32 -> Word32 -> Between 0 1000) -> Between 0 99 -> Between 0 20 -> Bool
mult f n m = P.mult add (1 + number n) (number m) >= number m
  where
    add a b = max a b + (if b > 0 && b <= a then 1 else 0) + number (f a b)

strnum :: (Value -> Bool) -> Value -> Bool
strnum test x = returns (P.strnum (\value -> isText value && test value) x)

once :: Calls Value -> Bool
once get = returns (P.once get)

both :: (() -> Value) -> (() -> Value) -> Bool
both x y = returns (P.both x y)

firstQuadrant :: (Msg -> Float64) -> Bool
firstQuadrant f = P.firstQuadrant p == (p X >= 0 && p Y >= 0)
  where
    p msg = let Float64 x = f msg in x

zombie :: (Msg -> Int32) -> (Msg -> Int32) -> Bool
zombie z player = not (P.zombie z player) || P.near (z Y) (player Y)

snake :: (Int8, Int8) -> [(Int8, Int8)] -> ((Int8, Int8) -> (Int8, Int8)) -> ((Int8, Int8) -> Bool) -> Bool
snake first rest ahead food = head moved == ahead first && (length moved > length body) == food (head moved)
  where
    body = first : rest
    moved = P.snake body ahead food

tetris :: [Word8] -> (Word8 -> Bool) -> Bool
tetris rows full = length left == length rows && not (any isFull left)
  where
    isFull row = row /= 0 && full row
    left = P.tetris rows isFull

quotient :: (Int32 -> Int32) -> Int32 -> Bool
quotient g n = returns (P.quotient g n)

argmin :: (Word8 -> Float64) -> Word8 -> [Word8] -> Bool
argmin f x xs = P.argmin (\y -> let Float64 z = f y in z) (x : xs) `elem` x : xs

mc91 :: Small -> Bool
mc91 x = P.mc91 known (number x) == known (number x)
  where
    known y = if y > 101 then y - 10 else 91

ack :: Between 0 99 -> Between 0 99 -> (Word32 -> Word32 -> Between 0 1000) -> Bool
ack below before f = P.ack m n again > n
  where
    (m, n) = (number below, number before)
    again a b = if a < m || a == m && b < n then b + 1 + number (f a b) else error "the arguments don't decrease"

repeatTimes :: (Int32 -> Between 0 9) -> Word8 -> Small -> Bool
repeatTimes f n x = P.repeatTimes (step f) n (number x) >= number x + fromIntegral n

zipmap :: (Word8 -> Word8 -> Word8) -> [(Word8, Word8)] -> Bool
zipmap f pairs = P.zipmap f xs ys == [f x y | (x, y) <- pairs]
  where
    (xs, ys) = unzip pairs

mapFilter :: (Word8 -> Word8) -> (Word8 -> Bool) -> [Word8] -> Bool
mapFilter f p xs = all p (P.mapFilter f p xs)

-- | A list of elements determines a tree: the number of elements determines its shape.
braun :: [Word8] -> Word8 -> (Word8 -> Word8 -> Bool) -> Bool
braun xs x less = balanced inserted && size inserted == length xs + 1
  where
    inserted = P.braun (braunTree xs) x less

braunTree :: [Word8] -> Braun
braunTree [] = BraunLeaf
braunTree (x : xs) = BraunNode (braunTree l) x (braunTree r)
  where
    (l, r) = splitAt ((length xs + 1) `div` 2) xs

balanced :: Braun -> Bool
balanced BraunLeaf = True
balanced (BraunNode l _ r) = balanced l && balanced r && (size l == size r || size l == size r + 1)

size :: Braun -> Int
size BraunLeaf = 0
size (BraunNode l _ r) = size l + 1 + size r

sat :: (Bool -> Bool -> Bool) -> Bool -> Bool -> Bool
sat p a b = returns (P.sat p a b)

sortLossy :: [Word8] -> (Word8 -> Word8) -> Bool
sortLossy xs f = sort (P.sortLossy xs (comparing f)) == sort xs

sortUnlessDone :: [Word8] -> (Word8 -> Word8) -> Bool
sortUnlessDone xs f = and (zipWith (<=) results (drop 1 results))
  where
    results = map f (P.sortUnlessDone xs (comparing f))

sortStable :: [Word8] -> (Word8 -> Word8) -> Bool
sortStable keys f = and (zipWith before sorted (drop 1 sorted))
  where
    sorted = P.sortStable (zip keys [0 ..]) (comparing f)
    before (a, i) (b, j) = f a < f b || f a == f b && i < j

heapify :: [Word8] -> (Word8 -> Word8) -> Bool
heapify xs f = and [heap !! ((i - 1) `div` 2) <= heap !! i | i <- [1 .. length heap - 1]]
  where
    heap = map f (P.heapify xs (comparing f))

-- | A monotone predicate holds from a threshold on.
partitionPoint :: Word8 -> Word8 -> Between 0 256 -> Bool
partitionPoint a b threshold = not (any holds (range low point)) && all holds (range point high)
  where
    (low, high) = (min a b, max a b)
    holds x = fromIntegral x >= (number threshold :: Int)
    point = P.partitionPoint low high holds
    range from to = if from < to then [from .. to - 1] else []

retain :: [Word8] -> (Word8 -> Bool) -> Bool
retain xs keep = P.retain xs keep == filter keep xs

dedupBy :: [Word8] -> (Word8 -> Class) -> Bool
dedupBy xs f = and (zipWith (/=) classes (drop 1 classes))
  where
    classes = map f (P.dedupBy xs ((==) `on` f))

fold :: [Int8] -> Int8 -> (Int8 -> Int8 -> Int8) -> Bool
fold xs start f = P.fold xs start f == foldl f start xs

groups :: [Word8] -> (Word8 -> Class) -> Bool
groups xs f = sort (concat found) == sort xs && nub classes == classes
  where
    found = P.groups xs ((==) `on` f)
    classes = map (f . head) found

partition :: [Int32] -> (Int32 -> Bool) -> Bool
partition xs test = all test passed && not (any test failed)
  where
    (passed, failed) = P.partition xs test

memo :: [Word8] -> (Word8 -> Word8) -> Bool
memo keys make = nub calls == calls && length values == length keys
  where
    (calls, values) = P.memo keys make

retry :: Calls (Either Word8 Word8) -> Word8 -> Bool
retry op times = result == op (nCalls - 1)
  where
    (nCalls, result) = P.retry op times

unfold :: Calls (Maybe Word8) -> Between 0 20 -> Bool
unfold next most = length (filter isNothing (map next (P.calls nCalls))) <= 1
  where
    (nCalls, _) = P.unfold next (number most)

valueOrElse :: Maybe Word8 -> (() -> Word8) -> Bool
valueOrElse value other = not (isJust value) || fst (P.valueOrElse value other) == 0

fixpoint :: (Word8 -> Word8) -> Word8 -> Word8 -> Bool
fixpoint f start most = maybe True (\x -> f x == x) (P.fixpoint f start most)

-- | At most three handlers.
dispatch :: Maybe (Word8 -> Word8) -> Maybe (Word8 -> Word8) -> Maybe (Word8 -> Word8) -> Between 0 5 -> Bool
dispatch f g h first = returns (P.dispatch [handler f' | Just f' <- [f, g, h]] (number first))
  where
    handler f' = only (> 0) (\event -> f' event `mod` event)

visit :: Tree -> Calls Bool -> Bool
visit tree results = seen `isPrefixOf` numbers tree && and (drop 1 (reverse (zipWith const (map results [0 ..]) seen)))
  where
    (seen, _) = P.visit tree (\call _ -> results call)

numbers :: Tree -> [Word8]
numbers Leaf = []
numbers (Node l k r) = numbers l ++ k : numbers r

catamorphism :: Tree -> Int8 -> (Int8 -> Word8 -> Int8 -> Int8) -> Bool
catamorphism tree leaf node = case tree of
    Leaf -> result == leaf
    Node Leaf k (Node Leaf j Leaf) -> result == node leaf k (node leaf j leaf)
    _ -> returns result
  where
    result = P.catamorphism tree leaf node

route :: [Word8 -> Bool] -> Word8 -> Bool
route filters x = maybe True (< length filters) (P.route filters x)
