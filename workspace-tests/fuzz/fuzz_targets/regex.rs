//! Regular expressions to automata, within their limits, compared with those of another library: both accept the same
//! texts. The first line is the expression, the others are the texts.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{self, Compiler};
use regex_automata::util::syntax;
use regex_syntax::hir::{Hir, Look};
use target_bridge::frontend::regex::automaton;
use target_strategies::logic::ir::Regex;

fuzz_target!(|text: &str| {
    let (expression, texts) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(regex) = automaton(expression) else { return };
    assert_eq!(regex.table.len(), regex.accepting.len() * usize::from(regex.n_classes));
    assert!(regex.table.iter().all(|state| *state < regex.n_states()));
    let Some(reference) = reference(expression) else { return };
    let mut cache = reference.create_cache();
    for text in texts.split('\n') {
        assert_eq!(regex.accepts(Regex::START, text), reference.is_match(&mut cache, text), "{text:?}");
    }
});

/// The same language by another library, which may have smaller limits.
fn reference(expression: &str) -> Option<PikeVM> {
    let hir = syntax::parse(expression).ok()?;
    let whole = Hir::concat(vec![Hir::look(Look::Start), hir, Hir::look(Look::End)]);
    let limit = thompson::Config::new().nfa_size_limit(Some(1 << 18));
    let nfa = Compiler::new().configure(limit).build_from_hir(&whole).ok()?;
    PikeVM::builder().build_from_nfa(nfa).ok()
}
