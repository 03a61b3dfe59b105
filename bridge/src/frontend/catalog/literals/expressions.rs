//! Constant expressions among the tokens of a body, such as `1 << 12`, `LIMIT - 1` and `u32::MAX as u64`.
//!
//! They are found by their tokens alone, as texts. Their values are known once all constants of the crate are.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use target_strategies::logic::ir::IntKind;

use super::super::constant::METHODS;

/// Maximum number of tokens of an expression, those in parentheses included.
const LONGEST: usize = 24;

/// The texts of the constant expressions in one level of brackets. Operands that are no constants end them.
pub(super) fn expressions(tokens: &[TokenTree]) -> Vec<String> {
    let mut found = Vec::new();
    let (mut run, mut is_after_operand): (Vec<&TokenTree>, bool) = (Vec::new(), false);
    for (at, token) in tokens.iter().enumerate() {
        if is_part(&tokens[..at], token, &tokens[at + 1..]) {
            run.push(token);
            continue;
        }
        found.extend(text(&run, is_after_operand));
        run.clear();
        is_after_operand = !matches!(token, TokenTree::Punct(_));
    }
    found.extend(text(&run, is_after_operand));
    found
}

/// Whether a token may belong to a constant expression.
fn is_part(before: &[TokenTree], token: &TokenTree, after: &[TokenTree]) -> bool {
    match token {
        TokenTree::Literal(_) => true,
        TokenTree::Ident(word) => {
            let word = word.to_string();
            let is_constant = word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            let is_method = is_punct(before.last(), ".") && METHODS.contains(&word.as_str());
            let is_path = is_punct(after.first(), ":") && is_punct(after.get(1), ":");
            is_constant || is_method || is_path || word == "as" || IntKind::from_name(&word).is_some()
        }
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => match before.last() {
            Some(TokenTree::Ident(word)) => METHODS.iter().any(|method| word == method),
            _ => true,
        },
        TokenTree::Group(_) => false,
        TokenTree::Punct(punct) => {
            let c = punct.as_char();
            let is_first = punct.spacing() == Spacing::Joint && is_punct(after.first(), &c.to_string());
            let is_twice = is_first || is_joint(before.last(), c);
            let is_arrow = is_punct(after.first(), ">") && !is_punct(after.get(1), ">");
            match c {
                '<' | '>' | ':' => is_twice,
                '&' | '|' | '.' => !is_twice,
                '-' => !is_arrow,
                '+' | '*' | '/' | '%' | '^' => true,
                _ => false,
            }
        }
    }
}

fn is_punct(token: Option<&TokenTree>, text: &str) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if text.starts_with(punct.as_char()))
}

/// Whether a token is this sign, directly before another.
fn is_joint(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign && punct.spacing() == Spacing::Joint)
}

/// The text of an expression without the operators around it; `None` if it is too short to be one, or too long.
fn text(run: &[&TokenTree], is_after_operand: bool) -> Option<String> {
    let is_operator = |token: &&&TokenTree| matches!(token, TokenTree::Punct(_));
    let n_before = run.iter().take_while(is_operator).count();
    let is_negated = n_before == 1 && !is_after_operand && is_punct(run.first().copied(), "-");
    let first = if is_negated { 0 } else { n_before };
    let n_after = run.iter().rev().take_while(is_operator).count();
    let run = run.get(first..run.len() - n_after)?;
    let n_tokens = |token: &&TokenTree| match token {
        TokenTree::Group(group) => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_flat = !inner.iter().any(|token| matches!(token, TokenTree::Group(_)));
            if is_flat { inner.len() + 1 } else { LONGEST + 1 }
        }
        _ => 1,
    };
    let is_fitting = 3 <= run.len() && run.iter().map(n_tokens).sum::<usize>() <= LONGEST;
    is_fitting.then(|| run.iter().map(|token| (*token).clone()).collect::<TokenStream>().to_string())
}
