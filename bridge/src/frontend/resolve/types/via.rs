//! Types whose values functions build (`via`): a function's parameters are the fields for the logic.
//!
//! With several functions, each is a constructor. One that takes a `&mut` of the type itself changes what others built,
//! so that the values of the type are the sequences of calls.

use target_strategies::logic::ir::{Builder, Ctor, DataId, Field, Refined, Sort, Via};

use super::Resolver;
use crate::frontend::catalog::{Catalog, FnItem, FnLookup, RustType, TypeLookup};
use crate::frontend::data::key::TypeConstructor;
use crate::frontend::declarations::shipped;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::diagnostic::counted;
use crate::frontend::resolve::names::{Env, TypeArg};
use crate::frontend::resolve::words::Piece;
use crate::frontend::resolve::{mentioned, words};
use crate::frontend::spec::{ast, print};

/// Maximum number of values of types known only to rustc in one type. Their glue is repeated in place.
const MOST_EXPANDED: u32 = 64;

/// The path of a type's `default` in fewer words.
fn short(path: String) -> String {
    let of_type = path.strip_prefix('<').and_then(|rest| rest.split_once(" as "));
    let of_type = of_type.filter(|(_, of_trait)| of_trait.ends_with("::default::Default>::default"));
    match of_type.map(|(ty, _)| ty.trim_end_matches("<_>")) {
        Some(ty) if !ty.contains('<') => format!("{ty}::default"),
        _ => path,
    }
}

/// The names of a builder's path.
fn names(builder: &ast::Builder) -> Vec<&str> {
    builder.function.iter().map(|ident| ident.name.as_str()).collect()
}

/// A function that builds the values of a type.
#[derive(Clone, Copy)]
enum Function<'a> {
    /// It is the crate's own.
    InCrate(&'a FnItem),
    /// It is another crate's, and rustc checks it.
    Foreign,
}

impl<'a> Resolver<'a> {
    /// A type with builder functions, at arguments for the entry's type parameters.
    pub(super) fn built(
        &mut self,
        constructor: TypeConstructor,
        index: usize,
        args: Vec<Refined>,
        via: &'a ast::Via,
        env: Env<'a>,
    ) -> Option<DataId> {
        if via.builders.iter().all(|builder| builder.changes) {
            let name = &self.data.declarations.views.all[index].head.name.name;
            let span = via.builders.first()?.function.first()?.span;
            let help = format!("put a function that returns one before it: `via {name}::new() | ..`");
            let message = format!("no function makes a first `{name}`");
            return self.fail(Diagnostic::error(span, message).help(help));
        }
        let functions: Vec<(&ast::Builder, Function)> = via
            .builders
            .iter()
            .map(|builder| Some((builder, self.function(builder)?)))
            .collect::<Option<_>>()?;
        let rust_type = self.type_of_values(via, &functions, &env)?;
        let base = match constructor {
            TypeConstructor::Bare(_) => None,
            _ => {
                let plain = args.iter().map(|arg| self.data.plain(&self.data.ty_of(arg))).collect();
                Some(self.view_or_bare(TypeConstructor::Bare(index), index, plain)?)
            }
        };
        let is_open = rust_type == "_";
        let id = self.data.reserve(constructor, args, rust_type, base);
        let mut ctors = Vec::with_capacity(functions.len());
        let mut builders = Vec::with_capacity(functions.len());
        for (builder, function) in functions {
            let Some(ctor) = self.builder_ctor(builder, function, &env) else {
                self.data.forget_from(id);
                return None;
            };
            if is_open && self.expanded(&ctor.fields, id, &mut 0).is_none() {
                let message = "a type that only rustc knows can't contain itself, or too many of its kind";
                let help = "wrap the function in one of the crate's own, whose result type is named";
                self.data.forget_from(id);
                let span = builder.function.first()?.span;
                return self.fail(Diagnostic::error(span, message).help(help));
            }
            let changed = ctor.fields.first().filter(|_| builder.changes).map(|field| &field.refined.sort);
            if changed
                .is_some_and(|sort| *sort != Sort::Data(id) && base.map(Sort::Data).as_ref() != Some(sort))
            {
                self.data.forget_from(id);
                return self.changes_another(builder, index);
            }
            ctors.push(ctor);
            builders.push(self.reads(builder, function));
        }
        let data = &mut self.data.data[id.0 as usize];
        data.ctors = ctors;
        data.via = Some(Via { builders, states: None });
        Some(id)
    }

    /// Rejects a function whose `&mut` parameter has another type than the entry makes.
    fn changes_another<T>(&mut self, builder: &ast::Builder, index: usize) -> Option<T> {
        let name = &self.data.declarations.views.all[index].head.name.name;
        let changed = builder.params.first()?;
        let function = names(builder).join("::");
        let message = format!("`{function}` must change a `{name}`, which the entry makes");
        let help = format!("write `{}: &mut {name}`", changed.name.name);
        self.fail(Diagnostic::error(changed.ty.span, message).help(help))
    }

