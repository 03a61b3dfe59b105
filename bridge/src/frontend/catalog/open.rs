//! Finds the changes to the user's text that let outside code reach private items, and applies them.
//!
//! `pub(crate) fn secret()` becomes `pub fn secret()`, on the same line: line numbers stay the same, for panics and
//! compiler messages. The changed text is for a copy of the sources; nothing here reads or writes a file.

use std::ops::Range;
use std::path::{Path, PathBuf};

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Attribute, Field, Signature, Visibility};

/// One change in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    /// The file, by its path in the scan.
    pub file: PathBuf,
    /// Start offset, in bytes, of the replaced text.
    pub start: usize,
    /// End offset; equal to `start` if nothing is replaced.
    pub end: usize,
    /// The replacement.
    pub change: Change,
}

/// How the text changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It becomes `pub`.
    Publish,
    /// It is removed: an attribute.
    Erase,
}

/// The text of a file with the changes applied; `None` if it isn't the text that was scanned.
pub fn opened<'o>(text: &str, openings: impl IntoIterator<Item = &'o Opening>) -> Option<String> {
    let mut openings: Vec<&Opening> = openings.into_iter().collect();
    openings.sort_by_key(|opening| (opening.start, opening.end));
    openings.dedup_by_key(|opening| opening.start);
    let mut changed = String::with_capacity(text.len() + 4 * openings.len());
    let mut done = 0;
    for Opening { start, end, change, .. } in openings {
        let before = text.get(*start..*end)?;
        changed.push_str(text.get(done..*start)?);
        changed.push_str(match change {
            Change::Publish if before.is_empty() && text[*end..].starts_with(starts_item) => "pub ",
            Change::Publish if before.starts_with("pub") => "pub",
            Change::Erase if before.starts_with('#') => "",
            _ => return None,
        });
        changed.extend(before.chars().filter(|c| *c == '\n'));
        done = *end;
    }
    changed.push_str(text.get(done..)?);
    Some(changed)
}

/// The bytes of the modules that a file contains, in which its own private items are other ones.
pub fn inline_modules(text: &str) -> Vec<Range<usize>> {
    let items = syn::parse_file(text).map(|file| file.items).unwrap_or_default();
    let of_module = |item: &syn::Item| match item {
        syn::Item::Mod(module) if module.content.is_some() => Some(module.span().byte_range()),
        _ => None,
    };
    items.iter().filter_map(of_module).collect()
}

/// Whether an item or a field can start with this character.
fn starts_item(c: char) -> bool {
    c.is_alphabetic() || "_([&*<!:".contains(c)
}

/// Finds the changes in one file.
pub(super) struct FileOpenings<'f> {
    pub file: &'f Path,
}

