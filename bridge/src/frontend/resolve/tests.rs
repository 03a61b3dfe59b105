//! Whole manifests against a small crate in memory: what subjects and what diagnostics come out.

mod declarations;
mod library;
mod members;
mod mistakes;
mod subjects;

use std::fmt::Write;
use std::path::Path;

use crate::frontend::catalog::{Cfg, scan_text};
use crate::frontend::diagnostic::{Level, Sources};
use crate::frontend::manifest::{PartialSettings, read};
use crate::frontend::resolve::{describe, resolve};

/// The crate that the tests' specs are about.
const CRATE: &str = r#"
    pub fn rescale(r1: i64, r2: i64, s: i64) -> i64 { s * r2 / r1 }
    pub fn best(k: usize, xs: &[u32]) -> Vec<u32> { xs[..k].to_vec() }
    pub fn largest<T: Ord>(xs: Vec<T>) -> Option<T> { xs.into_iter().max() }
    pub fn both<T>(a: &T, b: Box<T>) -> bool { true }
    pub fn shown(x: impl std::fmt::Display) -> String { x.to_string() }
    pub fn boxed(text: &str) -> Result<u8, Box<dyn std::error::Error + Send>> { Ok(0) }
    pub fn decode(text: &str) -> Result<Vec<u8>, std::num::ParseIntError> { Ok(vec![]) }
    pub fn sort(xs: &mut [i32]) {}
    pub fn first_mut(xs: &mut Vec<i32>) -> &mut i32 { &mut xs[0] }
    pub fn square(m: [[u8; 3]; 3]) -> (u8, char) { (0, 'a') }
    pub fn half(x: f32) -> f32 { x / 2.0 }
    pub fn index(m: std::collections::BTreeMap<u8, u8>) {}
    pub fn heap(h: std::collections::BinaryHeap<u8>) {}
    pub fn count(s: std::collections::HashSet<u8>, x: u8) {}
    pub fn hashed(m: std::collections::HashMap<u8, u8, Custom>) {}
    pub fn threads() -> (std::collections::HashSet<std::thread::ThreadId>, u8) { panic!() }
    pub fn quick(x: u8) -> std::collections::HashMap<u8, u8, Custom> { panic!() }
    pub fn apply(f: impl Fn(i64) -> i64, x: i64) -> i64 { f(x) }
    pub fn nothing() {}
    pub fn made<T: Default>() -> bool { true }
    pub unsafe fn raw(x: i64) {}
    pub async fn later(x: i64) {}
    fn hidden(x: i64) {}
    pub type Pair<T> = (T, T);
    pub fn swap(p: Pair<u8>) -> Pair<u8> { (p.1, p.0) }
    pub mod tree {
        #[derive(PartialEq)]
        pub enum Color { Red, Black }
        pub enum Tree<T> { Leaf, Node(Color, Box<Tree<T>>, T, Box<Tree<T>>) }
        pub fn insert<T: Ord>(t: Tree<T>, x: T) -> Tree<T> { t }
        pub struct Nest<T> { pub it: T, pub more: Option<Box<Nest<Vec<T>>>> }
        pub fn nest(n: Nest<u8>) {}
    }
    pub struct Heap { pub items: Vec<i64>, pub limit: usize }
    impl Heap {
        pub fn push(&mut self, x: i64) {}
        pub fn len(&self) -> usize { self.items.len() }
        pub fn new(limit: usize) -> Heap { Heap { items: vec![], limit } }
    }
    pub struct Sealed { inside: u8 }
    impl Sealed {
        pub fn new(x: u8) -> Option<Sealed> { None }
        pub fn get(&self) -> u8 { self.inside }
    }
    pub struct Chain { pub next: Box<Chain> }
    pub struct Rose { pub kids: Vec<Rose> }
    impl Rose { pub fn around(inner: Rose) -> Rose { Rose { kids: vec![inner] } } }
    pub struct Slot<T> { pub span: std::ops::Range<T>, pub next: Vec<Option<std::num::NonZero<u8>>> }
    pub fn slot(s: Slot<u8>) -> bool { s.next.is_empty() }
    pub enum Never {}
    pub struct View<'a> { pub text: &'a str }
    pub fn view(v: View<'_>) {}
    pub struct Ring<const N: usize> { pub items: [u8; N] }
    impl<const N: usize> Ring<N> { pub fn turn(&mut self, n: usize) {} }
    pub struct Grid<T, const W: usize, const H: usize = W> { pub cells: [[T; W]; H], pub next: Option<Box<Grid<T, W, H>>> }
    pub fn joined<const N: usize>(a: [u8; N], b: Ring<N>) -> Ring<3> { panic!() }
    pub struct Of<T>(pub T);
    impl Of<u8> { pub fn size(&self) -> u8 { 1 } }
    impl Of<u16> { pub fn size(&self) -> u8 { 2 } }
    pub enum Step { Stop, Custom(unsafe fn(&str) -> usize) }
    pub fn step(s: &Step) {}
    const SIDE: usize = WORDS.len() + 1;
    static WORDS: [(&str, u8); 2] = [("a", 1), ("b", 2)];
    const PAINT: Option<tree::Color> = Some(tree::Color::Black);
    const DIGITS: std::ops::RangeInclusive<u8> = 1..=9;
    const SEED: u64 = now();
"#;

/// What comes out of the tables in a manifest, the line `[package.metadata.target]` left out.
fn resolved(tables: &str) -> String {
    resolved_in(CRATE, tables)
}

/// The same for another crate.
fn resolved_in(source: &str, tables: &str) -> String {
    let toml = tables.replace("\n[", "\n[package.metadata.target.");
    let mut sources = Sources::default();
    let (manifest, mut diagnostics) = read(&mut sources, Path::new("Cargo.toml"), &|_| Ok(toml.clone()));
    let (mut catalog, problems) = scan_text(source, "scores", &Cfg::default());
    catalog.dependencies.push("hex".to_owned());
    assert_eq!(problems, []);
    let (subjects, found) = resolve(&manifest, &catalog, &PartialSettings::default());
    diagnostics.extend(found);
    let mut text: String = subjects.iter().map(describe).collect();
    for diagnostic in &diagnostics {
        let (line, column) = sources.line_column(diagnostic.span);
        let words = &toml[diagnostic.span.start as usize..diagnostic.span.end as usize];
        let level = if diagnostic.level == Level::Warning { "warning: " } else { "" };
        let _ = write!(text, "{line}:{column} <{words}> {level}{}", diagnostic.message);
        if !diagnostic.label.is_empty() {
            let _ = write!(text, " ({})", diagnostic.label);
        }
        if let Some(help) = &diagnostic.help {
            let _ = write!(text, "; {help}");
        }
        text.push('\n');
    }
    text
}
