//! What stands for constant parameters of functions.

use crate::frontend::catalog::{ConstantKind, FnItem, Length, RustType};

/// What constant parameters without a default stand for.
const NUMBER: u32 = 3;

/// The value for a constant parameter.
pub(super) fn constant(item: &FnItem, name: &str) -> Option<RustType> {
    Some(match item.constant(name)? {
        ConstantKind::Number => Length::Known(NUMBER).argument(),
        ConstantKind::Bool => RustType::Other("true".to_owned()),
        ConstantKind::Char => RustType::Other("'a'".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use crate::frontend::api::discover;
    use crate::frontend::catalog::{Cfg, scan_text};
    use crate::frontend::diagnostic::Sources;

    #[test]
    fn constant_parameters_are_their_default_or_a_small_number() {
        let text = "pub struct Buf<const N: usize> { items: [u8; N] } pub struct Ring<const N: usize = 5>(pub [u8; N]);
            impl<const N: usize> Buf<N> { pub fn new() -> Self { todo!() } pub fn at(&self, i: usize) -> u8 { self.items[i] } }
            pub fn turn<const M: usize>(r: Ring<M>) {} pub fn all<const N: usize>(a: [u8; N]) {}
            pub fn flag<const B: bool, T: Default>(t: T) {} pub fn letter<const C: char>() {} pub fn said<T: Clone>(t: T) {}
            pub struct Flag<const B: bool, const C: char>(pub u8); pub fn set<const B: bool>(f: Flag<B, 'x'>) {}";
        let (catalog, _) = scan_text(text, "me", &Cfg::default());
        let api = discover(&catalog, &[], &mut Sources::default());
        let calls = api.manifest.functions.iter().filter_map(|entry| entry.call.as_ref());
        let calls: String = calls.map(|call| call.text.clone()).collect();
        for ty in [
            "&me::Buf<3>",
            "me::Ring<5>",
            "[u8; 3]",
            "me::flag::<true, i64>(a0)",
            "letter::<'a'>()",
            "me::said(a0)",
            "me::Flag<true, 'x'>",
        ] {
            assert!(calls.contains(ty), "{ty} in {calls}");
        }
    }
}
