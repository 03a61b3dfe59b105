//! Advice for types of the standard library that specs can't name: how their values can be made instead.

/// Types that are recognized, each with a way around it.
const ADVICE: [(&[&str], &str); 6] = [
    (
        &["BinaryHeap", "LinkedList"],
        "take a list in a `call`, which turns it into one: `call = \"|xs: Vec<u8>| f(xs.into_iter().collect())\"`",
    ),
    (
        &["Cell", "RefCell", "Mutex", "RwLock", "OnceCell", "OnceLock"],
        "take its content in a `call`: `call = \"|x: u8| f(&std::cell::RefCell::new(x))\"`",
    ),
    (
        &[
            "AtomicBool",
            "AtomicU8",
            "AtomicU16",
            "AtomicU32",
            "AtomicU64",
            "AtomicUsize",
            "AtomicI32",
            "AtomicI64",
        ],
        "take its content in a `call`: `call = \"|x: u64| f(&std::sync::atomic::AtomicU64::new(x))\"`",
    ),
    (
        &["Instant"],
        "it depends on the clock; take a duration in a `call`: `call = \"|d: Duration| f(std::time::Instant::now() + d)\"`",
    ),
    (
        &["ErrorKind"],
        "list the variants to try in `[package.metadata.target.data]`: `Kind = \"via std::io::ErrorKind::NotFound -> \
         std::io::ErrorKind | std::io::ErrorKind::TimedOut\"`",
    ),
    (
        &["TcpStream", "UdpSocket", "File", "Stdin", "Stdout"],
        "it belongs to the operating system; take a `&[u8]` in a `call`, or test the function that it passes its data to",
    ),
];

/// What to do instead of naming a type of the standard library, by its last name.
pub(super) fn advice(name: &str) -> Option<&'static str> {
    ADVICE.iter().find(|(names, _)| names.contains(&name)).map(|(_, advice)| *advice)
}
