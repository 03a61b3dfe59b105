//! How the runtime of harnesses is compiled, and the library that release builds of `cargo target` carry.

/// rustc's flags for the runtime, whose sources are [`SOURCES`](crate::SOURCES).
pub const FLAGS: &[&str] = include!("runtime_flags.in");

/// The library, if the build script compiled it: in release builds for the machine that they run on.
pub const PREBUILT: Option<Prebuilt> = include!(concat!(env!("OUT_DIR"), "/prebuilt.in"));

/// The compiled runtime.
pub struct Prebuilt {
    /// What its compiler printed for `rustc -vV`. Other compilers can't read the library.
    pub compiler: &'static str,
    /// The file's contents.
    pub library: &'static [u8],
}
