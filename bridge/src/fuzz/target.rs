//! A file of fuzz targets, read: the type of `x` in `fuzz_target!(|x: T| ..)`, and what of `Arbitrary` is hand-written.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprClosure, Fields, Ident, Item, Pat, Token, Type};

/// The comment by which the tool knows a target that it wrote, in front of the function's key.
pub const OWN: &str = "//! Function: ";

/// A fuzz target.
#[derive(Debug)]
pub struct FuzzTarget {
    /// What it takes.
    pub input: Input,
    /// The structs of its file: their fields, by name (the index as text for a tuple field) and type.
    pub structs: BTreeMap<String, Vec<(String, Type)>>,
    /// Names that its code mentions.
    mentioned: Vec<String>,
}

/// What a fuzz target takes.
#[derive(Debug)]
pub enum Input {
    /// The fuzzer's bytes, as they are.
    Bytes,
    /// What `Arbitrary` makes of them, boxed since a type of syn is big.
    Typed(Box<Type>),
    /// The arguments of the function with this key: the tool wrote the target.
    Own(String),
}

impl FuzzTarget {
    /// Reads the text of a file; an error says what keeps it from being read.
    pub fn read(text: &str) -> Result<FuzzTarget, String> {
        let file = syn::parse_file(text).map_err(|error| format!("it is no Rust file: {error}"))?;
        let own = text.lines().find_map(|line| line.strip_prefix(OWN));
        let input = match own {
            Some(key) => Input::Own(key.trim().trim_matches('`').to_owned()),
            None => file.items.iter().find_map(input).ok_or("it has no `fuzz_target!(|input: T| ..)`")??,
        };
        let mut structs = BTreeMap::new();
        for item in &file.items {
            if let Item::Struct(item) = item {
                structs.insert(item.ident.to_string(), fields(&item.fields));
            }
        }
        let mut mentioned = Vec::new();
        words(syn::parse_str(text).unwrap_or_default(), &mut mentioned);
        Ok(FuzzTarget { input, structs, mentioned })
    }

    /// Whether its code mentions the last name of a path.
    pub fn mentions(&self, path: &str) -> bool {
        let name = path.rsplit("::").next().unwrap_or(path);
        self.mentioned.iter().any(|word| word == name)
    }

    /// The type that is decoded, as Rust text.
    pub fn input_text(&self) -> String {
        match &self.input {
            Input::Bytes => "&[u8]".to_owned(),
            Input::Typed(ty) => type_text(ty),
            Input::Own(key) => format!("the arguments of {key}"),
        }
    }
}

/// A type as one writes it.
pub fn type_text(ty: &Type) -> String {
    let text = quote::quote!(#ty).to_string();
    text.replace(" :: ", "::").replace(" < ", "<").replace(" >", ">").replace("& ", "&").replace(" ,", ",")
}

fn fields(fields: &Fields) -> Vec<(String, Type)> {
    let name = |(index, field): (usize, &syn::Field)| {
        let name = field.ident.as_ref().map_or_else(|| index.to_string(), Ident::to_string);
        (name, field.ty.clone())
    };
    fields.iter().enumerate().map(name).collect()
}

/// Every word of the code.
fn words(tokens: TokenStream, into: &mut Vec<String>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Ident(word) => into.push(word.to_string()),
            proc_macro2::TokenTree::Group(group) => words(group.stream(), into),
            _ => {}
        }
    }
}

/// What `fuzz_target!` says of its input, if the item is one.
fn input(item: &Item) -> Option<Result<Input, String>> {
    let Item::Macro(item) = item else { return None };
    is_fuzz_target(&item.mac.path).then(|| {
        let closure = closure.parse2(item.mac.tokens.clone());
        let closure = closure.map_err(|error| format!("its `fuzz_target!` can't be read: {error}"))?;
        match closure.inputs.first() {
            Some(Pat::Type(typed)) => Ok(match is_byte_slice(&typed.ty) {
                true => Input::Bytes,
                false => Input::Typed(typed.ty.clone()),
            }),
            _ => Ok(Input::Bytes),
        }
    })
}

/// Whether a macro is the one that makes a fuzz target.
pub fn is_fuzz_target(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == "fuzz_target")
}

/// `init: ..,` is skipped.
fn closure(input: ParseStream) -> syn::Result<ExprClosure> {
    if input.peek(Ident) && input.peek2(Token![:]) {
        input.parse::<Ident>()?;
        input.parse::<Token![:]>()?;
        input.parse::<Expr>()?;
        input.parse::<Token![,]>()?;
    }
    input.parse()
}

fn is_byte_slice(ty: &Type) -> bool {
    type_text(ty) == "&[u8]"
}

/// The types of a file whose `Arbitrary` reads what only its author knows, each with what gives it away.
pub fn hand_written(text: &str) -> Vec<(String, String)> {
    struct Finder(Vec<(String, String)>);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
            let is_arbitrary =
                |path: &syn::Path| path.segments.last().is_some_and(|s| s.ident == "Arbitrary");
            if let (Some((_, path, _)), Type::Path(ty)) = (&item.trait_, &*item.self_ty)
                && is_arbitrary(path)
                // proptest's trait of the same name has no lifetime, and other methods.
                && item.items.iter().any(|item| matches!(item, syn::ImplItem::Fn(f) if f.sig.ident == "arbitrary"))
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
            if all.any(|attribute| attribute.path().is_ident("arbitrary")) {
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
