//! A position in a list of tokens, the expected next tokens, and the messages for unexpected tokens.
//!
//! It counts two things, so that no text can exhaust a stack, here or in a later stage that walks the tree: the depth
//! of the parser's recursion, and the height of the tree, to which each link of a chain such as `a + b + c` adds a
//! level.

use crate::frontend::diagnostic::{Diagnostic, Span, did_you_mean};
use crate::frontend::manifest::SpannedText;
use crate::frontend::spec::ast::Ident;
use crate::frontend::spec::lex::{Token, TokenKind, lex};

/// What a parsing function returns.
pub(super) type Parse<T> = Result<T, Diagnostic>;

/// Maximum recursion depth of the parser.
const MOST_LEVELS: u32 = 128;

/// Maximum height of a tree.
const MOST_HEIGHT: u32 = 256;

/// Rust's keywords, except those that may start or continue a path.
const KEYWORDS: [&str; 33] = [
    "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "false", "fn",
    "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "static", "struct", "trait", "true", "type", "unsafe", "use", "while",
];

/// A position in the tokens of a text.
pub(super) struct Cursor<'t> {
    /// The text.
    pub text: &'t SpannedText,
    tokens: Vec<Token>,
    next: usize,
    end: usize,
    levels: u32,
    height: u32,
    /// Whether `Name {` starts a struct; it doesn't in the condition of an `if` or the scrutinee of a `match`.
    pub structs: bool,
}

impl<'t> Cursor<'t> {
    /// The start of a text.
    pub fn new(text: &'t SpannedText) -> Parse<Cursor<'t>> {
        Ok(Cursor { text, tokens: lex(text)?, next: 0, end: 0, levels: 0, height: 0, structs: true })
    }

    fn token(&self, ahead: usize) -> &Token {
        &self.tokens[(self.next + ahead).min(self.tokens.len() - 1)]
    }

    /// The next token.
    pub fn peek(&self) -> &TokenKind {
        &self.token(0).kind
    }

    /// The token `ahead` positions after the next.
    pub fn peek_at(&self, ahead: usize) -> &TokenKind {
        &self.token(ahead).kind
    }

    /// The token before the next.
    pub fn previous(&self) -> Option<&TokenKind> {
        self.next.checked_sub(1).map(|last| &self.tokens[last].kind)
    }

    /// Advances to the next token.
    pub fn bump(&mut self) {
        self.end = self.token(0).end;
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    /// Where the next token starts, in bytes of the text.
    pub fn start(&self) -> usize {
        self.token(0).start
    }

    /// Where the last token ended, in bytes of the text.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The span of the next token.
    pub fn here(&self) -> Span {
        self.text.span(self.token(0).start, self.token(0).end)
    }

    /// The span from a byte of the text to the end of the last token.
    pub fn since(&self, start: usize) -> Span {
        self.text.span(start, self.end().max(start))
    }

    /// Whether the next token is a sign.
    pub fn at(&self, sign: &str) -> bool {
        matches!(self.peek(), TokenKind::Punct(next) if *next == sign)
    }

    /// Whether the next token is a word.
    pub fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Ident(next) if next == word)
    }

    /// Whether the next word starts a clause, and is not the name of a field or a function.
    pub fn at_clause(&self) -> bool {
        let clause = self.at_word("requires") || self.at_word("ensures") || self.at_panics_if();
        clause && !matches!(self.previous(), Some(TokenKind::Punct("." | "::")))
    }

    /// Whether the next words are `panics if`.
    pub fn at_panics_if(&self) -> bool {
        self.at_word("panics") && matches!(self.peek_at(1), TokenKind::Ident(word) if word == "if")
    }

    /// Takes a sign, if it is next.
    pub fn eat(&mut self, sign: &str) -> bool {
        let found = self.at(sign);
        if found {
            self.bump();
        }
        found
    }

    /// Takes a word, if it is next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Takes a sign of one character, if it is next or starts the next: the first half of `>>`.
    pub fn eat_part(&mut self, part: &str) -> bool {
        let token = &mut self.tokens[self.next];
        let TokenKind::Punct(sign) = token.kind else { return false };
        if sign.len() > 1 && sign.starts_with(part) {
            token.kind = TokenKind::Punct(&sign[1..]);
            token.start += 1;
            self.end = token.start;
            return true;
        }
        self.eat(part)
    }

    /// Takes a sign, or reports that `expected` was expected.
    pub fn expect(&mut self, sign: &str, expected: &str) -> Parse<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Takes the bracket that closes the one at `open`.
    pub fn expect_close(&mut self, close: &str, open: usize, expected: &str) -> Parse<()> {
        if self.eat(close) {
            return Ok(());
        }
        Err(if *self.peek() == TokenKind::End {
            self.unclosed(close, open)
        } else {
            self.unexpected(expected)
        })
    }

    /// The diagnostic for a bracket at `open` that is never closed.
    pub fn unclosed(&self, close: &str, open: usize) -> Diagnostic {
        let bracket = self.text.text.get(open..open + 1).unwrap_or_default();
        Diagnostic::error(self.text.span(open, open + 1), format!("this `{bracket}` is never closed"))
            .label(format!("expected a `{close}` for it"))
    }

