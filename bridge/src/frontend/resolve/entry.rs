//! Turns one entry of the functions table into one subject.
//!
//! Parameters are resolved in order, each in scope of those before it; then the result, the conditions and the
//! examples. A mistake in one part doesn't stop the checks of other parts.

use std::collections::BTreeSet;
use std::rc::Rc;

use target_strategies::logic::eval::{Admission, Judge};
use target_strategies::logic::ir::{Clause, Param, Pointer, Refined, Sort, Spec, Term};
use target_strategies::logic::value::Value;

use crate::frontend::catalog::{Catalog, Opening, TypeId};
use crate::frontend::data::PrivateTypes;
use crate::frontend::data::{DataTable, Position, Unread};
use crate::frontend::declarations::Declarations;
use crate::frontend::diagnostic::noted;
use crate::frontend::diagnostic::{Diagnostic, Level, Span};
use crate::frontend::elaborate;
use crate::frontend::elaborate::Forbidden;
use crate::frontend::manifest::{FunctionEntry, PartialSettings, SpannedText};
use crate::frontend::resolve::absorb::absorbed;
use crate::frontend::resolve::asked;
use crate::frontend::resolve::callee::{self, Callee};
use crate::frontend::resolve::find;
use crate::frontend::resolve::inhabited::Inhabited;
use crate::frontend::resolve::mentioned;
use crate::frontend::resolve::names::{Env, Name};
use crate::frontend::resolve::reach;
use crate::frontend::resolve::returned::{Flattened, contained_are_independent, flattened, uncalled};
use crate::frontend::resolve::types::Resolver;
use crate::frontend::resolve::unguarded::unguarded;
use crate::frontend::resolve::{measure, termination};
use crate::frontend::spec::ast::{self, Condition, ExprKind, Signature};
use crate::frontend::spec::parse;
use crate::frontend::subject::{Different, Opaque, Subject};

/// Shared by all entries of a manifest.
pub struct Common<'a> {
    /// The crate's items.
    pub catalog: &'a Catalog,
    /// The declarations of the manifest.
    pub declarations: &'a Declarations,
    /// The named types whose values must differ, and the relations.
    pub different: &'a [(SpannedText, SpannedText)],
    /// The default options for entries.
    pub settings: &'a PartialSettings,
    /// The options that override those of entries.
    pub overrides: &'a PartialSettings,
}

/// The options of an entry that are given.
fn options(entry: &FunctionEntry, common: &Common<'_>) -> PartialSettings {
    common.overrides.over(&entry.settings.over(common.settings))
}

/// The members of the workspace with the files that are opened.
fn members_of(openings: &[Opening], catalog: &Catalog) -> Vec<String> {
    let members = openings.iter().filter_map(|opening| catalog.member_of(&opening.file));
    let members: BTreeSet<&str> = members.collect();
    members.into_iter().map(str::to_owned).collect()
}

