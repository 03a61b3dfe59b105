//! `different`: a relation that holds between every two inputs of a set, or `pairwise`.
//!
//! A relation is a closure over two whole inputs, `|a, b| a.price != b.price`, or the name of a built-in relation. That
//! is about a part of the input if it is given one, `distance(price, 10)`; else it holds if it holds for one of the
//! parameters. The first input is in the slots of the parameters. The second one has slots of its own.
//!
//! Source: *Iorek*, section 4.3, where `not_equal` and its like tell which inputs are worth having together; for
//! `pairwise`, D. M. Cohen, S. R. Dalal, M. L. Fredman and G. C. Patton, *The AETG system* (1997).

use std::collections::BTreeMap;

use target_strategies::logic::ir::{Param, Refined, Regex, RegexId, Sort, Term};
use target_strategies::logic::part::Path;

use crate::frontend::diagnostic::{Diagnostic, Level, noted};
use crate::frontend::elaborate::relation::{self, MAX_KINDS, RELATIONS};
use crate::frontend::manifest::SpannedText;
use crate::frontend::resolve::names::{Env, Name};
use crate::frontend::resolve::types::Resolver;
use crate::frontend::spec::ast::{
    BinaryOp, Expr, ExprKind, Ident, PatKind, Signature, Type, TypeKind, UnaryOp,
};
use crate::frontend::spec::parse;
use crate::frontend::subject::{Combinations, Different, MOST_COMBINATIONS, Relation};

/// Number of levels of enums whose kinds are combined.
const LEVELS: u32 = 2;

/// Maximum nesting of the fields whose regular expressions are known.
const DEEPEST: usize = 8;

/// Maximum number of kinds in a combination.
const MAX_COMBINED: usize = 6;

