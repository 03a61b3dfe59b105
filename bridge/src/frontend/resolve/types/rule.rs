//! Rules of grammars as types: a rule becomes a data type whose constructors are its alternatives.
//!
//! In `Sum = '"1" | left:Sum "+" right:Sum'` the second constructor has the fields `left` and `right`. A `/regex/` is a field
//! of strings with a refinement, `?` an `Option`, `*` and `+` a list, a group a data type of its own.

use std::rc::Rc;

use target_strategies::logic::ir::{
    CompareOp, Ctor, DataId, Field, Piece, Pointer, Refined, Regex, Rule, SeqKind, Sort, StrKind, Term,
};
use target_strategies::logic::value::Value;

use super::{Expected, Resolver};
use crate::frontend::catalog::RustType;
use crate::frontend::data::Position;
use crate::frontend::data::key::TypeConstructor;
use crate::frontend::declarations::library;
use crate::frontend::diagnostic::{Diagnostic, did_you_mean};
use crate::frontend::resolve::names::Env;
use crate::frontend::spec::ast::{Ident, Type};
use crate::frontend::spec::grammar::{Alternative, Atom, Part, Repeat};

/// Maximum number of rules, groups and options that a spec may use.
const MAX_RULES: usize = 1_000;

impl<'a> Resolver<'a> {
    /// A rule as a type.
    pub(super) fn rule(&mut self, ty: &Type, index: usize, expected: Expected<'_>) -> Option<Refined> {
        match expected.core {
            None | Some(RustType::String | RustType::Str) => {}
            Some(other) => return self.mismatch(ty, other, expected.position),
        }
        self.rule_instance(index).map(|id| Refined::plain(Sort::Data(id)))
    }

    /// Whether the harness can pass the text of a derivation as the declared type.
    pub(super) fn is_held_as_text(pointers: &[Pointer], core: Option<&RustType>) -> bool {
        match (pointers.last(), core) {
            (None | Some(Pointer::RefMut), Some(RustType::Str))
            | (Some(Pointer::Ref), Some(RustType::String)) => false,
            (_, _) => true,
        }
    }

    /// The data type of a rule. The rules that it mentions are made with it.
    pub fn rule_instance(&mut self, index: usize) -> Option<DataId> {
        if let Some(known) = self.data.interned(TypeConstructor::Rule(index), &[]) {
            return Some(known);
        }
        let grammar = &self.data.declarations.grammar;
        let mut new = Vec::new();
        for index in grammar.reachable(index) {
            let constructor = TypeConstructor::Rule(index);
            if self.data.interned(constructor, &[]).is_none() {
                let name = grammar.rules[index].name.name.clone();
                new.push((index, self.reserve_rule(constructor, name)));
            }
        }
        let outer = std::mem::replace(&mut self.types_only, false);
        self.data.nesting += 1;
        let mut is_sound = true;
        for (index, id) in &new {
            let rule = &grammar.rules[*index];
            is_sound &= self.fill_rule(*id, &rule.name.name, &rule.alternatives).is_some();
        }
        self.data.nesting -= 1;
        self.types_only = outer;
        if !is_sound {
            let first = new.first().expect("there is at least the rule itself").1;
            self.data.forget_from(first);
            return None;
        }
        if self.data.nesting == 0 {
            self.data.mark_recursion();
        }
        self.data.interned(TypeConstructor::Rule(index), &[])
    }

    fn reserve_rule(&mut self, constructor: TypeConstructor, name: String) -> DataId {
        let id = self.data.reserve(constructor, Vec::new(), "String".to_owned(), None);
        self.data.data[id.0 as usize].rule = Some(Rule { name, layouts: Vec::new() });
        id
    }

    fn fill_rule(&mut self, id: DataId, name: &str, alternatives: &'a [Alternative]) -> Option<()> {
        let mut layouts = Vec::with_capacity(alternatives.len());
        let mut ctors = Vec::with_capacity(alternatives.len());
        let mut is_sound = true;
        for (number, alternative) in alternatives.iter().enumerate() {
            let mut fields = Vec::new();
            let mut layout = Vec::new();
            for part in &alternative.parts {
                if let (Atom::Quoted(text), None, Repeat::Once) = (&part.atom, &part.name, part.repeat) {
                    layout.push(Piece::Quoted(text.clone()));
                    continue;
                }
                let Some(refined) = self.part(part, name) else {
                    is_sound = false;
                    continue;
                };
                layout.push(Piece::Field(fields.len() as u32));
                let name = part.name.as_ref().map_or("_", |name| &name.name).to_owned();
                fields.push(Field { name, refined, slot: None });
            }
            layouts.push(layout);
            let rust_path = format!("{name}::{}", number + 1);
            ctors.push(Ctor { rust_path, fields, named: false, recursive: false, excluded: false });
        }
        let data = &mut self.data.data[id.0 as usize];
        data.ctors = ctors;
        data.rule = Some(Rule { name: name.to_owned(), layouts });
        is_sound.then_some(())
    }

