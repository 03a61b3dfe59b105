//! `cargo target init`: writes a commented first spec for a function of the crate into its manifest.
//!
//! The spec only repeats the function's types, so it passes or finds a panic at once; the comments show how to
//! continue. The other bytes of the manifest don't change.

use anyhow::{Context, Result};
use target_bridge::frontend::catalog::{Catalog, Cfg, FnItem, FnLookup, RustType, scan};
use target_bridge::frontend::diagnostic::{Level, Sources};
use target_bridge::frontend::manifest::{self, PartialSettings};
use target_bridge::frontend::resolve::resolve;
use toml_edit::{DocumentMut, Item};

use crate::options::args;
use crate::options::config::CargoConfig;
use crate::run::project::{self, Package, rustc_cfg};
use crate::system::console::Verbosity;
use crate::system::exit_code::{self, usage};
use crate::system::files::{read_text, write_whole};

/// Writes the spec; returns the exit code.
pub fn init(args: &args::Init) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    let project = project::load(&config)?;
    let [package] = project.packages.as_slice() else {
        return Err(usage("more than one package is selected: choose one with -p"));
    };
    let library = package.library()?;
    let path = &package.manifest_path;
    let text = std::fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let cfg = Cfg::parse(&rustc_cfg(package)?).with_features(&package.features);
    let (catalog, _) = scan(&library.src_path, &library.crate_name, &cfg);
    let (new_text, line) = match &args.function {
        Some(wanted) => {
            let item = named(&catalog, wanted)?;
            let line = spec_line(item, &catalog).filter(|line| is_sound(&text, line, package, &catalog));
            let line = line
                .ok_or_else(|| usage(format!("`{wanted}` takes or returns types that have no spec yet")))?;
            (with_line(&text, &line)?, line)
        }
        None => {
            let lines = catalog.candidates().into_iter().filter_map(|item| spec_line(item, &catalog));
            let mut sound = lines.filter(|line| is_sound(&text, line, package, &catalog));
            let line = sound.next().ok_or_else(|| {
                usage("no public function with arguments that a spec can describe; name one: cargo target init FUNCTION")
            })?;
            (with_line(&text, &line)?, line)
        }
    };
    write_whole(path, &new_text)?;
    if config.verbosity > Verbosity::Quiet {
        outln!("wrote a spec into {}:\n\n    {line}\n\nnow: cargo target run", path.display());
    }
    Ok(exit_code::PASSED)
}

fn named<'c>(catalog: &'c Catalog, wanted: &str) -> Result<&'c FnItem> {
    let path: Vec<&str> = wanted.split("::").collect();
    match catalog.function(&path) {
        FnLookup::Found(item) | FnLookup::Private(item) => Ok(item),
        FnLookup::Missing { suggestions } => {
            let hint =
                suggestions.first().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
            Err(usage(format!("no function `{wanted}`{hint}")))
        }
        _ => Err(usage(format!("`{wanted}` is no function"))),
    }
}

/// `key = "fn(..) -> .."`, from the declared types.
fn spec_line(item: &FnItem, catalog: &Catalog) -> Option<String> {
    let access = item.access.as_ref().filter(|access| !access.path.starts_with('<'))?;
    let key = &access.path;
    let mut params = Vec::new();
    for (index, param) in item.params.iter().enumerate() {
        let name = if param.name == "_" { format!("x{index}") } else { param.name.clone() };
        params.push(format!("{name}: {}", type_text(&param.ty, catalog)?));
    }
    if params.is_empty() || item.is_unsafe || item.is_async {
        return None;
    }
    let result = match &item.result {
        RustType::Tuple(parts) if parts.is_empty() => String::new(),
        other => format!(" -> {}", type_text(other, catalog)?),
    };
    let plain = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let key = if plain { key.to_owned() } else { format!("\"{key}\"") };
    Some(format!("{key} = \"fn({}){result}\"", params.join(", ")))
}