impl Resolver<'_> {
    /// The relation between inputs: the function's own, and those of named types among its parameters. `None` if there is
    /// none, or a mistake.
    pub(super) fn different(
        &mut self,
        own: Option<&SpannedText>,
        of_types: &[(SpannedText, SpannedText)],
        signature: &Signature,
        params: &[Param],
    ) -> Option<Different> {
        if let Some(text) = own
            && let Some(n) = self.n_combined(text)
        {
            if of_types.iter().any(|(name, _)| is_used(signature, name)) {
                let message = "`pairwise` can't be combined with the `different` of a type";
                return self.fail(Diagnostic::error(text.span(0, text.text.len()), message));
            }
            return self.combinations(text, n?, params).map(Different::Combinations);
        }
        let second: Vec<u32> = params.iter().map(|_| self.data.fresh()).collect();
        self.data.declared = self.declared(params, &second);
        let mut terms = Vec::new();
        let mut texts = Vec::new();
        if let Some(text) = own {
            let all: Vec<usize> = (0..params.len()).collect();
            terms.push(self.relation(text, &all, params, &second)?);
            texts.push(text.text.clone());
        }
        for (name, text) in of_types {
            for (index, param) in signature.params.iter().enumerate() {
                if is_named(&param.ty, name.text.trim()) {
                    terms.push(self.relation(text, &[index], params, &second)?);
                    texts.push(text.text.clone());
                }
            }
        }
        let relation = match terms.len() {
            0 => return None,
            1 => terms.pop()?,
            _ => Term::And(terms),
        };
        let covers = std::mem::take(&mut self.data.covers);
        Some(Different::Pairs(Relation { term: relation, second, text: texts.join(" && "), covers }))
    }

    /// The number of kinds that are combined, if that is asked for: `pairwise`, `n_wise(3)`.
    fn n_combined(&mut self, text: &SpannedText) -> Option<Option<usize>> {
        // Mistakes are reported when it is read as a relation.
        let expr = noted(parse::expr(text), &mut Vec::new())?;
        let (function, args) = match &expr.kind {
            ExprKind::Call(function, args) => (&**function, args.as_slice()),
            _ => (&expr, &[][..]),
        };
        let ExprKind::Path(path) = &function.kind else { return None };
        let [name] = path.as_slice() else { return None };
        match (name.name.as_str(), args) {
            ("pairwise", []) => Some(Some(2)),
            ("pairwise" | "n_wise", args) => {
                let n = match args {
                    [Expr { kind: ExprKind::Int(n, _), .. }] if name.name == "n_wise" => n.to_usize(),
                    _ => None,
                };
                let n = n.filter(|n| (1..=MAX_COMBINED).contains(n));
                if n.is_none() {
                    let message =
                        format!("write `pairwise`, or `n_wise(n)` with a number from 1 to {MAX_COMBINED}");
                    self.diagnostics.push(Diagnostic::error(expr.span, message));
                }
                Some(n)
            }
            _ => None,
        }
    }

    /// The combinations of so many kinds of the parts of an input.
    fn combinations(&mut self, text: &SpannedText, n: usize, params: &[Param]) -> Option<Combinations> {
        self.data.declared = self.declared(params, &[]);
        let (mut kinds, mut is_too_much) = (Vec::new(), false);
        for (slot, param) in (0..).zip(params) {
            let ty = self.data.ty_of(&param.refined);
            // Too many are reported below.
            let of_param = relation::kinds(&Term::Var(slot), &ty, LEVELS, &mut self.data);
            is_too_much |= of_param.is_none();
            kinds.extend(of_param.unwrap_or_default());
        }
        if (n..=MAX_KINDS).contains(&kinds.len()) && !is_too_much {
            let combinations = Combinations { kinds, n };
            let count = combinations.count();
            if count <= MOST_COMBINATIONS {
                return Some(combinations);
            }
            let message =
                format!("the input has {count} combinations of {n} kinds, more than {MOST_COMBINATIONS}");
            let mistake = Diagnostic::error(text.span(0, text.text.len()), message);
            return self.fail(mistake.help("combine fewer, `pairwise` or `n_wise(n)` with a smaller number"));
        }
        let (n_kinds, few) = (kinds.len(), kinds.len() < n && !is_too_much);
        let message = if few {
            format!(
                "combinations of {n} parts need at least {n} parts of different kinds; the input has {n_kinds}"
            )
        } else {
            format!("the input has more than {MAX_KINDS} parts whose kinds could be combined")
        };
        let help = "numbers, truth values, enums, strings and lists have kinds, also in tuples and structs";
        self.fail(Diagnostic::error(text.span(0, text.text.len()), message).help(help))
    }

    /// The regular expressions that parameters and their fields are declared to match, for both inputs.
    fn declared(&self, params: &[Param], second: &[u32]) -> BTreeMap<Path, String> {
        let mut declared = BTreeMap::new();
        for (index, param) in params.iter().enumerate() {
            for slot in [index].into_iter().chain(second.get(index).map(|slot| *slot as usize)) {
                self.add_declared(&param.refined, vec![slot], &mut declared);
            }
        }
        declared
    }

    /// The first regular expression that a condition of a type asks for.
    fn declared_regex(&self, refined: &Refined) -> Option<RegexId> {
        let Sort::Str(_) = refined.sort else { return None };
        let conditions = refined.clauses.iter().flat_map(|clause| match &clause.term {
            Term::And(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        });
        conditions.into_iter().find_map(|condition| match condition {
            Term::Matches(regex, Regex::START, of)
                if **of == Term::Var(self.data.value_slot) && !self.data.implied_regexes.contains(regex) =>
            {
                Some(*regex)
            }
            _ => None,
        })
    }

    fn add_declared(&self, refined: &Refined, path: Path, declared: &mut BTreeMap<Path, String>) {
        let fields: Vec<&Refined> = match &refined.sort {
            Sort::Str(_) => {
                let regex = self.declared_regex(refined).map(|regex| &self.data.regexes[regex.0 as usize]);
                declared.extend(regex.map(|regex| (path, regex.text.clone())));
                return;
            }
            Sort::Tuple(parts) => parts.iter().collect(),
            Sort::Data(id) => match self.data.get(*id).ctors.as_slice() {
                [only] => only.fields.iter().map(|field| &field.refined).collect(),
                _ => return,
            },
            _ => return,
        };
        if path.len() <= DEEPEST {
            for (index, field) in fields.into_iter().enumerate() {
                self.add_declared(field, [path.as_slice(), &[index]].concat(), declared);
            }
        }
    }

    /// A relation over the parameters with these positions.
    fn relation(
        &mut self,
        text: &SpannedText,
        of: &[usize],
        params: &[Param],
        second: &[u32],
    ) -> Option<Term> {
        let parsed = parse::expr(text).map_err(|mistakes| {
            mistakes.into_iter().map(|mistake| helped(mistake, text, (params, of))).collect()
        });
        let expr = noted(parsed, &mut self.diagnostics)?;
        let (names, body) = match expr.kind {
            ExprKind::Closure(names, body) => (names, *body),
            kind => {
                let expr = Expr { kind, span: expr.span };
                let parts = Parts { params, of };
                if let Some((a, b)) = parts.unnamed(&expr) {
                    let mistake = Diagnostic::error(expr.span, format!("no parameters `{a}` and `{b}`"));
                    let closure = format!("|{a}, {b}| {}", text.text.trim());
                    return self.fail(mistake.help(format!("if they are the two inputs, write `{closure}`")));
                }
                let Some(body) = parts.applied(&expr) else {
                    return self.of_some(&expr, of, params, second);
                };
                let env = self.env_of_two(("a", "b"), of, params, second);
                return self.relation_in(&env, &body);
            }
        };
        let bound: Vec<&str> = names
            .iter()
            .filter_map(|name| match &name.kind {
                PatKind::Bind(name, _) => Some(name.name.as_str()),
                _ => None,
            })
            .collect();
        let (2, [a, b]) = (names.len(), bound.as_slice()) else {
            let message = "a relation is a closure with two names, `|a, b| a != b`";
            return self.fail(Diagnostic::error(expr.span, message));
        };
        if a == b {
            return self.fail(Diagnostic::error(expr.span, "the two inputs of a relation need two names"));
        }
        let env = self.env_of_two((a, b), of, params, second);
        self.relation_in(&env, &body)
    }

    /// A relation without a closure, such as `different_lengths`: it holds for one of the parameters that it fits.
    fn of_some(&mut self, expr: &Expr, of: &[usize], params: &[Param], second: &[u32]) -> Option<Term> {
        let (mut found, mut mistakes) = (Vec::new(), Vec::new());
        for index in of {
            let env = self.env_of_two(("a", "b"), &[*index], params, second);
            let before = self.diagnostics.len();
            match self.relation_in(&env, &applied(expr)) {
                Some(term) => found.push(term),
                None => mistakes.extend(self.diagnostics.drain(before..)),
            }
        }
        if found.is_empty() {
            mistakes.truncate(1);
            self.diagnostics.extend(mistakes);
            return None;
        }
        if found.len() == 1 { found.pop() } else { Some(Term::Or(found)) }
    }

    /// The names of two inputs: the argument itself if there is one, else a field for each parameter.
    fn env_of_two(
        &self,
        (a, b): (&str, &str),
        of: &[usize],
        params: &[Param],
        second: &[u32],
    ) -> Env<'static> {
        let mut env = Env::default();
        for index in of {
            let param = &params[*index];
            for (name, slot) in [(a, *index as u32), (b, second[*index])] {
                let name = if of.len() == 1 { name.to_owned() } else { format!("{name}.{}", param.name) };
                let ty = self.data.ty_of(&param.refined);
                env.names.push(Name { name, term: Term::Var(slot), ty, refined: None });
            }
        }
        env
    }

    fn relation_in(&mut self, env: &Env<'static>, body: &Expr) -> Option<Term> {
        let before = self.diagnostics.len();
        let scope = env.scope(None);
        let terms = relation::elaborated(body, &scope, &mut self.data, &mut self.diagnostics);
        let terms: Vec<Term> = terms.into_iter().map(|(term, _)| term).collect();
        if self.diagnostics[before..].iter().any(|found| found.level == Level::Error) {
            return None;
        }
        Some(if let [term] = terms.as_slice() { term.clone() } else { Term::And(terms) })
    }
}

