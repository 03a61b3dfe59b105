//! Operators, from `==>`, which binds loosest, to method calls, which bind tightest.

use super::atom::{COLLECTIONS, collected_as};
use super::cursor::{Cursor, Parse};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::spec::ast::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};
use crate::frontend::spec::lex::TokenKind;
use crate::frontend::spec::print;

/// The binding power of `||`, the loosest operator parsed by precedence climbing.
const OR: u8 = 1;
/// The binding power of `&&`.
const AND: u8 = 2;
/// The binding power of `==` and other comparisons, which don't chain.
const COMPARISON: u8 = 3;

/// The operator of a sign, and its binding power.
fn binary_op(sign: &str) -> Option<(BinaryOp, u8)> {
    Some(match sign {
        "||" => (BinaryOp::Or, OR),
        "&&" => (BinaryOp::And, AND),
        "==" => (BinaryOp::Eq, COMPARISON),
        "!=" => (BinaryOp::Ne, COMPARISON),
        "<" => (BinaryOp::Lt, COMPARISON),
        "<=" => (BinaryOp::Le, COMPARISON),
        ">" => (BinaryOp::Gt, COMPARISON),
        ">=" => (BinaryOp::Ge, COMPARISON),
        "|" => (BinaryOp::BitOr, 4),
        "^" => (BinaryOp::BitXor, 5),
        "&" => (BinaryOp::BitAnd, 6),
        "<<" => (BinaryOp::Shl, 7),
        ">>" => (BinaryOp::Shr, 7),
        "+" => (BinaryOp::Add, 8),
        "-" => (BinaryOp::Sub, 8),
        "*" => (BinaryOp::Mul, 9),
        "/" => (BinaryOp::Div, 9),
        "%" => (BinaryOp::Rem, 9),
        _ => return None,
    })
}