/// The subject of an entry, or only diagnostics.
pub fn subject(
    entry: &FunctionEntry,
    common: &Common<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Subject> {
    let signature = noted(parse::signature(&entry.spec), diagnostics);
    let callee = find::callee(entry, signature.as_ref(), common.catalog, diagnostics);
    let explore = entry.explore.as_ref().and_then(|text| noted(parse::condition(text), diagnostics));
    let is_explore_sound = explore.is_some() == entry.explore.is_some();
    let examples: Vec<_> = entry.examples.iter().map(|text| noted(parse::expr(text), diagnostics)).collect();
    let signature = signature?;
    // Without the function, the spec is still checked as far as possible.
    let fits = callee
        .as_ref()
        .is_some_and(|callee| callee::check_params(callee, &signature, common.catalog, diagnostics));
    let Flattened { signature, names, callee, returned } =
        flattened(signature, callee.filter(|_| fits), common.catalog, diagnostics)?;
    let assembled = |open_result: bool, as_text: &BTreeSet<TypeId>| {
        let n = signature.params.len() as u32;
        let data = DataTable::new(common.catalog, common.declarations, n);
        let mut resolver = Resolver::new(data);
        resolver.logical = callee.is_none();
        let (callee, as_text) = (callee.as_ref(), as_text.clone());
        let (of_types, different) = (common.different, None);
        let (signature, names) = (&signature, names.as_slice());
        let mut assembly =
            Assembly { resolver, signature, names, callee, open_result, as_text, of_types, different };
        let spec = assembly.spec(entry, explore.as_ref(), &examples);
        (spec.zip(Some(assembly.different)), assembly.resolver)
    };
    let (spec, resolver) = sensible(assembled);
    let openings = openings(callee.as_ref(), &resolver);
    let members = members_of(&openings, common.catalog);
    let found = resolver.diagnostics.into_iter().filter(|diagnostic| !diagnostic.follows);
    let before = diagnostics.len();
    diagnostics.extend(found);
    let sound = !diagnostics[before..].iter().any(|diagnostic| diagnostic.level == Level::Error);
    let ((spec, different), callee) = (spec?, callee.as_ref()?);
    let unguarded = unguarded(&spec.params, &spec.requires, &resolver.data, &spec.data);
    let all_parsed = is_explore_sound && examples.iter().all(Option::is_some);
    if sound && all_parsed {
        let spans = examples.iter().flatten().map(|example| example.span);
        diagnostics
            .extend(spec.examples.iter().zip(spans).filter_map(|(args, span)| rejected(&spec, args, span)));
    }
    let settings = reach::settings(&options(entry, common), &spec, different.as_ref());
    let too_deep = reach::mistake(&spec, different.is_some(), &settings, entry.key.whole());
    let is_bounded = too_deep.is_none();
    diagnostics.extend(too_deep);
    let subject = Subject {
        spec,
        call: callee.call.clone(),
        returned,
        different,
        literals: callee.literals.clone(),
        opaques: resolver.data.opaques,
        unguarded,
        clause_spans: resolver.data.clause_spans,
        key_span: entry.key.whole(),
        settings,
        openings,
        opened_members: members,
    };
    diagnostics.extend(uncalled(callee, &signature, common.catalog));
    let is_independent = contained_are_independent(&subject, diagnostics);
    (sound && all_parsed && is_bounded && is_independent).then_some(subject)
}

/// A spec with its relation between inputs, if it is sound, and what it was resolved with.
type Assembled<'a> = (Option<(Spec, Option<Different>)>, Resolver<'a>);

/// The assembly that makes sense of a spec, by whether private parts of the result are opened, and the types of which the
/// result has only the text.
fn sensible<'a>(assembled: impl Fn(bool, &BTreeSet<TypeId>) -> Assembled<'a>) -> Assembled<'a> {
    // A result with private parts stays unread if the spec allows it: opening them would need a copy of the crate.
    let opened_if_needed = |as_text: &BTreeSet<TypeId>| match assembled(false, as_text) {
        (_, resolver) if resolver.data.has_rejected_private() && !resolver.diagnostics.is_empty() => {
            assembled(true, as_text)
        }
        sound => sound,
    };
    let read = opened_if_needed(&BTreeSet::new());
    if read.1.data.texts_wanted.is_empty() {
        return read;
    }
    match opened_if_needed(&read.1.data.texts_wanted) {
        opaque if opaque.1.diagnostics.is_empty() => opaque,
        _ => read,
    }
}

/// The warning for an example that is not run. What needs the user's code is judged when it runs.
fn rejected(spec: &Spec, args: &[Value], span: Span) -> Option<Diagnostic> {
    let Admission::Rejected(clause) = Judge::new(None).precondition(spec, args) else { return None };
    let label = spec.clauses().into_iter().find(|known| Some(known.id) == clause);
    let label = label.map(|clause| format!("`{}` does not hold", clause.text)).unwrap_or_default();
    let message = "the precondition rejects this example, so it is not run";
    Some(Diagnostic::warning(span, message).label(label).help("correct the example, or the condition"))
}

/// The items to open for the call, the types and the `where` conditions; sorted, without repetition.
fn openings(callee: Option<&Callee>, resolver: &Resolver) -> Vec<Opening> {
    let of_call = callee.into_iter().flat_map(|callee| &callee.openings).cloned();
    let of_words = |opaque: &Opaque| mentioned::openings(&opaque.text, resolver.data.catalog);
    let of_words = resolver.data.opaques.iter().flat_map(of_words);
    let all: BTreeSet<Opening> = of_call.chain(resolver.data.openings().cloned()).chain(of_words).collect();
    all.into_iter().collect()
}

