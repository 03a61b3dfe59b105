//! The runtime of harnesses that release builds of `cargo target` carry.

/// The library, if the build script compiled it: in release builds for the machine that they run on.
pub const PREBUILT: Option<Prebuilt> = include!(concat!(env!("OUT_DIR"), "/prebuilt.in"));

/// The compiled runtime.
pub struct Prebuilt {
    /// Its compiler ([`crate::recipe::compiler`]). Other compilers can't read the library.
    pub compiler: &'static str,
    /// The file's contents.
    pub library: &'static [u8],
}
