//! Prints how many of a crate's coverage counters are not zero after the calls of a log: `replay CRATE MARKS LOG..`.
//! One line for each log has the numbers at each mark, in milliseconds after its first call. The last line has the number for all logs together.

use std::collections::HashMap;

use reach_log::Call;

unsafe extern "C" {
    fn __llvm_profile_begin_counters() -> *const u64;
    fn __llvm_profile_end_counters() -> *const u64;
    fn __llvm_profile_reset_counters();
}

/// For each counter, whether it is not zero.
fn reached() -> Vec<bool> {
    let mut found = Vec::new();
    // SAFETY: the counters lie between the two addresses, and this is the only thread.
    unsafe {
        let mut at = __llvm_profile_begin_counters();
        while at < __llvm_profile_end_counters() {
            found.push(at.read_volatile() != 0);
            at = at.add(1);
        }
    }
    found
}

fn count(reached: &[bool]) -> String {
    reached.iter().filter(|&&it| it).count().to_string()
}

struct Arguments<'l>(&'l [u8]);

impl reach::Source for Arguments<'_> {
    fn argument<T: serde::de::DeserializeOwned>(&mut self) -> Option<T> {
        let (value, rest) = postcard::take_from_bytes(self.0).ok()?;
        self.0 = rest;
        Some(value)
    }
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let words: Vec<String> = std::env::args().collect();
    let marks: Vec<u64> = words[2].split(',').map(|mark| mark.parse().expect("milliseconds")).collect();
    let mut all = vec![false; reached().len()];
    for path in &words[3..] {
        let log = std::fs::read(path).expect("a log");
        let functions: HashMap<_, _> =
            reach::functions(&words[1]).into_iter().map(|it| (it.name, it)).collect();
        let (mut rest, mut first, mut at_marks) = (&log[..], None, Vec::new());
        // SAFETY: this is the only thread.
        unsafe { __llvm_profile_reset_counters() };
        while let Ok(((now, name, args), after)) = postcard::take_from_bytes::<Call>(rest) {
            rest = after;
            let since = now - *first.get_or_insert(now);
            while at_marks.len() < marks.len() && marks[at_marks.len()] < since {
                at_marks.push(count(&reached()));
            }
            if at_marks.len() == marks.len() {
                break;
            }
            functions[name].call(&mut Arguments(args));
        }
        let found = reached();
        at_marks.resize(marks.len(), count(&found));
        println!("{}", at_marks.join(" "));
        all.iter_mut().zip(found).for_each(|(all, found)| *all |= found);
    }
    println!("{}", count(&all));
}