/// The type in a spec's syntax; a type parameter becomes `i64`.
fn type_text(ty: &RustType, catalog: &Catalog) -> Option<String> {
    let one = |ty: &RustType| type_text(ty, catalog);
    let list =
        |types: &[RustType]| types.iter().map(one).collect::<Option<Vec<_>>>().map(|texts| texts.join(", "));
    Some(match ty {
        RustType::Bool => "bool".to_owned(),
        RustType::Char => "char".to_owned(),
        RustType::Int(kind) => kind.name().to_owned(),
        RustType::Float(64) => "f64".to_owned(),
        RustType::String => "String".to_owned(),
        RustType::Str => "str".to_owned(),
        RustType::Tuple(parts) if parts.len() == 1 => format!("({},)", list(parts)?),
        RustType::Tuple(parts) => format!("({})", list(parts)?),
        RustType::Array(element, Some(length)) => format!("[{}; {length}]", one(element)?),
        RustType::Slice(element) => format!("[{}]", one(element)?),
        RustType::Vec(element) => format!("Vec<{}>", one(element)?),
        RustType::Deque(inner) | RustType::Set(inner, _) => format!("{}<{}>", ty.name()?, one(inner)?),
        RustType::Map(key, value, _) => format!("{}<{}, {}>", ty.name()?, one(key)?, one(value)?),
        RustType::Option(inner) => format!("Option<{}>", one(inner)?),
        RustType::Result(ok, error) => format!("Result<{}, {}>", one(ok)?, one(error)?),
        RustType::Box(inner) | RustType::Rc(inner) | RustType::Arc(inner) | RustType::Cow(inner) => {
            one(inner)?
        }
        RustType::Ref { mutable: true, inner } => format!("&mut {}", one(inner)?),
        RustType::Ref { mutable: false, inner } => format!("&{}", one(inner)?),
        RustType::Item(id, args) => {
            let path = &catalog.types[id.0 as usize].access.path;
            if args.is_empty() { path.clone() } else { format!("{path}<{}>", list(args)?) }
        }
        RustType::Param(_) => "i64".to_owned(),
        _ => return None,
    })
}

/// Whether a manifest with that line has no mistake.
fn is_sound(text: &str, line: &str, package: &Package, catalog: &Catalog) -> bool {
    let Ok(new_text) = with_line(text, line) else { return false };
    let mut sources = Sources::default();
    let path = &package.manifest_path;
    let read = |file: &std::path::Path| {
        if file == path { Ok(new_text.clone()) } else { read_text(file) }
    };
    let (manifest, mut diagnostics) = manifest::read(&mut sources, path, &read);
    let (_, mistakes) = resolve(&manifest, catalog, &PartialSettings::default());
    diagnostics.extend(mistakes);
    !diagnostics.iter().any(|diagnostic| diagnostic.level == Level::Error)
}

const COMMENT: &str = "\
# Refined types of functions: `cargo target run` calls each function with every small input that its types admit,
# and judges what it returns. Say more, and it finds more:
#   {v: i64 | 0 < v}                       a refinement: which values there are, as a Rust expression
#   fn(a: i64, b: {v: i64 | a <= v})       a later parameter may mention an earlier one, and so may the result
#   fn(..) -> .. requires a < b            a precondition over all of them; `ensures` says what holds on return
";

/// The manifest with the line added. The first such line gets an explaining comment.
fn with_line(text: &str, line: &str) -> Result<String> {
    let document: DocumentMut =
        text.parse().map_err(|error| usage(format!("the manifest is no TOML: {error}")))?;
    let path = ["package", "metadata", "target", "functions"];
    let mut item: Option<&Item> = Some(document.as_item());
    for (depth, key) in path.iter().enumerate() {
        item = item.and_then(|item| item.get(key));
        let inline = item.is_some_and(|item| !item.is_table());
        if inline {
            let table = path[..=depth].join(".");
            return Err(usage(format!("`{table}` is an inline table: write it as [{table}] first")));
        }
    }
    if item.is_none() {
        let gap = if text.is_empty() || text.ends_with("\n\n") {
            ""
        } else if text.ends_with('\n') {
            "\n"
        } else {
            "\n\n"
        };
        return Ok(format!("{text}{gap}[package.metadata.target.functions]\n{COMMENT}{line}\n"));
    }
    let entry: DocumentMut = line.parse().context("read the new line back")?;
    let (key, value) = entry.iter().next().context("read the new line back")?;
    let mut document = document;
    let functions = &mut document["package"]["metadata"]["target"]["functions"];
    if functions.get(key).is_some() {
        return Err(usage(format!("`{key}` has a spec already")));
    }
    functions[key] = value.clone();
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::with_line;

    #[test]
    fn all_else_stays_as_it_is() {
        let text = "# top\n[package]\nname   = 'x' # odd\n\n\n[dependencies]\n";
        let with = with_line(text, "f = \"fn(x: u8)\"").expect("the test's own manifest parses");
        assert!(with.starts_with(text) && with.ends_with("f = \"fn(x: u8)\"\n"), "{with}");
        let again =
            with_line(&with, "\"a::g\" = \"fn(y: i8) -> i8\"").expect("the test's own manifest parses");
        assert_eq!(again, format!("{with}\"a::g\" = \"fn(y: i8) -> i8\"\n"));
        assert!(with_line(&again, "f = \"fn(x: u8)\"").is_err());
    }

    #[test]
    fn an_inline_table_is_left_alone() {
        let error = with_line("[package]\nmetadata = { target = {} }\n", "f = \"fn(x: u8)\"").unwrap_err();
        assert!(error.to_string().contains("inline table"));
    }
}