/// A spec under construction.
struct Assembly<'a> {
    resolver: Resolver<'a>,
    signature: &'a Signature,
    /// The names of the parameters in reports.
    names: &'a [String],
    callee: Option<&'a Callee>,
    /// Whether a result with private parts is read back, too.
    open_result: bool,
    /// The types of the crate of which only the text is read in the result.
    as_text: BTreeSet<TypeId>,
    /// The named types whose values must differ.
    of_types: &'a [(SpannedText, SpannedText)],
    /// The relation between inputs.
    different: Option<Different>,
}

impl<'a> Assembly<'a> {
    fn spec(
        &mut self,
        entry: &FunctionEntry,
        explore: Option<&Condition>,
        examples: &[Option<ast::Expr>],
    ) -> Option<Spec> {
        let (params, on_entry) = self.params();
        let resolved = self.signature.params.iter().zip(&params);
        let resolved = resolved.filter_map(|(written, param)| Some((written.ty.span, param.as_ref()?)));
        let data = &self.resolver.data;
        let without_values = Inhabited::of(&data.data, data.value_slot).check(resolved);
        self.resolver.diagnostics.extend(without_values);
        self.resolver.data.unread.clear();
        if !self.open_result {
            self.resolver.data.private_types = PrivateTypes::Rejected;
        }
        self.resolver.data.as_text = std::mem::take(&mut self.as_text);
        let result = self.result(&on_entry);
        self.resolver.data.as_text.clear();
        self.resolver.data.private_types = PrivateTypes::Opened;
        self.nothing_unread();
        let mut entry_env = on_entry;
        let too_early = "`result` can only be used in `ensures`".to_owned();
        entry_env.forbidden.push(("result".to_owned(), Forbidden::Because(too_early)));
        let requires = self.conditions(&self.signature.requires, &entry_env);
        let explore = explore.map(|condition| self.explore(condition, &entry_env)).unwrap_or_default();
        let panics_if =
            self.signature.panics_if.as_ref().and_then(|condition| self.single(condition, &entry_env));
        let return_env = self.env_on_return(&entry_env, &params, result.as_ref());
        self.resolver.data.unread.clear();
        let ensures = self.conditions(&self.signature.ensures, &return_env);
        self.nothing_unread();
        let params: Option<Vec<Param>> = params.into_iter().collect();
        let params = params?;
        let examples = self.examples(examples, &params);
        self.all_generics_known(entry);
        asked::laws_alone(&mut self.resolver, &requires, &params);
        asked::known_on_return(&mut self.resolver, &ensures, &params);
        self.different =
            self.resolver.different(entry.different.as_ref(), self.of_types, self.signature, &params);
        self.measures();
        let spec = asked::tables_alone(Spec {
            name: entry.key.text.clone(),
            params,
            requires,
            explore,
            result: result?,
            ensures,
            panics_if,
            examples,
            callbacks: std::mem::take(&mut self.resolver.data.callbacks),
            data: std::mem::take(&mut self.resolver.data.data),
            functions: std::mem::take(&mut self.resolver.data.functions.all),
            regexes: std::mem::take(&mut self.resolver.data.regexes),
            displayed: std::mem::take(&mut self.resolver.data.displayed).into_iter().collect(),
            literals: Vec::new(),
        });
        Some(absorbed(spec, &mut self.resolver.data))
    }