    /// The Rust type of the values: as written, or as the first function that returns one declares it.
    fn type_of_values(
        &mut self,
        via: &'a ast::Via,
        functions: &[(&'a ast::Builder, Function<'a>)],
        env: &Env<'a>,
    ) -> Option<String> {
        let reads = via.builders.iter().flat_map(|builder| &builder.reads).flatten();
        let reads_fields = reads.into_iter().any(|read| mentioned::has_fields(&read.text));
        let first = functions.iter().find(|(builder, _)| !builder.changes);
        let declared = first.map(|(_, function)| match function {
            Function::InCrate(item) => self.type_built(item, reads_fields),
            Function::Foreign => "_".to_owned(),
        });
        if let Some(written) = &via.built {
            let argument = |word: &str| match env.generics.iter().find(|(name, _)| name == word)? {
                (_, TypeArg::Known(arg)) => Some(self.data.rust_type(arg)),
                (_, TypeArg::Written(..)) => None,
            };
            return Some(self.with_outside_paths(&words::replace(&written.text, argument)));
        }
        let declared = declared.unwrap_or_else(|| "_".to_owned());
        if declared == "_" && functions.len() > 1 {
            let span = via.builders.first()?.function.first()?.span;
            let message = "the type that several functions build must be known";
            return self.fail(Diagnostic::error(span, message).help("write it after the first: `-> Type`"));
        }
        Some(declared)
    }

    /// Rust code for a type in which the crate's types have the paths that other crates write.
    fn with_outside_paths(&mut self, text: &str) -> String {
        let pieces = words::pieces(text);
        let (mut written, mut at) = (String::with_capacity(text.len()), 0);
        while at < pieces.len() {
            let mut names = Vec::new();
            let mut end = at;
            while let Some(Piece::Word(name)) = pieces.get(end) {
                names.push(*name);
                end += 1;
                let is_path = matches!(
                    pieces.get(end..end + 3),
                    Some([Piece::Other(":"), Piece::Other(":"), Piece::Word(_)])
                );
                end += if is_path { 2 } else { 0 };
                if !is_path {
                    break;
                }
            }
            let next = end.max(at + 1);
            match self.data.catalog.type_(&names) {
                TypeLookup::Found(id) if !names.is_empty() => {
                    let item = self.data.catalog.item(id);
                    self.data.opened.extend(item.access.openings.iter().cloned());
                    written.push_str(&self.data.catalog.outside_path(&item.access.path));
                }
                _ => written.extend(pieces[at..next].iter().map(|piece| piece.text())),
            }
            at = next;
        }
        written
    }

    /// The constructor that stands for a call of a builder.
    fn builder_ctor(
        &mut self,
        builder: &'a ast::Builder,
        function: Function<'a>,
        env: &Env<'a>,
    ) -> Option<Ctor> {
        let rust_path = match function {
            Function::InCrate(item) => {
                let access = item.access.as_ref()?;
                self.data.opened.extend(access.openings.iter().cloned());
                short(self.data.catalog.outside_path(&access.path))
            }
            Function::Foreign => self.foreign_path(builder),
        };
        let item = match function {
            Function::InCrate(item) => Some(item),
            Function::Foreign => None,
        };
        let declared = item.map_or(&[][..], |item| &item.params);
        // A generic function's parameters depend on its type arguments.
        let is_generic = item.is_some_and(|item| !item.generics.is_empty());
        let declared = declared.iter().enumerate().map(|(at, param)| {
            let ty = match &param.ty {
                RustType::Ref { mutable: true, inner } if builder.changes && at == 0 => inner.as_ref(),
                ty => ty,
            };
            (!is_generic).then(|| ty.clone())
        });
        let declared = declared.chain(std::iter::repeat(None));
        let fields = self.view_fields(builder.params.iter().zip(declared).collect(), env)?;
        Some(Ctor { rust_path, fields, named: builder.named, recursive: false, excluded: false })
    }

    /// How values are read back, and whether the function may fail.
    fn reads(&mut self, builder: &ast::Builder, function: Function<'a>) -> Builder {
        for text in builder.reads.iter().flatten() {
            self.data.opened.extend(mentioned::openings(&text.text, self.data.catalog));
        }
        let read = |read: &ast::RustText| {
            words::replace(&read.text, |word| (word == "self").then(|| "this".to_owned()))
        };
        let reads = builder.reads.iter().map(|text| text.as_ref().map(read)).collect();
        let may_fail = match function {
            Function::InCrate(item) => {
                Some(matches!(item.result, RustType::Option(_) | RustType::Result(..)))
            }
            // A constructor doesn't fail.
            Function::Foreign if self.data.catalog.constructor(&names(builder)).is_some() => Some(false),
            Function::Foreign => shipped::may_fail(&names(builder).join("::")),
        };
        Builder { reads, may_fail, changes: builder.changes, is_constant: builder.is_constant }
    }

