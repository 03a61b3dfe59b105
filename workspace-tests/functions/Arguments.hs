{-# LANGUAGE DataKinds, KindSignatures, ScopedTypeVariables #-}
-- | The types of arguments that Haskell doesn't have, for all three libraries.
module Arguments where

import Data.Proxy
import GHC.TypeLits

-- | A number from -low to high.
newtype Between (low :: Nat) (high :: Nat) = Between Int deriving (Eq, Ord)

instance Show (Between low high) where
    showsPrec d (Between n) = showsPrec d n

-- | The endpoints of the type of a number.
endpoints :: forall low high. (KnownNat low, KnownNat high) => Between low high -> (Int, Int)
endpoints _ = (fromInteger (-natVal (Proxy :: Proxy low)), fromInteger (natVal (Proxy :: Proxy high)))

number :: Num a => Between low high -> a
number (Between n) = fromIntegral n

type Small = Between 1000 1000

-- | A result of the function whose equal results make an equivalence.
type Class = Between 0 3

-- | A number that may be NaN.
newtype Float64 = Float64 Double

instance Show Float64 where
    showsPrec d (Float64 x) = showsPrec d x

-- | A function of the number of a call, from 0.
type Calls a = Word -> a
