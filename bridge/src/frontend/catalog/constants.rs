//! The constants of types, and constants whose values name other constants.

use super::cfg::Cfg;
use super::constant::{Constant, OpenConstant};
use super::declare::{ConstantSource, Declared, unknown};
use super::functions::Reader;
use super::items::{Access, TypeItem};
use super::lower::{Lowering, Scope};
use super::modules::Module;
use super::names::{Def, Names, Namespace, Resolved};
use super::open::FileOpenings;
use super::rust_type::{RustType, TypeId};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use target_strategies::logic::value::Value;

/// Maximum number of constants of which each names the next.
const LONGEST_CHAIN: usize = 64;

/// Maximum length of an expression that is read again, in bytes. Longer ones are tables.
const LONGEST_OPEN: usize = 500;

/// Adds the constants of types, and evaluates all constants.
pub(super) fn evaluate(declared: &mut Declared, modules: &[Module], cfg: &Cfg) {
    for (id, name, source) in of_types(declared, modules, cfg) {
        let of_type = declared.names.constants.entry(id).or_default();
        if let Some(index) = of_type.get(&name) {
            // Instances of a generic type can have constants of one name.
            declared.constant_sources[*index as usize].expr = unknown();
            continue;
        }
        let index = declared.constant_sources.len() as u32;
        of_type.insert(name, index);
        declared.constant_sources.push(source);
    }
    let lowering = Lowering::new(declared);
    let found = declared.constant_sources.iter().map(|source| {
        let self_type = source.of.map(|id| RustType::Item(id, Vec::new()));
        let scope = Scope { module: source.module, self_type, ..Scope::default() };
        let constant = Constant::of(lowering.lower(&source.ty, &scope), &source.expr, &|_| None);
        let expr = source.expr.to_token_stream().to_string();
        let open = OpenConstant { module: source.module, of: source.of, expr };
        let is_open = constant.value.is_none() && open.expr.len() <= LONGEST_OPEN;
        Constant { open: is_open.then_some(open), ..constant }
    });
    let found = found.collect();
    declared.constants = found;
    evaluate_open(&declared.names, &declared.types, &mut declared.constants);
}

/// Evaluates the constants that name constants whose values are known, and then those that name these.
pub(super) fn evaluate_open(names: &Names, types: &[TypeItem], constants: &mut [Constant]) {
    for _ in 0..LONGEST_CHAIN {
        let evaluated = |(index, constant): (usize, &Constant)| {
            let open = constant.open.as_ref()?;
            let value = constant.evaluated(open, &|path| named(names, types, constants, open, path))?;
            Some((index, value))
        };
        let evaluated: Vec<(usize, Constant)> = (0..).zip(&*constants).filter_map(evaluated).collect();
        if evaluated.is_empty() {
            break;
        }
        evaluated.into_iter().for_each(|(index, constant)| constants[index] = constant);
    }
}

/// The constants in `impl` blocks of types, with their names.
fn of_types(declared: &Declared, modules: &[Module], cfg: &Cfg) -> Vec<(TypeId, String, ConstantSource)> {
    let lowering = Lowering::new(declared);
    let mut found = Vec::new();
    for (module, block) in declared.impls.iter().filter(|(_, block)| block.trait_.is_none()) {
        let mut scope = Scope { module: *module, ..Scope::default() };
        scope.declare(&block.generics);
        let numbers: Vec<String> =
            block.generics.const_params().map(|param| param.ident.to_string()).collect();
        let RustType::Item(id, _) = lowering.lower(&block.self_ty, &scope) else { continue };
        let openings = FileOpenings { file: &modules[*module as usize].file };
        for item in &block.items {
            if let syn::ImplItem::Const(item) = item
                && cfg.keeps(&item.attrs)
            {
                let (ty, expr) = (item.ty.clone(), item.expr.clone());
                // What depends on a number parameter has no value of its own.
                let expr = if numbers.is_empty() || !mentions(&expr, &numbers) { expr } else { unknown() };
                let name = item.ident.to_string();
                let opening = openings.publish(&item.vis, item.const_token.span);
                let (module, of) = (*module, Some(id));
                let source = ConstantSource { module, of, name: name.clone(), ty, expr, opening };
                found.push((id, name, source));
            }
        }
    }
    found
}

