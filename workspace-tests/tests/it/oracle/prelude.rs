//! The start of a program that judges arguments by specs written in Rust: the types, views and measures of the fixture `medley`,
//! and what the spec language has and Rust has not. `judge.rs` follows it, and the specs.

use std::collections::{BTreeMap, BTreeSet};

/// How long a range may be, and how deep a measure may go.
const FAR: i128 = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Color {
    Red,
    Green,
    Black,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Point {
    x: i128,
    y: i128,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum List<T> {
    Nil,
    Cons(T, Box<List<T>>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Tree<T> {
    Leaf,
    Node(bool, Box<Tree<T>>, T, Box<Tree<T>>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Term {
    Var(i128),
    Lam(Box<Term>),
    App(Box<Term>, Box<Term>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Row {
    key: i128,
    note: Option<bool>,
    next: Option<Box<Row>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Clock {
    h: i128,
    m: i128,
}

// What the language has, and Rust has not.

fn no_arm<T>() -> T {
    panic!("no arm")
}

fn far<T>() -> T {
    panic!("too far, as an overflow")
}

fn idx(n: i128) -> usize {
    usize::try_from(n).expect("no index")
}

fn at(position: Option<usize>) -> Option<i128> {
    position.map(|n| n as i128)
}

fn span(low: i128, high: i128) -> std::ops::Range<i128> {
    if high - low > FAR { far() } else { low..high }
}

fn numbered<T>(xs: Vec<T>) -> Vec<(i128, T)> {
    xs.into_iter().enumerate().map(|(i, x)| (i as i128, x)).collect()
}

fn distinct<T: PartialEq>(xs: &[T]) -> bool {
    xs.iter().enumerate().all(|(i, x)| !xs[..i].contains(x))
}

fn is_multiple_of(a: i128, b: i128) -> bool {
    if b == 0 { a == 0 } else { a % b == 0 }
}

fn is_sign_negative(x: f64) -> bool {
    !x.is_nan() && x.is_sign_negative()
}

fn with<T: Ord>(mut set: BTreeSet<T>, x: T) -> BTreeSet<T> {
    set.insert(x);
    set
}

fn without<T: Ord>(mut set: BTreeSet<T>, x: T) -> BTreeSet<T> {
    set.remove(&x);
    set
}

fn map_with<K: Ord, V>(mut map: BTreeMap<K, V>, k: K, v: V) -> BTreeMap<K, V> {
    map.insert(k, v);
    map
}

fn map_without<K: Ord, V>(mut map: BTreeMap<K, V>, k: K) -> BTreeMap<K, V> {
    map.remove(&k);
    map
}

type Bag = BTreeMap<i128, i128>;

fn bag(xs: Vec<i128>) -> Bag {
    xs.into_iter().fold(Bag::new(), bag_with)
}

fn bag_with(mut bag: Bag, x: i128) -> Bag {
    *bag.entry(x).or_default() += 1;
    bag
}

fn bag_without(bag: Bag, x: i128) -> Bag {
    bag_difference(bag, Bag::from([(x, 1)]))
}

fn bag_union(mut bag: Bag, other: Bag) -> Bag {
    other.into_iter().for_each(|(x, n)| *bag.entry(x).or_default() += n);
    bag
}

fn bag_intersection(bag: Bag, other: Bag) -> Bag {
    let least = |(x, n): (i128, i128)| Some((x, n.min(*other.get(&x)?)));
    bag.into_iter().filter_map(least).collect()
}

fn bag_difference(bag: Bag, other: Bag) -> Bag {
    let rest = |(x, n): (i128, i128)| (x, n - other.get(&x).copied().unwrap_or(0));
    bag.into_iter().map(rest).filter(|(_, n)| *n > 0).collect()
}

// Refinements of parts.

fn each<T>(p: impl Fn(T) -> bool) -> impl Fn(Vec<T>) -> bool {
    move |xs| xs.into_iter().all(&p)
}

fn if_some<T>(p: impl Fn(T) -> bool) -> impl Fn(Option<T>) -> bool {
    move |x| x.is_none_or(&p)
}

fn either<T, E>(p: impl Fn(T) -> bool, q: impl Fn(E) -> bool) -> impl Fn(Result<T, E>) -> bool {
    move |x| x.map_or_else(&q, &p)
}

fn both<A, B>(p: impl Fn(A) -> bool, q: impl Fn(B) -> bool) -> impl Fn((A, B)) -> bool {
    move |(a, b)| p(a) && q(b)
}

fn each_member<T>(p: impl Fn(T) -> bool) -> impl Fn(BTreeSet<T>) -> bool {
    move |xs| xs.into_iter().all(&p)
}

fn each_entry<K, V>(p: impl Fn(K) -> bool, q: impl Fn(V) -> bool) -> impl Fn(BTreeMap<K, V>) -> bool {
    move |map| map.into_iter().all(|(k, v)| p(k) && q(v))
}

fn each_value<V>(p: impl Fn(V) -> bool) -> impl Fn(BTreeMap<i128, V>) -> bool {
    move |map| map.into_values().all(&p)
}

fn each_key<T: Clone>(p: impl Fn(T) -> bool) -> impl Fn(Tree<T>) -> bool {
    move |t| in_order(t).into_iter().all(&p)
}

fn each_of_list<T: Clone>(p: impl Fn(T) -> bool) -> impl Fn(List<T>) -> bool {
    move |xs| sequence(xs).into_iter().all(&p)
}

// The fixture's views.

fn search<T: Clone + Ord>(t: &Tree<T>) -> bool {
    in_order(t.clone()).is_sorted_by(|a, b| a < b)
}

fn heap(t: &Tree<i128>) -> bool {
    let Tree::Node(_, l, k, r) = t else { return true };
    [l, r].iter().all(|kid| heap(kid) && in_order((***kid).clone()).iter().all(|v| k <= v))
}

fn well_balanced(t: &Tree<i128>) -> bool {
    let Tree::Node(_, l, k, r) = t else { return true };
    let (l, r) = (&**l, &**r);
    well_balanced(l)
        && well_balanced(r)
        && *k == size(l.clone()) + size(r.clone())
        && (height(l.clone()) - height(r.clone())).abs() <= 1
}

fn normal(t: &Term) -> bool {
    match t {
        Term::Var(_) => true,
        Term::Lam(body) => normal(body),
        Term::App(f, a) => !matches!(**f, Term::Lam(_)) && normal(f) && normal(a),
    }
}

fn falling(r: &Row) -> bool {
    let is_note_right = r.note.is_none() || r.key != 0;
    is_note_right && r.next.as_ref().is_none_or(|next| next.key < r.key && falling(next))
}

// Its measures.

fn length<T>(xs: List<T>) -> i128 {
    if let List::Cons(_, tail) = xs { 1 + length(*tail) } else { 0 }
}

fn total(xs: List<i128>) -> i128 {
    if let List::Cons(head, tail) = xs { head + total(*tail) } else { 0 }
}

fn first(xs: List<i128>) -> i128 {
    if let List::Cons(head, _) = xs { head } else { 0 }
}

fn sequence<T>(xs: List<T>) -> Vec<T> {
    let (mut found, mut rest) = (Vec::new(), xs);
    while let List::Cons(head, tail) = rest {
        found.push(head);
        rest = *tail;
    }
    found
}

fn ascends(xs: List<i128>) -> bool {
    sequence(xs).is_sorted()
}

fn nth(xs: List<i128>, n: i128) -> i128 {
    sequence(xs)[idx(n)]
}

fn node<T>(red: bool, l: Tree<T>, k: T, r: Tree<T>) -> Tree<T> {
    Tree::Node(red, Box::new(l), k, Box::new(r))
}

fn size<T: Clone>(t: Tree<T>) -> i128 {
    in_order(t).len() as i128
}

fn height<T>(t: Tree<T>) -> i128 {
    if let Tree::Node(_, l, _, r) = t { 1 + height(*l).max(height(*r)) } else { 0 }
}

fn sum(t: Tree<i128>) -> i128 {
    in_order(t).into_iter().sum()
}

fn keys<T: Clone + Ord>(t: Tree<T>) -> BTreeSet<T> {
    in_order(t).into_iter().collect()
}

fn in_order<T: Clone>(t: Tree<T>) -> Vec<T> {
    let Tree::Node(_, l, k, r) = t else { return Vec::new() };
    [in_order(*l), vec![k], in_order(*r)].concat()
}

fn member<T: Clone + PartialEq>(x: T, t: Tree<T>) -> bool {
    in_order(t).contains(&x)
}

fn root(t: Tree<i128>) -> i128 {
    if let Tree::Node(_, _, k, _) = t { k } else { 0 }
}

fn spine<T>(t: Tree<T>) -> i128 {
    if let Tree::Node(_, l, _, _) = t { 1 + spine(*l) } else { 0 }
}

fn black_height<T>(t: Tree<T>) -> i128 {
    if let Tree::Node(red, l, _, _) = t { black_height(*l) + i128::from(!red) } else { 0 }
}

fn balanced<T: Clone>(t: Tree<T>) -> bool {
    let Tree::Node(_, l, _, r) = t else { return true };
    balanced((*l).clone()) && balanced((*r).clone()) && black_height(*l) == black_height(*r)
}

fn is_red<T>(t: Tree<T>) -> bool {
    matches!(t, Tree::Node(true, ..))
}

fn no_red_red<T: Clone>(t: Tree<T>) -> bool {
    let Tree::Node(red, l, _, r) = t else { return true };
    [l, r].into_iter().all(|kid| no_red_red((*kid).clone()) && !(red && is_red(*kid)))
}

fn mirror(t: Tree<i128>) -> Tree<i128> {
    let Tree::Node(red, l, k, r) = t else { return Tree::Leaf };
    node(red, mirror(*r), k, mirror(*l))
}

fn closed(t: Term, n: i128) -> bool {
    loose(t, n).is_empty()
}

fn loose(t: Term, n: i128) -> BTreeSet<i128> {
    match t {
        Term::Var(i) if i < n => BTreeSet::new(),
        Term::Var(i) => BTreeSet::from([i - n]),
        Term::Lam(body) => loose(*body, n + 1),
        Term::App(f, a) => &loose(*f, n) | &loose(*a, n),
    }
}

fn lambdas(t: Term) -> i128 {
    match t {
        Term::Var(_) => 0,
        Term::Lam(body) => 1 + lambdas(*body),
        Term::App(f, a) => lambdas(*f) + lambdas(*a),
    }
}

fn rows(r: Row) -> i128 {
    1 + r.next.map_or(0, |next| rows(*next))
}

fn notes(r: Row) -> Vec<bool> {
    let rest = r.next.map_or(Vec::new(), |next| notes(*next));
    r.note.into_iter().chain(rest).collect()
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    loop {
        match b {
            0 => return a,
            ..0 => panic!("the measure does not decrease"),
            _ => (a, b) = (b, a % b),
        }
    }
}

fn triangle(n: i128) -> i128 {
    match n {
        ..0 => panic!("the measure does not decrease"),
        0..=FAR => n * (n + 1) / 2,
        _ => far(),
    }
}

fn fibonacci(n: i128) -> i128 {
    match n {
        ..0 => panic!("the measure does not decrease"),
        0..=180 => (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0,
        _ => far(),
    }
}

fn alternates(xs: Vec<i128>, last: i128) -> bool {
    [vec![last], xs].concat().is_sorted_by(|a, b| a != b)
}
