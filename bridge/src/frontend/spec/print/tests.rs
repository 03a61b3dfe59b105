use proptest::collection::vec;
use proptest::prelude::*;
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::FloatKind;

use crate::frontend::diagnostic::{FileId, Span};
use crate::frontend::manifest::SpannedText;
use crate::frontend::spec::ast::*;
use crate::frontend::spec::{parse, print};

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

fn ident(name: impl Into<String>) -> Ident {
    Ident { name: name.into(), span: NOWHERE }
}

fn at(kind: ExprKind) -> Expr {
    Expr { kind, span: NOWHERE }
}

fn pat_at(kind: PatKind) -> Pat {
    Pat { kind, span: NOWHERE }
}

fn type_at(kind: TypeKind) -> Type {
    Type { kind, span: NOWHERE }
}

fn lower() -> impl Strategy<Value = Ident> {
    prop::sample::select(vec!["x", "self", "_y", "r#type", "é", "len"]).prop_map(ident)
}

fn upper() -> impl Strategy<Value = Vec<Ident>> {
    let names = prop::sample::select(vec!["Some", "tree::Node", "Self", "i64::MAX"]);
    names.prop_map(|path| path.split("::").map(ident).collect())
}

fn number() -> impl Strategy<Value = ExprKind> {
    prop_oneof![
        (0i64.., prop::option::of(Just("u8".to_owned())))
            .prop_map(|(n, suffix)| ExprKind::Int(Int::from(n), suffix)),
        (0.0..1e300f64).prop_map(|x| ExprKind::Float(x, None)),
        (0.0..1e30f32).prop_map(|x| ExprKind::Float(f64::from(x), Some(FloatKind::F32))),
        Just(ExprKind::Float(1e300, Some(FloatKind::F64))),
    ]
}

fn literal() -> impl Strategy<Value = ExprKind> {
    prop_oneof![
        any::<bool>().prop_map(ExprKind::Bool),
        number(),
        any::<char>().prop_map(ExprKind::Char),
        any::<u8>().prop_map(|byte| ExprKind::Byte(byte & 127)),
        any::<String>().prop_map(|text| ExprKind::Str(text, Offsets::default())),
        any::<Vec<u8>>().prop_map(ExprKind::ByteStr),
    ]
}

fn range_end() -> impl Strategy<Value = Box<Expr>> {
    prop_oneof![
        literal(),
        number().prop_map(|number| ExprKind::Unary(UnaryOp::Neg, Box::new(at(number)))),
        Just(ExprKind::Path(vec![ident("u8"), ident("MAX")])),
    ]
    .prop_map(|kind| Box::new(at(kind)))
}

fn slice_rest() -> impl Strategy<Value = SliceRest> {
    prop_oneof![Just(SliceRest::Absent), Just(SliceRest::Unnamed), lower().prop_map(SliceRest::Named)]
}

fn pats() -> impl Strategy<Value = Pat> {
    let leaf = prop_oneof![
        Just(PatKind::Wild),
        lower().prop_map(|name| PatKind::Bind(name, None)),
        upper().prop_map(PatKind::Path),
        literal().prop_map(|literal| PatKind::Lit(Box::new(at(literal)))),
        (prop::option::of(range_end()), range_end(), any::<bool>())
            .prop_map(|(lo, hi, inclusive)| PatKind::Range { lo, hi: Some(hi), inclusive }),
        range_end().prop_map(|lo| PatKind::Range { lo: Some(lo), hi: None, inclusive: false }),
    ];
    leaf.prop_map(pat_at).prop_recursive(3, 12, 3, |pat| {
        let many = || vec(pat.clone(), 0..3);
        let rest = prop::option::of(0usize..3);
        let fields = vec((lower(), pat.clone()), 0..3);
        prop_oneof![
            (lower(), pat.clone()).prop_map(|(name, pat)| PatKind::Bind(name, Some(Box::new(pat)))),
            (upper(), many(), rest.clone()).prop_map(|(path, pats, rest)| {
                let rest = rest.map(|index| index.min(pats.len()));
                PatKind::TupleStruct(path, pats, rest)
            }),
            (many(), rest).prop_map(|(pats, rest)| {
                let rest = rest.map(|index| index.min(pats.len()));
                PatKind::Tuple(pats, rest)
            }),
            (fields, any::<bool>()).prop_map(|(fields, rest)| PatKind::Struct(
                vec![ident("P")],
                fields,
                rest
            )),
            (many(), slice_rest(), many()).prop_map(|(before, rest, after)| {
                let after = if rest == SliceRest::Absent { Vec::new() } else { after };
                PatKind::Slice { before, rest, after }
            }),
            vec(pat.clone(), 2..4).prop_map(PatKind::Or),
        ]
        .prop_map(pat_at)
    })
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    prop::sample::select(vec![
        Implies, Or, And, Eq, Ne, Lt, Le, Gt, Ge, BitOr, BitXor, BitAnd, Shl, Shr, Add, Sub, Mul, Div, Rem,
    ])
}