/// A mistake in the syntax of a relation, with the help for mistakes that are usual there.
fn helped(mistake: Diagnostic, text: &SpannedText, (params, of): (&[Param], &[usize])) -> Diagnostic {
    let at = text.offsets.iter().position(|offset| *offset == mistake.span.start).unwrap_or_default();
    let word: String = text.text[at..].chars().take_while(char::is_ascii_alphabetic).collect();
    let named =
        of.iter().map(|of| params[*of].name.as_str()).find(|name| *name != "_").filter(|_| of.len() > 1);
    let example = match named {
        Some(name) => format!("|a, b| a.{name} != b.{name}"),
        None => "|a, b| a != b".to_owned(),
    };
    let body = text.text.rsplit('|').next().unwrap_or_default();
    let is_empty = body.trim_matches([' ', '\t', '\r', '\n', '{', '}']).is_empty();
    match word.as_str() {
        "where" => mistake.help(
            "a relation is solved for, so it can't have Rust code after `where`: say it in the spec language",
        ),
        "requires" | "ensures" | "panics" => {
            mistake.help(format!("a relation is a single condition, without `{word}`: `{example}`"))
        }
        _ if is_empty => mistake.help(format!(
            "say when two inputs differ: with a closure, `{example}`, or a built-in relation, `not_equal`"
        )),
        _ => mistake,
    }
}

/// The parameters that a relation is about.
struct Parts<'a> {
    params: &'a [Param],
    of: &'a [usize],
}