impl Cursor<'_> {
    /// An expression inside brackets or at the top, where `Name {` starts a struct.
    pub fn expr(&mut self) -> Parse<Expr> {
        self.expr_where(true)
    }

    /// The condition of an `if` or the scrutinee of a `match`: after it, `{` starts the body.
    pub fn scrutinee(&mut self) -> Parse<Expr> {
        self.expr_where(false)
    }

    /// The value of an `if let`: no `&&` or `||` outside brackets.
    pub fn let_scrutinee(&mut self) -> Parse<Expr> {
        let outer = std::mem::replace(&mut self.structs, false);
        let expr = self.nested(|cursor| cursor.binary(COMPARISON));
        self.structs = outer;
        let expr = expr?;
        if self.at("&&") || self.at("||") {
            let help = "an `if let` can't be joined with other conditions here; nest it, or use `matches!`";
            return Err(self.unexpected("`{`").help(help));
        }
        Ok(expr)
    }

    fn expr_where(&mut self, structs: bool) -> Parse<Expr> {
        let outer = std::mem::replace(&mut self.structs, structs);
        let expr = self.tail();
        self.structs = outer;
        expr
    }

    /// An expression with the same restrictions as the surrounding expression.
    pub fn tail(&mut self) -> Parse<Expr> {
        self.nested(Cursor::implication)
    }

    fn implication(&mut self) -> Parse<Expr> {
        let start = self.start();
        let premise = self.range()?;
        if !self.eat("==>") {
            return Ok(premise);
        }
        let conclusion = self.tail()?;
        let kind = ExprKind::Binary(BinaryOp::Implies, Box::new(premise), Box::new(conclusion));
        Ok(Expr { kind, span: self.since(start) })
    }

    fn range(&mut self) -> Parse<Expr> {
        let start = self.start();
        let lo = if self.at("..") || self.at("..=") { None } else { Some(Box::new(self.binary(OR)?)) };
        let inclusive = self.at("..=");
        if !inclusive && !self.at("..") {
            return match lo {
                Some(expr) => Ok(*expr),
                None => Err(self.unexpected("an expression")),
            };
        }
        self.bump();
        let hi = if inclusive || self.starts_expr() { Some(Box::new(self.binary(OR)?)) } else { None };
        self.grow()?;
        Ok(Expr { kind: ExprKind::Range { lo, hi, inclusive }, span: self.since(start) })
    }

    /// Whether an operand may start with the next token.
    fn starts_expr(&self) -> bool {
        match self.peek() {
            TokenKind::Punct("{") => self.structs,
            TokenKind::Punct(sign) => ["(", "[", "-", "!", "*", "**", "&", "&&", "|", "||"].contains(sign),
            TokenKind::Ident(word) => {
                !["where", "requires", "ensures", "as", "else", "if"].contains(&word.as_str())
                    && !self.at_panics_if()
            }
            TokenKind::End => false,
            _ => true,
        }
    }

    /// Operands joined by operators of at least the given binding power.
    ///
    /// Operators without a complete right operand wait on a separate stack, as in Dijkstra's shunting-yard algorithm.
    /// So a level of brackets costs one frame of the thread's stack, not one per binding power.
    fn binary(&mut self, least: u8) -> Parse<Expr> {
        let outer = self.take_height();
        let mut operands = vec![self.operand()?];
        let mut waiting: Vec<(BinaryOp, u8)> = Vec::new();
        while let TokenKind::Punct(sign) = *self.peek() {
            let Some((op, power)) = binary_op(sign).filter(|(_, power)| *power >= least) else { break };
            while let Some((before, _)) = waiting.pop_if(|(_, before)| *before >= power) {
                self.join(&mut operands, before)?;
                if power == COMPARISON && is_comparison(before) {
                    return Err(self.chained(operands.last(), sign));
                }
            }
            self.bump();
            waiting.push((op, power));
            operands.push(self.operand()?);
        }
        while let Some((op, _)) = waiting.pop() {
            self.join(&mut operands, op)?;
        }
        let Some(Operand { expr, height, .. }) = operands.pop() else {
            return Err(self.unexpected("an expression"));
        };
        self.raise_height(outer.max(height));
        Ok(expr)
    }

    fn operand(&mut self) -> Parse<Operand> {
        let start = self.start();
        let expr = self.cast()?;
        Ok(Operand { expr, start, end: self.end(), height: self.take_height() })
    }

    /// Joins the last two operands into one.
    fn join(&mut self, operands: &mut Vec<Operand>, op: BinaryOp) -> Parse<()> {
        if let (Some(right), Some(left)) = (operands.pop(), operands.pop()) {
            self.raise_height(left.height.max(right.height));
            self.grow()?;
            let span = self.text.span(left.start, right.end);
            let kind = ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr));
            let height = self.take_height();
            operands.push(Operand { expr: Expr { kind, span }, start: left.start, end: right.end, height });
        }
        Ok(())
    }

    fn cast(&mut self) -> Parse<Expr> {
        let start = self.start();
        let mut expr = self.unary()?;
        while self.eat_word("as") {
            let ty = self.cast_type()?;
            self.grow()?;
            expr = Expr { kind: ExprKind::Cast(Box::new(expr), ty), span: self.since(start) };
        }
        Ok(expr)
    }

    fn unary(&mut self) -> Parse<Expr> {
        // Not recursive: `!!!!..` must be rejected as too high before the recursion gets deep.
        let mut ops = Vec::new();
        loop {
            let start = self.start();
            let mut op = match self.peek() {
                TokenKind::Punct("!") => UnaryOp::Not,
                TokenKind::Punct("-") => UnaryOp::Neg,
                TokenKind::Punct("*" | "**") => UnaryOp::Deref,
                TokenKind::Punct("&" | "&&") => UnaryOp::Ref,
                _ => break,
            };
            let _ = self.eat_part("!") || self.eat_part("-") || self.eat_part("*") || self.eat_part("&");
            if op == UnaryOp::Ref && self.eat_word("mut") {
                op = UnaryOp::RefMut;
            }
            ops.push((op, start));
        }
        let mut expr = self.postfix()?;
        for (op, start) in ops.into_iter().rev() {
            self.grow()?;
            expr = Expr { kind: ExprKind::Unary(op, Box::new(expr)), span: self.since(start) };
        }
        Ok(expr)
    }

    fn postfix(&mut self) -> Parse<Expr> {
        let start = self.start();
        let atom = self.atom()?;
        self.postfix_of(atom, start)
    }

    /// The suffixes of an operand: fields, calls, indices.
    pub fn postfix_of(&mut self, atom: Expr, start: usize) -> Parse<Expr> {
        let mut expr = atom;
        loop {
            let open = self.start();
            let kind = if self.eat(".") {
                self.behind_dot(expr)?
            } else if self.eat("(") {
                ExprKind::Call(Box::new(expr), self.list(")", open, Cursor::expr)?.0)
            } else if self.eat("[") {
                let index = self.expr()?;
                self.expect_close("]", open, "an operator or `]`")?;
                ExprKind::Index(Box::new(expr), Box::new(index))
            } else {
                return Ok(expr);
            };
            self.grow()?;
            expr = Expr { kind, span: self.since(start) };
        }
    }

    fn behind_dot(&mut self, of: Expr) -> Parse<ExprKind> {
        if let TokenKind::Int(..) = self.peek() {
            let name = self.text.text[self.start()..].chars().take_while(char::is_ascii_digit).collect();
            let field = Ident { name, span: self.here() };
            self.bump();
            return Ok(ExprKind::Field(Box::new(of), field));
        }
        let mut name = self.ident("the name of a field or a method")?;
        let mut into = None;
        if self.at("::") {
            self.bump();
            into = self.collection_named(1);
            if let ("parse", TokenKind::Ident(ty)) = (name.name.as_str(), self.peek_at(1)) {
                name.name = format!("parse::<{ty}>");
            }
            self.skip_generics()?;
            if !self.at("(") {
                return Err(self.unexpected("`(`"));
            }
        }
        let open = self.start();
        if self.eat("(") {
            let args = self.list(")", open, Cursor::expr)?.0;
            let call = ExprKind::MethodCall(Box::new(of), name, args);
            return Ok(match into {
                Some(ty) => collected_as(&ty, call),
                None => call,
            });
        }
        Ok(ExprKind::Field(Box::new(of), name))
    }

    /// The set or map that a type names, `from` tokens ahead: collecting into it doesn't make a list.
    pub fn collection_named(&self, from: usize) -> Option<String> {
        let mut last = None;
        for at in from..from + 8 {
            match self.peek_at(at) {
                TokenKind::Ident(word) => last = Some(word),
                TokenKind::Punct("::") => {}
                _ => break,
            }
        }
        last.filter(|word| COLLECTIONS.contains(&word.as_str())).cloned()
    }

    /// Skips `<..>` after `::`, which has no effect in the logic.
    pub fn skip_generics(&mut self) -> Parse<()> {
        let open = self.start();
        self.expect("<", "`<` or a name")?;
        let mut depth = 1usize;
        while depth > 0 {
            if self.eat_part(">") {
                depth -= 1;
            } else if self.eat_part("<") {
                depth += 1;
            } else {
                match self.peek() {
                    TokenKind::End => return Err(self.unclosed(">", open)),
                    TokenKind::Punct("{" | "}" | ";") => return Err(self.unexpected("`>`")),
                    _ => self.bump(),
                }
            }
        }
        Ok(())
    }

    /// The diagnostic for `a < b < c`, with the likely meaning.
    fn chained(&mut self, left: Option<&Operand>, sign: &str) -> Diagnostic {
        let diagnostic =
            Diagnostic::error(self.here(), "comparisons can't be chained").label("a second comparison");
        let Some(left) = left.map(|left| &left.expr) else { return diagnostic };
        let ExprKind::Binary(_, _, middle) = &left.kind else { return diagnostic };
        self.bump();
        let left = print::expr(left);
        let right = self.binary(COMPARISON + 1).map_or_else(|_| "..".to_owned(), |right| print::expr(&right));
        let help = format!("write `{left} && {} {sign} {right}`", print::expr(middle));
        let short = help.chars().count() <= 100;
        diagnostic.help(if short { help } else { "join two comparisons with `&&`".to_owned() })
    }
}

/// An operand in a sequence of operators.
struct Operand {
    expr: Expr,
    /// Its start and end, in bytes of the text.
    start: usize,
    end: usize,
    height: u32,
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}