fn exprs() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        literal(),
        lower().prop_map(|name| ExprKind::Path(vec![name])),
        upper().prop_map(ExprKind::Path),
    ];
    leaf.prop_map(at).prop_recursive(5, 32, 3, |expr| {
        prop_oneof![operators(expr.clone()), brackets(expr.clone()), branches(expr)].prop_map(at)
    })
}

type AnyExpr = BoxedStrategy<Expr>;

fn boxed(expr: &AnyExpr) -> impl Strategy<Value = Box<Expr>> + use<> {
    expr.clone().prop_map(Box::new)
}

fn operators(expr: AnyExpr) -> impl Strategy<Value = ExprKind> {
    let one = || boxed(&expr);
    let maybe = || prop::option::of(boxed(&expr));
    let unary = prop::sample::select(vec![UnaryOp::Not, UnaryOp::Neg, UnaryOp::Deref, UnaryOp::Ref]);
    let u8_type = TypeKind::Path { path: vec![ident("u8")], generics: vec![], args: vec![] };
    prop_oneof![
        4 => (binary_op(), one(), one()).prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
        1 => (unary, one()).prop_map(|(op, a)| ExprKind::Unary(op, a)),
        1 => one().prop_map(move |a| ExprKind::Cast(a, type_at(u8_type.clone()))),
        1 => (maybe(), maybe()).prop_map(|(lo, hi)| ExprKind::Range { lo, hi, inclusive: false }),
        1 => (maybe(), one()).prop_map(|(lo, hi)| ExprKind::Range { lo, hi: Some(hi), inclusive: true }),
    ]
}

fn brackets(expr: AnyExpr) -> impl Strategy<Value = ExprKind> {
    let one = || boxed(&expr);
    let many = || vec(expr.clone(), 0..3);
    prop_oneof![
        (one(), prop::sample::select(vec!["x", "0", "17"]))
            .prop_map(|(a, name)| ExprKind::Field(a, ident(name))),
        (one(), one()).prop_map(|(a, i)| ExprKind::Index(a, i)),
        (one(), many()).prop_map(|(f, args)| ExprKind::Call(f, args)),
        (one(), lower(), many()).prop_map(|(a, name, args)| ExprKind::MethodCall(a, name, args)),
        many().prop_map(ExprKind::Tuple),
        many().prop_map(ExprKind::Array),
        many().prop_map(ExprKind::Vec),
        many().prop_map(ExprKind::Set),
        (one(), one()).prop_map(|(a, n)| ExprKind::Repeat(a, n)),
        (one(), one()).prop_map(|(a, n)| ExprKind::VecRepeat(a, n)),
        vec((lower(), expr.clone()), 0..3).prop_map(|fields| ExprKind::Struct(vec![ident("P")], fields)),
    ]
}

fn branches(expr: AnyExpr) -> impl Strategy<Value = ExprKind> {
    let one = || boxed(&expr);
    let maybe = || prop::option::of(boxed(&expr));
    let pat = || pats().prop_map(Box::new);
    let arm = (pats(), prop::option::of(expr.clone()), expr.clone());
    let stmt = (pats(), expr.clone()).prop_map(|(pat, value)| LetStmt { pat, value });
    prop_oneof![
        (one(), one(), maybe()).prop_map(|(c, a, b)| ExprKind::If(c, a, b)),
        (pat(), one(), one(), maybe()).prop_map(|(p, e, a, b)| ExprKind::IfLet(p, e, a, b)),
        (one(), vec(arm.prop_map(|(pat, guard, body)| Arm { pat, guard, body }), 0..3))
            .prop_map(|(value, arms)| ExprKind::Match(value, arms)),
        (vec(stmt, 1..3), one()).prop_map(|(lets, value)| ExprKind::Block(lets, value)),
        (vec(pats(), 0..3), one()).prop_map(|(params, body)| ExprKind::Closure(params, body)),
        (one(), pat(), maybe()).prop_map(|(value, pat, guard)| ExprKind::Matches(value, pat, guard)),
    ]
}

