//! Deterministic random numbers: the same seed gives the same numbers on all machines.

/// A deterministic random number generator: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The generator for one sample of a seed.
    pub fn new(seed: u64, index: u64) -> Dice {
        let mut dice = Dice(seed);
        let salt = dice.next_u64();
        Dice(salt ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A uniform number below `n`; `None` if `n` is 0.
    pub fn below(&mut self, n: u128) -> Option<u128> {
        match u64::try_from(n) {
            Ok(0) => None,
            Ok(n) => Some(self.below_u64(n).into()),
            Err(_) => Some(self.below_u128(n)),
        }
    }

    /// A uniform index below `n`, which is not 0.
    pub fn index(&mut self, n: usize) -> usize {
        self.below_u64(n as u64) as usize
    }

    /// Whether an event with this probability, in percent, happens.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below_u64(100) < percent
    }

    /// A number from 0 to 1, without 1, of 53 random bits.
    pub fn fraction(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Puts the items in a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }

    /// Uses multiplication, which rarely retries (Lemire 2019).
    fn below_u64(&mut self, n: u64) -> u64 {
        loop {
            let product = u128::from(self.next_u64()) * u128::from(n);
            let rest = product as u64;
            if rest >= n || rest >= n.wrapping_neg() % n {
                return (product >> 64) as u64;
            }
        }
    }

    /// Uses rejection, which retries at most every second time.
    fn below_u128(&mut self, n: u128) -> u128 {
        let greatest = n - 1;
        let bits = u128::BITS - greatest.leading_zeros();
        loop {
            let random = (u128::from(self.next_u64()) << 64) | u128::from(self.next_u64());
            let random = random & (u128::MAX >> (u128::BITS - bits));
            if random <= greatest {
                return random;
            }
        }
    }
}
