//! Rust's integer and float types. What is computed with their values is in [`crate::logic::int`] and
//! [`crate::logic::eval`].

/// The integer types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum IntKind {
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
}

/// The float types. Values of both are stored as `f64`; a value of type `f32` is one that an `f32` represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum FloatKind {
    F32,
    F64,
}

impl IntKind {
    /// All integer types, in the order of declaration.
    pub const ALL: [IntKind; 12] = [
        IntKind::I8,
        IntKind::I16,
        IntKind::I32,
        IntKind::I64,
        IntKind::I128,
        IntKind::Isize,
        IntKind::U8,
        IntKind::U16,
        IntKind::U32,
        IntKind::U64,
        IntKind::U128,
        IntKind::Usize,
    ];

    /// The type's name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            IntKind::I8 => "i8",
            IntKind::I16 => "i16",
            IntKind::I32 => "i32",
            IntKind::I64 => "i64",
            IntKind::I128 => "i128",
            IntKind::Isize => "isize",
            IntKind::U8 => "u8",
            IntKind::U16 => "u16",
            IntKind::U32 => "u32",
            IntKind::U64 => "u64",
            IntKind::U128 => "u128",
            IntKind::Usize => "usize",
        }
    }

    /// The type with a name.
    pub fn from_name(name: &str) -> Option<IntKind> {
        IntKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The width in bits; `isize` and `usize` count as 64 bits wide.
    pub fn bits(self) -> u32 {
        match self {
            IntKind::I8 | IntKind::U8 => 8,
            IntKind::I16 | IntKind::U16 => 16,
            IntKind::I32 | IntKind::U32 => 32,
            IntKind::I64 | IntKind::U64 | IntKind::Isize | IntKind::Usize => 64,
            IntKind::I128 | IntKind::U128 => 128,
        }
    }

    /// Whether negative values exist.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            IntKind::I8 | IntKind::I16 | IntKind::I32 | IntKind::I64 | IntKind::I128 | IntKind::Isize
        )
    }
}

impl FloatKind {
    /// The type's name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::F32 => "f32",
            FloatKind::F64 => "f64",
        }
    }

    /// The type with a name.
    pub fn from_name(name: &str) -> Option<FloatKind> {
        [FloatKind::F32, FloatKind::F64].into_iter().find(|kind| kind.name() == name)
    }

    /// The nearest number of the type, as computed by `x as f32`. `f32` has only one NaN here.
    ///
    /// Computing `+`, `-`, `*` or `/` on numbers of `f32` as `f64` and then rounding gives the same result as `f32`
    /// arithmetic, because `f64` has more than twice as many digits (Figueroa, *When is double rounding innocuous?*,
    /// 1995).
    pub fn round(self, x: f64) -> f64 {
        match self {
            FloatKind::F32 if x.is_nan() => f64::NAN,
            FloatKind::F32 => f64::from(x as f32),
            FloatKind::F64 => x,
        }
    }

    /// Whether the type has this number.
    pub fn contains(self, x: f64) -> bool {
        self.round(x).to_bits() == x.to_bits()
    }
}