fn conditions() -> impl Strategy<Value = Condition> {
    let text = prop::sample::select(vec!["f(&x)", "{ true }", "x.requires[1] < 2"]);
    let opaque = text.prop_map(|text| RustText { text: text.to_owned(), span: NOWHERE });
    let expr = exprs().prop_map(Box::new);
    prop_oneof![
        (expr, prop::option::weighted(0.2, opaque.clone()))
            .prop_map(|(expr, opaque)| Condition { expr: Some(expr), opaque }),
        opaque.prop_map(|opaque| Condition { expr: None, opaque: Some(opaque) }),
    ]
}

fn types() -> impl Strategy<Value = Type> {
    let leaf = upper().prop_map(|path| TypeKind::Path { path, generics: vec![], args: vec![] });
    leaf.prop_map(type_at).prop_recursive(3, 12, 3, |ty| {
        let one = || ty.clone().prop_map(Box::new);
        let many = || vec(ty.clone(), 0..3);
        prop_oneof![
            (upper(), many(), vec(exprs(), 0..2)).prop_map(|(path, generics, args)| TypeKind::Path {
                path,
                generics,
                args
            }),
            (any::<bool>(), one()).prop_map(|(mutable, inner)| TypeKind::Ref { mutable, inner }),
            many().prop_map(TypeKind::Tuple),
            (one(), exprs()).prop_map(|(element, length)| TypeKind::Array(element, Box::new(length))),
            one().prop_map(TypeKind::Slice),
            (lower(), one(), conditions()).prop_map(|(binder, base, condition)| TypeKind::Refined {
                binder,
                base,
                condition
            }),
            signatures(ty.clone()).prop_map(|signature| TypeKind::Function(
                target_strategies::logic::ir::CallbackKind::Pure,
                Box::new(signature)
            )),
        ]
        .prop_map(type_at)
    })
}

fn signatures(ty: BoxedStrategy<Type>) -> impl Strategy<Value = Signature> {
    let param = (lower(), ty.clone()).prop_map(|(name, ty)| Param { name, ty });
    let clauses = || vec(conditions(), 0..2);
    let panics = prop::option::weighted(0.2, conditions());
    (vec(param, 0..3), prop::option::of(ty), clauses(), clauses(), panics).prop_map(
        |(params, result, requires, ensures, panics_if)| Signature {
            params,
            result,
            requires,
            ensures,
            panics_if,
            span: NOWHERE,
        },
    )
}

/// A tree as text without its spans.
fn without_spans(tree: &impl std::fmt::Debug) -> String {
    let shown = format!("{tree:?}");
    let mut parts = shown.split("Span { file: FileId(0), start: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once('}').map_or("", |(_, rest)| rest))
}

fn spanned(text: &str) -> SpannedText {
    SpannedText::verbatim(text, FileId(0), 0)
}

#[test]
fn an_ignored_parameter_keeps_its_name_but_in_a_function_type() {
    for text in ["fn(_: i64, b: i64) requires 0 < b", "fn(_: fn(i64) -> bool)"] {
        let parsed = parse::signature(&spanned(text)).expect("the spec has no mistake");
        assert_eq!(print::signature(&parsed), text);
    }
}

proptest! {
    #[test]
    fn expressions_survive_printing(expr in exprs()) {
        let text = print::expr(&expr);
        let again = parse::expr(&spanned(&text)).map_err(|diagnostics| TestCaseError::fail(format!("{text}\n{diagnostics:?}")))?;
        prop_assert_eq!(without_spans(&again), without_spans(&expr), "{}", text);
    }

    #[test]
    fn signatures_survive_printing(signature in signatures(types().boxed())) {
        let text = print::signature(&signature);
        let again = parse::signature(&spanned(&text)).map_err(|diagnostics| TestCaseError::fail(format!("{text}\n{diagnostics:?}")))?;
        prop_assert_eq!(without_spans(&again), without_spans(&signature), "{}", text);
    }

    #[test]
    fn heads_survive_printing(name in lower(), generics in vec(lower(), 0..3), params in vec((lower(), types()), 0..3)) {
        let params = params.into_iter().map(|(name, ty)| Param { name, ty }).collect();
        let head = DeclarationHead { name, generics, params };
        let text = print::declaration_head(&head);
        let again = parse::declaration_head(&spanned(&text)).map_err(|diagnostics| TestCaseError::fail(format!("{text}\n{diagnostics:?}")))?;
        prop_assert_eq!(without_spans(&again), without_spans(&head), "{}", text);
    }
}
