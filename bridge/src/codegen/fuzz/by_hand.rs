//! Finds handwritten parts of `Arbitrary` in Rust source: the meaning of bytes is then unknown.

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, GenericArgument, Ident, Meta, PathArguments, Token, Type};

/// Whether a trait is arbitrary's `Arbitrary`. The traits of that name in proptest and quickcheck have no lifetime.
fn is_arbitrary(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|last| {
        let PathArguments::AngleBracketed(args) = &last.arguments else { return false };
        last.ident == "Arbitrary" && args.args.iter().any(|arg| matches!(arg, GenericArgument::Lifetime(_)))
    })
}

/// Whether an attribute is `#[arbitrary(..)]`, maybe under a condition.
fn sets_arbitrary(meta: &Meta) -> bool {
    if !meta.path().is_ident("cfg_attr") {
        return meta.path().is_ident("arbitrary");
    }
    let Meta::List(list) = meta else { return false };
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    parts.is_ok_and(|parts| parts.iter().skip(1).any(sets_arbitrary))
}

/// The types of a file with handwritten parts of `Arbitrary`, each with the code that shows it.
pub fn hand_written(text: &str) -> Vec<(String, String)> {
    struct Finder(Vec<(String, String)>);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
            if let (Some((_, path, _)), Type::Path(ty)) = (&item.trait_, &*item.self_ty)
                && is_arbitrary(path)
                && let Some(name) = ty.path.segments.last()
            {
                self.0.push((name.ident.to_string(), "implements `Arbitrary` by hand".to_owned()));
            }
            visit::visit_item_impl(self, item);
        }
        fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
            self.attributes(&item.ident, item.fields.iter().flat_map(|field| &field.attrs));
        }
        fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
            let fields = item.variants.iter().flat_map(|variant| &variant.fields);
            let variants = item.variants.iter().flat_map(|variant| &variant.attrs);
            self.attributes(&item.ident, fields.flat_map(|field| &field.attrs).chain(variants));
        }
    }
    impl Finder {
        fn attributes<'a>(&mut self, name: &Ident, mut all: impl Iterator<Item = &'a Attribute>) {
            if all.any(|attribute| sets_arbitrary(&attribute.meta)) {
                self.0.push((name.to_string(), "has `#[arbitrary(..)]` on a part".to_owned()));
            }
        }
    }
    let mut finder = Finder(Vec::new());
    if let Ok(file) = syn::parse_file(text) {
        finder.visit_file(&file);
    }
    finder.0
}