    /// The type of a part with its repetition.
    fn part(&mut self, part: &'a Part, rule: &str) -> Option<Refined> {
        if self.data.data.len() >= MAX_RULES {
            let message = format!("a spec may use {MAX_RULES} rules, groups and optional parts");
            return self.fail(Diagnostic::error(part.span, message));
        }
        let once = self.atom(&part.atom, part, rule)?;
        Some(match part.repeat {
            Repeat::Once => once,
            Repeat::Optional => Refined::plain(Sort::Data(self.data.option_of(once))),
            Repeat::Any => Refined::plain(Sort::Seq(Box::new(once), SeqKind::Vec)),
            Repeat::Some => {
                let length = Term::Len(Box::new(Term::Var(self.data.value_slot)));
                let one = Box::new(Term::Lit(Value::int(1)));
                let term = Term::Compare(CompareOp::Le, one, Box::new(length));
                let text = self.words(part.span);
                let clause = self.clause(part.span, text, term);
                Refined { clauses: vec![clause], ..Refined::plain(Sort::Seq(Box::new(once), SeqKind::Vec)) }
            }
        })
    }

    fn atom(&mut self, atom: &'a Atom, part: &'a Part, rule: &str) -> Option<Refined> {
        let group = |this: &mut Self| {
            let number = this.data.data.len() as u32;
            this.reserve_rule(TypeConstructor::Group(number), rule.to_owned())
        };
        match atom {
            Atom::Named(name) => self.named_part(name),
            Atom::Group(alternatives) => {
                let id = group(self);
                self.fill_rule(id, rule, alternatives)?;
                Some(Refined::plain(Sort::Data(id)))
            }
            Atom::Quoted(text) => {
                let id = group(self);
                let rust_path = format!("{rule}::1");
                let (fields, layouts) = (Vec::new(), vec![vec![Piece::Quoted(text.clone())]]);
                let ctor = Ctor { rust_path, fields, named: false, recursive: false, excluded: false };
                let data = &mut self.data.data[id.0 as usize];
                data.ctors = vec![ctor];
                data.rule = Some(Rule { name: rule.to_owned(), layouts });
                Some(Refined::plain(Sort::Data(id)))
            }
            Atom::Regex(text, offsets) => {
                let file = part.span.file;
                let regex = match self.data.regex(text, part.span, |range| offsets.of(range, file)) {
                    Ok(regex) => regex,
                    Err(mistake) => return self.fail(mistake),
                };
                let own = Box::new(Term::Var(self.data.value_slot));
                let term = Term::Matches(regex, Regex::START, own);
                let clause = self.clause(part.span, format!("/{text}/"), term);
                Some(Refined { clauses: vec![clause], ..Refined::plain(Sort::Str(StrKind::String)) })
            }
        }
    }

    /// A rule, or an alias of strings.
    fn named_part(&mut self, name: &Ident) -> Option<Refined> {
        let declarations = self.data.declarations;
        let grammar = &declarations.grammar;
        let alias = declarations.aliases.sound.get(&name.name);
        let rule = grammar.index(&name.name).filter(|index| *index < grammar.n_written || alias.is_none());
        if let Some(index) = rule {
            return self.rule_instance(index).map(|id| Refined::plain(Sort::Data(id)));
        }
        if let Some(alias) = alias.or_else(|| library::named(&name.name)) {
            let is_plain = alias.head.generics.is_empty() && alias.head.params.is_empty();
            let env = Env { used_at: Some(name.span), ..Env::default() };
            let expected = Expected { core: None, position: Position::Field };
            let refined = if is_plain {
                self.layer(&alias.body, &Rc::new(env), expected)?
            } else {
                Refined::plain(Sort::Bool)
            };
            if let (Sort::Str(_), true) = (&refined.sort, refined.pointers.is_empty()) {
                return Some(Refined { sort: Sort::Str(StrKind::String), ..refined });
            }
            let message = format!("`{}` is no alias of strings", name.name);
            let help = "a rule consists of quoted texts, `/regex/`, rules, and aliases such as `\"{s: String | ..}\"`";
            return self.fail(Diagnostic::error(name.span, message).help(help));
        }
        if declarations.is_broken(&name.name) {
            return None;
        }
        let rules = declarations.grammar.rules.iter().map(|rule| rule.name.name.as_str());
        let broken = declarations.grammar.broken.iter().map(String::as_str);
        let known = rules.chain(broken).chain(declarations.aliases.sound.keys().map(String::as_str));
        let known = known.chain(library::names());
        let mistake = Diagnostic::error(name.span, format!("no rule `{}`", name.name));
        self.fail(match did_you_mean(&name.name, known) {
            Some(guess) => mistake.help(format!("did you mean `{guess}`?")),
            None => mistake.help("write texts in double quotes, regular expressions between slashes"),
        })
    }
}