    /// Takes a name, or reports that `expected` was expected.
    pub fn ident(&mut self, expected: &str) -> Parse<Ident> {
        let TokenKind::Ident(word) = self.peek() else { return Err(self.unexpected(expected)) };
        if KEYWORDS.contains(&word.as_str()) || word == "where" {
            return Err(self.unexpected(expected).help(format!("`{word}` is a keyword")));
        }
        let ident = Ident { name: word.clone(), span: self.here() };
        self.bump();
        Ok(ident)
    }

    /// Parses something one level deeper.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Cursor<'t>) -> Parse<T>) -> Parse<T> {
        if self.levels == MOST_LEVELS {
            let help = format!("at most {MOST_LEVELS} levels are allowed; give a part of it a name");
            return Err(Diagnostic::error(self.here(), "this is nested too deeply").help(help));
        }
        self.levels += 1;
        let outer = self.take_height();
        let parsed = parse(self)?;
        self.levels -= 1;
        self.grow()?;
        self.raise_height(outer);
        Ok(parsed)
    }

    /// Records that the tree has a new root.
    pub fn grow(&mut self) -> Parse<()> {
        self.height += 1;
        if self.height > MOST_HEIGHT {
            let help =
                format!("at most {MOST_HEIGHT} operators in a row are allowed; split it with brackets");
            return Err(Diagnostic::error(self.here(), "this is nested too deeply").help(help));
        }
        Ok(())
    }

    /// Starts to measure another tree; returns the height of the tree parsed so far.
    pub fn take_height(&mut self) -> u32 {
        std::mem::take(&mut self.height)
    }

    /// Records that the parsed tree is at least this high.
    pub fn raise_height(&mut self, height: u32) {
        self.height = self.height.max(height);
    }

    /// Takes a list up to a closing bracket, and the bracket; returns whether a comma follows the last element.
    pub fn list<T>(
        &mut self,
        close: &str,
        open: usize,
        mut element: impl FnMut(&mut Cursor<'t>) -> Parse<T>,
    ) -> Parse<(Vec<T>, bool)> {
        let mut elements = Vec::new();
        loop {
            if self.eat(close) {
                let comma = !elements.is_empty();
                return Ok((elements, comma));
            }
            elements.push(element(self)?);
            if !self.eat(",") {
                self.expect_close(close, open, &format!("`,` or `{close}`"))?;
                return Ok((elements, false));
            }
        }
    }

    /// The diagnostic for an unexpected next token.
    pub fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = match self.peek() {
            TokenKind::End => "the end".to_owned(),
            _ => {
                let token: String =
                    self.text.text[self.token(0).start..self.token(0).end].chars().take(40).collect();
                format!("`{}`", token.replace(char::is_control, " "))
            }
        };
        let diagnostic = Diagnostic::error(self.here(), format!("expected {expected}, found {found}"));
        match self.hint(expected) {
            Some(hint) => diagnostic.help(hint),
            None => diagnostic,
        }
    }

    /// The same, with a suggestion if the next word is similar to an expected word.
    pub fn unexpected_word(&self, expected: &str, words: &[&str]) -> Diagnostic {
        let diagnostic = self.unexpected(expected);
        let TokenKind::Ident(word) = self.peek() else { return diagnostic };
        match did_you_mean(word, words.iter().copied()) {
            Some(guess) => diagnostic.help(format!("did you mean `{guess}`?")),
            None => diagnostic,
        }
    }

    /// Whether the next token is the last.
    fn at_last(&self) -> bool {
        *self.peek_at(1) == TokenKind::End
    }

    /// The likely meaning of the next token, which can't be there.
    fn hint(&self, expected: &str) -> Option<String> {
        let operator = expected.contains("operator");
        let after_not = matches!(self.previous(), Some(TokenKind::Ident(word)) if word == "not");
        let hint = match self.peek() {
            _ if after_not => "negation is written `!`",
            TokenKind::Ident(word) => match word.as_str() {
                "and" | "AND" => "conjunction is written `&&`",
                "or" | "OR" => "disjunction is written `||`",
                "not" | "NOT" => "negation is written `!`",
                "implies" => "implication is written `==>`",
                "iff" => "equivalence is written `==`",
                "mod" => "the remainder is written `%`",
                "in" => "write `xs.contains(&x)`, or `lo <= x && x < hi`",
                "matches" => "`matches` is a method: `s.matches(\"[a-z]+\")`",
                "is" => "equality is written `==`; variants are tested with `matches!(x, Some(_))`",
                _ => return None,
            },
            TokenKind::Punct(sign) => match *sign {
                "=" | "===" | ":=" if operator => "equality is written `==`",
                "!==" => "inequality is written `!=`",
                "=>" | "->" if operator => "implication is written `==>`",
                "->" if expected.contains("`)`") => "is a `)` missing before?",
                "<=>" => "equivalence is written `==`",
                "**" => "powers are written `x.pow(n)`",
                "/\\" => "conjunction is written `&&`",
                "~" => "negation is written `!`",
                "?" => "a refinement can't return early; any Rust expression may follow `where`",
                ";" if self.at_last() => "a spec has no `;` at its end",
                ";" if expected.contains("`}`") => "only `let` may come before the value of a block",
                "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => {
                    "a refinement changes nothing; write the new value"
                }
                ")" | "]" | "}" if expected.ends_with("`") || expected.ends_with("end") => {
                    "is there a bracket too many, or one missing before?"
                }
                _ => return None,
            },
            TokenKind::Lifetime => "lifetimes are left out in a spec",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}
