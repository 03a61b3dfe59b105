//! Tables of another member, which the specs of a crate use.

use std::path::Path;
use std::sync::Arc;

use expect_test::{Expect, expect};

use crate::frontend::catalog::{Catalog, Cfg, MemberCatalog, scan_text};
use crate::frontend::diagnostic::Sources;
use crate::frontend::manifest::{Manifest, MemberTables, PartialSettings, read};
use crate::frontend::resolve::{describe, resolve};

const TILL: &str =
    "pub mod line { pub struct Line { pub price: u32, pub kind: Kind } pub enum Kind { Coin(u8), Paper } }
    pub use line::Line; pub const MOST: u32 = 7; pub enum List<T> { End, More(T, Box<List<T>>) }
    pub mod date { pub struct Date { y: i16 } impl Date { pub fn new(y: i16) -> Date { Date { y } } } }
    pub fn year(d: &date::Date) -> i16 { 0 }";

const TABLES: &str = r#"
[types]
Small = "{n: u32 | n <= MOST}"
"Below<T>(n: int)" = "{v: Vec<T> | v.len() < n}"
[data]
Line = "struct Line { price: Small, kind: {k: Kind | match k { Kind::Coin(c) => 0 < c, Kind::Paper => price < crate::MOST }} }"
"Sorted<T>" = "enum List<T> { End, More(x: T, rest: Sorted<{v: T | x <= v}>) }"
Date = "via date::Date::new(y: i16 = year(&self))"
Broken = "struct Nothing { x: u8 }"
[measures]
"length<T>(l: List<T>) -> int" = "match l { List::End => 0, List::More(_, rest) => 1 + length(rest) }"
"#;

fn manifest(sources: &mut Sources, file: &str, tables: &str) -> Manifest {
    let toml = tables.replace("\n[", "\n[package.metadata.target.");
    let (manifest, mistakes) = read(sources, Path::new(file), &|_| Ok(toml.clone()));
    assert_eq!(mistakes.len(), 0);
    manifest
}

fn scanned(text: &str, name: &str) -> Catalog {
    scan_text(text, name, &Cfg::default()).0
}

fn check(library: &str, tables: &str, expected: &Expect) {
    let mut sources = Sources::default();
    let till = scanned(TILL, "till");
    let mut own = manifest(&mut sources, "Cargo.toml", tables);
    own.members.push(MemberTables {
        name: "cash".to_owned(),
        manifest: manifest(&mut sources, "till/Cargo.toml", TABLES),
        catalog: Arc::new(till.clone()),
    });
    let member = MemberCatalog { name: "cash".to_owned(), catalog: till, crates: Default::default() };
    let catalog = scanned(library, "kiosk").with_members(vec![member]);
    let (subjects, diagnostics) = resolve(&own, &catalog, &PartialSettings::default());
    let mut text: String = subjects.iter().map(describe).collect();
    for diagnostic in diagnostics {
        text.push_str(&format!("{}\n", diagnostic.message));
    }
    expected.assert_eq(&text);
}

#[test]
fn views_aliases_and_measures_have_the_name_of_the_member_in_front() {
    check(
        "pub fn f(l: cash::Line, n: u32, x: Vec<u8>) {} pub struct Small; pub const MOST: u32 = 1;",
        r#"
[functions]
f = "fn(l: cash::Line, n: cash::Small, x: cash::Below<u8>(n))"
"#,
        &expect![[r#"
            f calls kiosk::f
              0 l: cash::Line
                see data 2
              1 n: u32
                n <= MOST  ⇒  v <= 7
              2 x: Vec<u8>
                v.len() < n  ⇒  v.len() < n
              3 result: ()
              data 1: cash::line::Kind
                cash::line::Kind::Coin(0: u8)
                cash::line::Kind::Paper()
              data 2: cash::Line
                cash::Line(x7 = price: u32, kind: cash::line::Kind)
                  price: u32
                    n <= MOST  ⇒  v <= 7
                  kind: cash::line::Kind
                    match k { Kind::Coin(c) => 0 < c, Kind::Paper => price < crate::MOST }  ⇒  if v is #0 { 0 < v.0#0 } else { if v is #1 { x7 < 7 } else { undefined } }
        "#]],
    );
}

#[test]
fn views_of_types_with_parameters_and_built_ones() {
    check(
        "pub fn f(l: cash::List<u8>, d: cash::date::Date) -> cash::date::Date { d }",
        r#"
[functions]
f = "fn(l: {l: cash::Sorted<u8> | cash::length(l) == 2}, d: cash::Date) -> {r: cash::Date | r.y == d.y}"
"#,
        &expect![[r#"
            f calls kiosk::f
              0 l: cash::List<u8>
                see data 1
                cash::length(l) == 2  ⇒  cash::length(v) == 2
              1 d: _
              2 result: _
                r.y == d.y  ⇒  v.0#0 == d.0#0
              data 1: cash::List<u8>
                cash::List::End()
                cash::List::More(x7 = 0: u8, 1: Box<cash::List<u8>>) (recursive)
                  1: Box<cash::List<u8>>
                    see data 1
                    x <= v  ⇒  elements_1(v).all(|x9| x7 <= x9)
              data 5: _
                cash::date::Date::new(y: i16)
              fn elements_1(x10)
                if x10 is #0 { concat() } else { if x10 is #1 { concat([x10.1#0], elements_1(x10.1#1)) } else { [] } }
              fn cash::length(x11)
                if x11 is #0 { 0 } else { if x11 is #1 { 1 + cash::length(x11.1#1) } else { undefined } }
        "#]],
    );
}

#[test]
fn mistakes_in_tables_of_members_are_told_where_they_are_used() {
    check(
        "pub fn f(n: u8) {} pub fn g(n: u8) {} pub fn h(n: u32) {}",
        r#"
[functions]
f = "fn(n: cash::Broken)"
g = "fn(n: cash::Absent)"
h = "fn(n: Small)"
"#,
        &expect![[r#"
            no type `cash::Absent`
            no type `Small`
            no type `Nothing`
        "#]],
    );
}
