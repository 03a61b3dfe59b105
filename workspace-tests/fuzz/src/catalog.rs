// A crate that is only read. Its types and functions are those that the seeds name.
pub enum Tree<T> {
    Leaf,
    Node(Box<Tree<T>>, T, Box<Tree<T>>),
}

pub enum List {
    Nil,
    Cons { head: i64, tail: Box<List> },
}

pub struct Heap<T> {
    pub items: Vec<T>,
}

impl<T> Heap<T> {
    pub fn push(&mut self, x: T) {}
    pub fn pop(&mut self) -> Option<T> {}
}

#[derive(Clone, Copy)]
pub enum Color {
    Red,
    Black,
}

pub struct Point {
    pub x: i64,
    pub y: f64,
    pub name: String,
    pub color: Color,
}

pub struct Wrapper(pub u8, pub Option<char>);

pub const LIMIT: i64 = 100;

pub fn rescale(r1: i64, r2: i64, s: i64) -> i64 {}
pub fn insert(x: i64, xs: Vec<i64>) -> Vec<i64> {}
pub fn shout(text: &str) -> String {}
pub fn depth(t: &Tree<i64>) -> usize {}
pub fn map(m: std::collections::BTreeMap<u8, String>, s: std::collections::HashSet<i32>) -> bool {}
pub fn many(a: (u8, i128), b: [bool; 3], c: Option<Result<char, f32>>, d: &mut [i64]) {}
pub mod deep {
    pub fn inner(p: super::Point, w: &super::Wrapper) -> u64 {}
}