impl FileOpenings<'_> {
    /// The change that makes an item public, if it isn't; `first` is the first token after its visibility.
    pub fn publish(&self, visibility: &Visibility, first: Span) -> Option<Opening> {
        let (start, end) = match visibility {
            Visibility::Public(_) => return None,
            Visibility::Inherited => (first.byte_range().start, first.byte_range().start),
            Visibility::Restricted(restricted) => {
                let end = restricted.paren_token.span.close().byte_range().end;
                (restricted.pub_token.span.byte_range().start, end)
            }
        };
        Some(Opening { file: self.file.to_path_buf(), start, end, change: Change::Publish })
    }

    /// The change that makes a function public.
    pub fn publish_fn(&self, visibility: &Visibility, sig: &Signature) -> Option<Opening> {
        let words = [
            sig.constness.map(|word| word.span),
            sig.asyncness.map(|word| word.span),
            sig.unsafety.map(|word| word.span),
            sig.abi.as_ref().map(|abi| abi.extern_token.span),
        ];
        self.publish(visibility, words.into_iter().flatten().next().unwrap_or(sig.fn_token.span))
    }

    /// The change that makes a field public.
    pub fn publish_field(&self, field: &Field) -> Option<Opening> {
        let first = || field.ident.as_ref().map_or_else(|| field.ty.span(), |name| name.span());
        match &field.vis {
            Visibility::Public(_) => None,
            visibility => self.publish(visibility, first()),
        }
    }

    /// The change that lets other crates make and destructure values of a type or a variant with these attributes.
    pub fn exhaustive(&self, attributes: &[Attribute]) -> Option<Opening> {
        let attribute = attributes.iter().find(|attribute| attribute.path().is_ident("non_exhaustive"))?;
        let start = attribute.pound_token.span.byte_range().start;
        let end = attribute.bracket_token.span.close().byte_range().end;
        Some(Opening { file: self.file.to_path_buf(), start, end, change: Change::Erase })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::listing::catalog;
    use super::*;

    /// A text with all opened that its functions and types need.
    fn all_opened(text: &str) -> String {
        let catalog = catalog(text);
        let of_functions =
            catalog.functions.iter().filter_map(|f| f.access.as_ref()).flat_map(|a| &a.openings);
        let of_types = catalog.types.iter().flat_map(|item| item.openings());
        opened(text, of_functions.chain(of_types)).expect("the test's own text can be opened")
    }

    #[test]
    fn everything_becomes_public_on_its_line() {
        let text = "
/// Words: äöü€
mod a {
    pub(super) mod b { #[inline] const unsafe extern \"C\" fn f() {} pub fn g() {} }
    pub(in crate::a) async fn h() {}
    pub( // why
        crate
    ) struct S<T>(T, pub(crate) u8, pub u8, (u8, u8), [u8; 2], &'static str);
    impl<T> S<T> { fn m(&self) {} pub(self) fn n() {} pub fn o() {} }
}
#[derive(Clone)] #[non_exhaustive]
pub struct Open { /** x */ r#type: u8, pub(crate) y: u8, #[cfg(windows)] z: u8 }
enum E { #[non_exhaustive] A { x: u8 }, B }
trait Hidden { fn t(&self) {} } impl Hidden for Open {} impl PartialEq for E { fn eq(&self, o: &E) -> bool {} }
";
        let all = all_opened(text);
        expect![[r#"

            /// Words: äöü€
            pub mod a {
                pub mod b { #[inline] pub const unsafe extern "C" fn f() {} pub fn g() {} }
                pub async fn h() {}
                pub

             struct S<T>(pub T, pub u8, pub u8, pub (u8, u8), pub [u8; 2], pub &'static str);
                impl<T> S<T> { pub fn m(&self) {} pub fn n() {} pub fn o() {} }
            }
            #[derive(Clone)] 
            pub struct Open { /** x */ pub r#type: u8, pub y: u8, #[cfg(windows)] z: u8 }
            pub enum E {  A { x: u8 }, B }
            pub trait Hidden { fn t(&self) {} } impl Hidden for Open {} impl PartialEq for E { fn eq(&self, o: &E) -> bool {} }
        "#]]
        .assert_eq(&all);
        assert_eq!(all.lines().count(), text.lines().count());
        syn::parse_file(&all).expect("the test's own text parses");
    }

    #[test]
    fn marks_and_shebangs_before_the_text_shift_nothing() {
        assert_eq!(all_opened("\u{feff}fn f() {}"), "\u{feff}pub fn f() {}");
        assert_eq!(all_opened("#!/bin/ä\nfn f() {}"), "#!/bin/ä\npub fn f() {}");
    }

    #[test]
    fn another_text_is_noticed() {
        let catalog = catalog("pub(crate) fn f() {}");
        let openings = &catalog.functions[0].access.as_ref().expect("the item is private").openings;
        assert_eq!(opened("pub(crate) fn f() {}", openings).as_deref(), Some("pub fn f() {}"));
        for other in ["", "// words, and then\npub(crate) fn f() {}", "äöüäöü", "pub"] {
            assert_eq!(opened(other, openings), None, "{other}");
        }
    }
}