    /// The parameters, and their names as on entry.
    fn params(&mut self) -> (Vec<Option<Param>>, Env<'a>) {
        let mut params = Vec::new();
        let mut known = Env::default();
        for (index, param) in self.signature.params.iter().enumerate() {
            let mut env = known.clone();
            let own = format!("`{}` has no value yet inside of its own type", param.name.name);
            env.forbidden.push((param.name.name.clone(), Forbidden::Because(own)));
            for later in &self.signature.params[index + 1..] {
                let name = &later.name.name;
                let later = format!("`{name}` comes later; put the condition into `requires`");
                env.forbidden.push((name.clone(), Forbidden::Because(later)));
            }
            let declared = self.callee.and_then(|callee| callee.params[index].1.as_ref());
            let refined = self.resolver.refine(&param.ty, &Rc::new(env), declared, Position::Input);
            let refined = refined.filter(|refined| self.outermost_mut_only(param, refined));
            match &refined {
                Some(refined) => known.names.push(self.entry_name(&param.name.name, index, refined)),
                None => known.forbidden.push((param.name.name.clone(), Forbidden::BadDeclaration)),
            }
            params.push(refined.map(|refined| Param {
                name: self.names[index].clone(),
                mutable: refined.pointers.first() == Some(&Pointer::RefMut) && refined.callback().is_none(),
                refined,
            }));
        }
        (params, known)
    }

    fn entry_name(&self, name: &str, index: usize, refined: &Refined) -> Name {
        Name {
            name: name.to_owned(),
            term: Term::Var(index as u32),
            ty: self.resolver.data.ty_of(refined),
            refined: Some(refined.clone()),
        }
    }

    fn outermost_mut_only(&mut self, param: &ast::Param, refined: &Refined) -> bool {
        let inner =
            Refined { pointers: refined.pointers.iter().skip(1).copied().collect(), ..refined.clone() };
        if holds_mut(&inner) {
            let message = "`&mut` inside of a type is not supported yet";
            self.resolver.diagnostics.push(Diagnostic::error(param.ty.span, message));
            return false;
        }
        true
    }

    /// Rejects uses of a result's fields that can't be read back.
    fn nothing_unread(&mut self) {
        let n_params = self.resolver.data.value_slot;
        for Unread { span, field, slot } in std::mem::take(&mut self.resolver.data.unread) {
            // An argument keeps the fields that it was built from. Values of binders are seen when they are judged.
            if slot.is_some_and(|slot| slot < n_params || slot > 2 * n_params) {
                continue;
            }
            let (what, read) = match &field {
                Some(field) => (format!("`{field}`"), format!("`{field}: .. = self.{field}()`")),
                None => ("all of this value".to_owned(), "`.. = self.x()`".to_owned()),
            };
            let message = format!("{what} can't be read back from what the function returns");
            let help = format!("say how, in its entry in the table `data`: {read}");
            self.resolver.diagnostics.push(Diagnostic::error(span, message).help(help));
        }
    }

    /// Finishes the measures in use, which must terminate.
    fn measures(&mut self) {
        let mut found = measure::finish(&mut self.resolver.data);
        if found.is_empty() {
            found = termination::check(&self.resolver.data);
        }
        self.resolver.diagnostics.extend(found);
    }

    fn result(&mut self, on_entry: &Env<'a>) -> Option<Refined> {
        let declared = self.callee.and_then(|callee| callee.result.as_ref());
        let refined = match (&self.signature.result, declared) {
            (Some(ty), declared) => {
                let env = Rc::new(Env { is_after: true, ..on_entry.clone() });
                self.resolver.refine(ty, &env, declared, Position::Output)?
            }
            (None, Some(declared)) => match self.resolver.as_declared(declared, Position::Output) {
                // Nothing is said of the result, so it need not be read.
                Ok(refined) if !holds_mut(&refined) => refined,
                Ok(_) | Err(_) => Refined::plain(Sort::Opaque("_".to_owned())),
            },
            (None, None) => Refined::plain(Sort::Opaque("_".to_owned())),
        };
        if holds_mut(&refined) {
            let span = self.signature.result.as_ref().map_or(self.signature.span, |ty| ty.span);
            return self.resolver.fail(Diagnostic::error(span, "`&mut` results are not supported yet"));
        }
        Some(refined)
    }