/// Whether an expression mentions one of these names.
fn mentions(expr: &syn::Expr, names: &[String]) -> bool {
    fn among(tokens: TokenStream, names: &[String]) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Group(group) => among(group.stream(), names),
            TokenTree::Ident(ident) => names.contains(&ident.to_string()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    among(expr.to_token_stream(), names)
}

/// The value of the constant or the constructor without fields at a path, as far as it is known yet.
fn named(
    names: &Names,
    types: &[TypeItem],
    constants: &[Constant],
    open: &OpenConstant,
    path: &syn::Path,
) -> Option<Value> {
    let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let resolve = |words: &[String], namespace| match names.resolve(
        types,
        open.module,
        path.leading_colon.is_some(),
        words,
        namespace,
    )? {
        Resolved::Local(binding) => Some(binding.def),
        Resolved::Foreign(_) => None,
    };
    let (name, of) = words.split_last()?;
    let id = match of {
        [] => None,
        [only] if only == "Self" => open.of,
        _ => match resolve(of, Namespace::Types) {
            Some(Def::Type(id)) => Some(id),
            _ => None,
        },
    };
    let index = match id {
        Some(id) => match names.constants.get(&id).and_then(|constants| constants.get(name)) {
            Some(index) => *index,
            None => return variant(&types[id.0 as usize], name),
        },
        None => match resolve(&words, Namespace::Values)? {
            Def::Const(index) => index,
            Def::Variant(_, index) => return Some(Value::Data(index, [].into())),
            Def::Type(_) => return Some(Value::Data(0, [].into())),
            _ => return None,
        },
    };
    constants.get(index as usize)?.value.clone()
}

/// The variant of an enum, which has no fields if the source is valid.
fn variant(item: &TypeItem, name: &str) -> Option<Value> {
    let index = item.ctors.iter().position(|ctor| item.is_enum && ctor.name == name)?;
    Some(Value::Data(index as u32, [].into()))
}

/// The paths to the constants, in their order.
pub(super) fn accesses(reader: &Reader) -> Vec<Access> {
    let sources = (0..).zip(&reader.declared.constant_sources);
    let access = |(index, source): (u32, &ConstantSource)| match source.of {
        None => reader.reach.of(Def::Const(index), source.module, &source.name),
        Some(id) => {
            let Access { path, mut openings } = reader.type_(id);
            openings.extend(source.opening.clone());
            Access { path: format!("{path}::{}", source.name), openings }
        }
    };
    sources.map(access).collect()
}

#[cfg(test)]
mod tests {
    use super::super::listing::catalog;
    use target_strategies::logic::value::Value;

    #[test]
    fn constants_name_others_in_any_order_and_those_of_types() {
        let catalog = catalog(
            "pub const A: u32 = B as u32 + 1; const B: usize = m::C * Ring::CAP; use m::C as D; const E: usize = D;
             mod m { pub(crate) const C: usize = super::F.len(); } const F: [u8; E2] = [1; E2]; const E2: usize = 3;
             pub struct Ring { items: [u8; Ring::CAP] } impl Ring { const CAP: usize = Self::HALF * 2; pub const HALF: usize = 2; }
             const N: usize = 8; pub struct Pair<const N: usize>; impl<const N: usize> Pair<N> { const TWO: usize = N * 2; }
             impl Of<u8> { pub const SIZE: u8 = 1; } impl Of<u16> { pub const SIZE: u8 = 2; }
             const G: u8 = H; const H: u8 = G; struct Of<T>(T); impl<T> Of<T> { pub const N: i8 = -1; }",
        );
        let value = |path: &[&str]| catalog.constant(path).and_then(|constant| constant.value.clone());
        assert_eq!(value(&["A"]), Some(Value::int(13)));
        assert_eq!(value(&["m", "C"]), Some(Value::int(3)));
        assert_eq!(value(&["E"]), Some(Value::int(3)));
        assert_eq!(value(&["Ring", "CAP"]), Some(Value::int(4)));
        assert_eq!(value(&["Of", "N"]), Some(Value::int(-1)));
        assert_eq!(value(&["G"]), None);
        assert_eq!([value(&["Pair", "TWO"]), value(&["Of", "SIZE"])], [None, None]);
        assert!(catalog.constant(&["Ring", "NONE"]).is_none());
    }
}