impl Parts<'_> {
    /// A combination of built-in relations of which each is given a part of the input, `cover(kind) || distance(price, 10)`,
    /// applied to the parts of `a` and `b`. `None` if one isn't given a part.
    fn applied(&self, expr: &Expr) -> Option<Expr> {
        let one = |expr: &Expr| self.applied(expr).map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Call(function, args) => {
                let (part, rest) = args.split_first().filter(|_| is_relation(function))?;
                let parts = [self.part(part, "a")?, self.part(part, "b")?];
                ExprKind::Call(function.clone(), parts.into_iter().chain(rest.iter().cloned()).collect())
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), x, y) => {
                ExprKind::Binary(*op, one(x)?, one(y)?)
            }
            ExprKind::Unary(UnaryOp::Not, x) => ExprKind::Unary(UnaryOp::Not, one(x)?),
            _ => return None,
        };
        Some(Expr { kind, span: expr.span })
    }

    /// The names of the two inputs, if a relation is given the same part of both as in a closure, `not_equal(a.x, b.x)`.
    fn unnamed<'e>(&self, expr: &'e Expr) -> Option<(&'e str, &'e str)> {
        match &expr.kind {
            ExprKind::Call(function, args) if is_relation(function) => {
                let [first, second, ..] = args.as_slice() else { return None };
                let ((a, part), (b, other)) = (path_of(first)?, path_of(second)?);
                let is_param = |name: &str| self.params.iter().any(|param| param.name == name);
                (a != b && part == other && !is_param(a) && !is_param(b)).then_some((a, b))
            }
            ExprKind::Binary(_, x, y) => self.unnamed(x).or_else(|| self.unnamed(y)),
            ExprKind::Unary(_, x) => self.unnamed(x),
            _ => None,
        }
    }

    /// A part of one of the two inputs: a parameter or, of the only one, a field, and fields of these.
    fn part(&self, part: &Expr, input: &str) -> Option<Expr> {
        let span = part.span;
        let kind = match &part.kind {
            ExprKind::Path(path) => {
                let [name] = path.as_slice() else { return None };
                let input = Expr { kind: ExprKind::Path(vec![Ident { name: input.to_owned(), span }]), span };
                let is_only = matches!(self.of, [only] if self.params[*only].name == name.name);
                if is_only {
                    return Some(input);
                }
                ExprKind::Field(Box::new(input), name.clone())
            }
            ExprKind::Field(of, name) => ExprKind::Field(Box::new(self.part(of, input)?), name.clone()),
            _ => return None,
        };
        Some(Expr { kind, span })
    }
}

/// A name, and the fields of it that are read, the last one first.
fn path_of(expr: &Expr) -> Option<(&str, Vec<&str>)> {
    match &expr.kind {
        ExprKind::Path(path) => match path.as_slice() {
            [name] => Some((&name.name, Vec::new())),
            _ => None,
        },
        ExprKind::Field(of, name) => {
            let (root, fields) = path_of(of)?;
            Some((root, [vec![name.name.as_str()], fields].concat()))
        }
        _ => None,
    }
}

fn is_relation(function: &Expr) -> bool {
    let ExprKind::Path(path) = &function.kind else { return false };
    matches!(path.as_slice(), [name] if RELATIONS.iter().any(|(known, ..)| *known == name.name))
}

/// Whether a function has a parameter that is declared with the name of a type.
fn is_used(signature: &Signature, name: &SpannedText) -> bool {
    signature.params.iter().any(|param| is_named(&param.ty, name.text.trim()))
}

/// A combination of built-in relations applied to `a` and `b`.
fn applied(expr: &Expr) -> Expr {
    let span = expr.span;
    let name = |name: &str| Expr { kind: ExprKind::Path(vec![Ident { name: name.to_owned(), span }]), span };
    let one = |expr: &Expr| Box::new(applied(expr));
    let kind = match &expr.kind {
        ExprKind::Path(_) => ExprKind::Call(Box::new(expr.clone()), vec![name("a"), name("b")]),
        ExprKind::Call(function, args) => {
            let args = [name("a"), name("b")].into_iter().chain(args.iter().cloned()).collect();
            ExprKind::Call(function.clone(), args)
        }
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), x, y) => ExprKind::Binary(*op, one(x), one(y)),
        ExprKind::Unary(UnaryOp::Not, x) => ExprKind::Unary(UnaryOp::Not, one(x)),
        other => other.clone(),
    };
    Expr { kind, span }
}

/// Whether a type as written is a named type, also behind references.
fn is_named(ty: &Type, name: &str) -> bool {
    match &ty.kind {
        TypeKind::Ref { inner, .. } => is_named(inner, name),
        TypeKind::Path { path, .. } => matches!(path.as_slice(), [only] if only.name == name),
        TypeKind::Refined { base, .. } => is_named(base, name),
        _ => false,
    }
}