    fn env_on_return(
        &mut self,
        entry: &Env<'a>,
        params: &[Option<Param>],
        result: Option<&Refined>,
    ) -> Env<'a> {
        let mut env = Env { old: entry.names.clone(), is_after: true, ..entry.clone() };
        let n = params.len() as u32;
        for (index, param) in params.iter().enumerate() {
            let Some(param) = param.as_ref().filter(|param| param.mutable) else { continue };
            for name in env.names.iter_mut().filter(|name| name.name == param.name) {
                name.term = Term::Var(n + 1 + index as u32);
            }
        }
        match result {
            Some(refined) => env.names.push(Name {
                name: "result".to_owned(),
                term: Term::Var(n),
                ty: self.resolver.data.ty_of(refined),
                refined: Some(refined.clone()),
            }),
            None => env.forbidden.push(("result".to_owned(), Forbidden::BadDeclaration)),
        }
        env
    }

    fn conditions(&mut self, conditions: &[Condition], env: &Env<'a>) -> Vec<Clause> {
        conditions.iter().flat_map(|condition| self.resolver.clauses(condition, env, None)).collect()
    }

    fn explore(&mut self, condition: &Condition, env: &Env<'a>) -> Vec<Clause> {
        if let Some(opaque) = &condition.opaque {
            let diagnostic = Diagnostic::error(opaque.span, "`explore` can't have a `where`");
            self.resolver.diagnostics.push(diagnostic.help("put it into `requires`"));
        }
        self.resolver.clauses(condition, env, None)
    }

    /// A condition as one clause.
    fn single(&mut self, condition: &Condition, env: &Env<'a>) -> Option<Clause> {
        let mut clauses = self.resolver.clauses(condition, env, None);
        if clauses.len() <= 1 {
            return clauses.pop();
        }
        let spans = clauses.iter().map(|clause| self.resolver.data.clause_spans[clause.id as usize]);
        let span = spans.reduce(|all, span| all.to(span))?;
        let text = clauses.iter().map(|clause| clause.text.as_str()).collect::<Vec<_>>().join(" && ");
        let text = text.replace(" && where ", " where ");
        let term = Term::And(clauses.into_iter().map(|clause| clause.term).collect());
        Some(self.resolver.clause(span, text, term))
    }

    fn examples(&mut self, examples: &[Option<ast::Expr>], params: &[Param]) -> Vec<Vec<Value>> {
        let mut all = Vec::new();
        for expr in examples.iter().flatten() {
            match self.example(expr, params) {
                Ok(args) => all.push(args),
                Err(diagnostic) => self.resolver.diagnostics.push(diagnostic),
            }
        }
        all
    }

    fn example(&mut self, expr: &ast::Expr, params: &[Param]) -> Result<Vec<Value>, Diagnostic> {
        let args: Vec<&ast::Expr> = match (&expr.kind, params.len()) {
            (ExprKind::Tuple(parts), 1) if parts.len() == 1 => parts.iter().collect(),
            (_, 1) => vec![expr],
            (ExprKind::Tuple(parts), n) if parts.len() == n => parts.iter().collect(),
            (_, n) => {
                let message = format!("an example must be a tuple of {n} arguments");
                return Err(Diagnostic::error(expr.span, message));
            }
        };
        let pairs = args.into_iter().zip(params);
        pairs.map(|(arg, param)| elaborate::constant(arg, &param.refined, &mut self.resolver.data)).collect()
    }

    /// Rust must be able to infer the type arguments of a generic function.
    fn all_generics_known(&mut self, entry: &FunctionEntry) {
        let Some(callee) = self.callee else { return };
        let mistaken = self.resolver.diagnostics.iter().any(|diagnostic| diagnostic.level == Level::Error);
        let unknown = callee.generics.iter().find(|name| !self.resolver.generics.contains_key(*name));
        if let (Some(name), false) = (unknown, mistaken) {
            let (message, advice) = unknown_parameter(name);
            self.resolver.diagnostics.push(Diagnostic::error(entry.spec.whole(), message).help(advice));
        }
    }
}

/// The message that nothing says what a type parameter of the function is, and the advice.
pub fn unknown_parameter(name: &str) -> (String, &'static str) {
    let message = format!("the spec doesn't say what the function's `{name}` is");
    (message, "a `call` with type arguments, such as `\"f::<u8>\"`, calls the function at one instance")
}

/// Whether a type contains a `&mut`.
fn holds_mut(refined: &Refined) -> bool {
    refined.pointers.contains(&Pointer::RefMut) || refined.inner().into_iter().any(holds_mut)
}