    fn function(&mut self, via: &'a ast::Builder) -> Option<Function<'a>> {
        if via.is_constant {
            return Some(Function::Foreign);
        }
        let names = names(via);
        let written = names.join("::");
        let span = via.function.iter().map(|ident| ident.span).reduce(|all, span| all.to(span))?;
        let catalog: &'a Catalog = self.data.catalog;
        let is_qualified = written.starts_with('<');
        // Functions of other members are not in the catalog.
        let is_of_member = catalog.is_of_member(&written);
        if is_of_member || !is_qualified && catalog.constructor(&names).is_some() {
            return Some(Function::Foreign);
        }
        let found = match is_qualified.then(|| catalog.qualified_function(&written)) {
            Some(Some(item)) => FnLookup::Found(item),
            // What is derived is not in the source.
            Some(None) => return Some(Function::Foreign),
            None => catalog.function(&names),
        };
        let item = match found {
            FnLookup::Found(item) => item,
            FnLookup::Private(item) if item.access.is_some() => item,
            FnLookup::Private(_) => {
                let message = format!("`{written}` can't be called from outside of where it is defined");
                return self.fail(Diagnostic::error(span, message));
            }
            FnLookup::Missing => {
                let of_the_crate =
                    !matches!(catalog.type_(&names[..1]), TypeLookup::Missing | TypeLookup::Foreign(_));
                if names.len() > 1 && !of_the_crate {
                    return Some(Function::Foreign);
                }
                let diagnostic = Diagnostic::error(span, format!("no function `{written}`"));
                return self.fail(match catalog.similar_functions(&names).first() {
                    Some(guess) => diagnostic.help(format!("did you mean `{guess}`?")),
                    None => diagnostic.help("a function of another crate is named by its whole path"),
                });
            }
            FnLookup::Ambiguous(_) => {
                return self
                    .fail(Diagnostic::error(span, format!("there are several functions `{written}`")));
            }
            FnLookup::NotAFunction(other) => {
                let what = other.what;
                return self.fail(Diagnostic::error(span, format!("`{written}` is {what}, not a function")));
            }
        };
        if item.params.len() != via.params.len() {
            let message = format!(
                "`{written}` has {}, the entry gives {}",
                counted(item.params.len(), "parameter"),
                via.params.len()
            );
            return self.fail(
                Diagnostic::error(span, message)
                    .help(format!("it is declared as `{}`", catalog.signature(item))),
            );
        }
        Some(Function::InCrate(item))
    }

    /// Counts how often glue for types known only to rustc is repeated in place; `None` if endlessly, or too often.
    fn expanded(&self, fields: &[Field], id: DataId, n: &mut u32) -> Option<()> {
        let mut open: Vec<&Refined> = fields.iter().map(|field| &field.refined).collect();
        let mut seen = Vec::new();
        while let Some(refined) = open.pop() {
            open.extend(refined.inner());
            let Sort::Data(of) = refined.sort else { continue };
            if of == id {
                return None;
            }
            let data = self.data.get(of);
            *n += u32::from(data.rust_type == "_");
            if *n > MOST_EXPANDED {
                return None;
            }
            // All other types have one function each.
            if data.rust_type != "_" && seen.contains(&of) {
                continue;
            }
            seen.push(of);
            open.extend(data.ctors.iter().flat_map(|ctor| &ctor.fields).map(|field| &field.refined));
        }
        Some(())
    }

    /// The path of a function of another crate, starting at that crate's root.
    fn foreign_path(&self, via: &ast::Builder) -> String {
        let written = print::path(&via.function);
        if written.starts_with('<') {
            return short(self.data.catalog.outside_path(&written));
        }
        if self.data.catalog.constructor(&names(via)).is_some() {
            let own = format!("{}::", self.data.catalog.crate_name);
            let inner = written.strip_prefix(&own).unwrap_or(&written);
            return self.data.catalog.outside_path(inner);
        }
        let Some(first) = via.function.first() else { return written };
        match self.data.catalog.type_(&[&first.name]) {
            TypeLookup::Foreign(path) => format!("{path}{}", &written[first.name.len()..]),
            _ => written,
        }
    }

    /// The type that a function builds, as Rust code.
    fn type_built(&mut self, item: &FnItem, reads_fields: bool) -> String {
        let built = match &item.result {
            RustType::Option(inner) | RustType::Result(inner, _) => inner,
            other => other,
        };
        match built {
            RustType::Item(id, args) if args.is_empty() => {
                let item = self.data.catalog.item(*id);
                // Only to read a value back by its fields, these must be visible.
                let openings = item.openings().take(if reads_fields { usize::MAX } else { 0 });
                self.data.opened.extend(openings.chain(&item.access.openings).cloned());
                self.data.catalog.outside_path(&item.access.path)
            }
            RustType::Foreign(path, args) if args.is_empty() => path.clone(),
            _ => "_".to_owned(),
        }
    }
}
