//! A generated spec as a tree: made at random from the grammar, printed, and made smaller.

use std::fmt::Write;

use super::grammar::{Grammar, Piece, Production, RustPiece};

/// Numbers that look random: splitmix64 (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*).
pub struct Rng(pub u64);

impl Rng {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `n`.
    fn below(&mut self, n: u32) -> u32 {
        (self.next() % u64::from(n)) as u32
    }

    fn percent(&mut self, n: u32) -> bool {
        self.below(100) < n
    }

    /// One of the weighted.
    fn choose<'a, T>(&mut self, weighted: &[(&'a T, u32)]) -> &'a T {
        let mut left = self.below(weighted.iter().map(|(_, weight)| weight).sum());
        for (item, weight) in weighted {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return item,
            }
        }
        unreachable!("it is below the sum")
    }
}

/// A text of some kind, by its production.
#[derive(Clone, Debug)]
pub struct Node {
    pub(super) kind: String,
    pub(super) parts: Vec<Part>,
    /// The same in Rust.
    pub(super) rust: Vec<RustPiece>,
    /// What the names of the production became.
    pub(super) names: Vec<(String, String)>,
    /// How often something in scope is named.
    n_variables: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Part {
    Text(String),
    Node(Node),
}

/// A spec to be.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Names and types of the parameters.
    pub(super) params: Vec<(String, Node)>,
    pub(super) requires: Vec<Node>,
    pub(super) explore: Option<Node>,
    /// The length of lists, the nesting of constructors.
    pub depth: u32,
    /// The magnitude of integers.
    pub bound: u32,
}

/// Makes texts from the grammar.
pub struct Maker<'g> {
    grammar: &'g Grammar,
    rng: Rng,
    /// Names in scope, the newest last, with their kinds.
    scope: Vec<(String, String)>,
    n_names: u32,
}

impl<'g> Maker<'g> {
    /// A maker whose spec the seed decides.
    pub fn new(grammar: &'g Grammar, seed: u64) -> Maker<'g> {
        Maker { grammar, rng: Rng(seed), scope: Vec::new(), n_names: 0 }
    }

    /// A spec of one to three parameters.
    pub fn draft(mut self) -> Draft {
        let n_params = self.rng.choose(&[(&1, 5), (&2, 4), (&3, 1)]);
        let fuel = *self.rng.choose(&[(&1, 4), (&2, 5), (&3, 3)]);
        let kinds: Vec<_> = self.grammar.params().iter().map(|(kind, weight)| (kind, *weight)).collect();
        let mut params = Vec::new();
        for name in ["a", "b", "c"].into_iter().take(*n_params) {
            let kind = self.rng.choose(&kinds);
            params.push((name.to_owned(), self.node(&format!("type:{kind}"), fuel + 1)));
            self.scope.push((name.to_owned(), kind.clone()));
        }
        let n_requires = *self.rng.choose(&[(&0, 2), (&1, 6), (&2, 2)]);
        let requires = (0..n_requires).map(|_| self.node("bool", fuel)).collect();
        let explore = self.rng.percent(15).then(|| self.node("bool", fuel - 1));
        let depth = *self.rng.choose(&[(&1, 3), (&2, 5), (&3, 1)]);
        let bound = *self.rng.choose(&[(&1, 4), (&2, 4), (&3, 1)]);
        Draft { params, requires, explore, depth, bound }
    }

    /// A text of a kind; one that mentions something in scope, if that can be had by trying again.
    fn node(&mut self, kind: &str, fuel: i32) -> Node {
        let wants_variables = !self.scope.is_empty() && matches!(kind, "bool" | "atom");
        let n_tries = if wants_variables { 5 } else { 1 };
        let mut node = self.any_node(kind, fuel);
        for _ in 1..n_tries {
            if node.n_variables > 0 {
                break;
            }
            node = self.any_node(kind, fuel);
        }
        node
    }

    fn any_node(&mut self, kind: &str, fuel: i32) -> Node {
        let variables = self.variables(kind);
        let share = if fuel < 0 && kind != "int" { 100 } else { [70, 40][usize::from(fuel > 0)] };
        let ways = self.grammar.of_kind(if kind == "bool" && fuel <= 0 { "atom" } else { kind });
        let is_only_named = ways.iter().all(|way| self.grammar.is_endless(way));
        if !variables.is_empty() && kind != "bool" && (is_only_named || self.rng.percent(share)) {
            let at = self.rng.below(variables.len() as u32) as usize;
            let rust = vec![RustPiece::Text(format!("{}.clone()", variables[at]))];
            let parts = vec![Part::Text(variables[at].clone())];
            return Node { kind: kind.to_owned(), parts, rust, names: Vec::new(), n_variables: 1 };
        }
        // A condition that says nothing is no use, so one comparison is always affordable.
        let lowest = ways.iter().map(|way| self.grammar.height(way)).min().unwrap_or(0);
        let is_condition = kind == "bool" || kind.starts_with("type:");
        let limit = if fuel <= 0 && !is_condition { lowest } else { lowest + fuel.max(0) as u32 + 1 };
        let affordable =
            ways.iter().filter(|way| self.grammar.height(way) <= limit || fuel >= 0 && self.is_near(way));
        let weighted: Vec<_> = affordable.map(|way| (way, way.weight * self.relevance(way))).collect();
        let production = self.rng.choose(&weighted);
        self.fill(kind, production, fuel)
    }

    /// More for what can be said of what is in scope.
    fn relevance(&self, way: &Production) -> u32 {
        let is_named = |kind: &String| !self.variables(kind).is_empty();
        match uncommon_holes(way).next() {
            _ if self.is_near(way) => 80,
            None => 30,
            Some(_) if uncommon_holes(way).any(is_named) => 4,
            Some(_) => 1,
        }
    }

    /// Whether something in scope fits each hole that is not for what there always is.
    fn is_near(&self, way: &Production) -> bool {
        let mut holes = uncommon_holes(way).peekable();
        holes.peek().is_some() && holes.all(|kind| !self.variables(kind).is_empty())
    }

    fn fill(&mut self, kind: &str, production: &Production, fuel: i32) -> Node {
        let mut names: Vec<(String, String)> = Vec::new();
        let mut parts = Vec::new();
        for piece in &production.pieces {
            parts.push(match piece {
                Piece::Text(text) => Part::Text(text.clone()),
                Piece::Binder(name) => Part::Text(match names.iter().find(|(known, _)| known == name) {
                    Some((_, fresh)) => fresh.clone(),
                    None => {
                        self.n_names += 1;
                        let fresh = format!("{name}{}", self.n_names);
                        names.push((name.clone(), fresh.clone()));
                        fresh
                    }
                }),
                Piece::Hole(kind, bound) => {
                    let before = self.scope.len();
                    for (name, kind) in bound {
                        let fresh = names.iter().find(|(known, _)| known == name);
                        let (_, fresh) = fresh.unwrap_or_else(|| panic!("`{name}` is bound nowhere"));
                        self.scope.push((fresh.clone(), kind.clone()));
                    }
                    // Types nest for free.
                    let inside = if kind.contains(':') { fuel } else { (fuel - 1).max(-1) };
                    let node = self.node(kind, inside);
                    self.scope.truncate(before);
                    Part::Node(node)
                }
            });
        }
        let n_variables = parts.iter().map(Part::n_variables).sum();
        Node { kind: kind.to_owned(), parts, rust: production.rust.clone(), names, n_variables }
    }

    /// What in scope can stand for a kind; what was bound last, twice.
    fn variables(&self, wanted: &str) -> Vec<String> {
        let fits = |kind: &str| kind == wanted || wanted == "int" && matches!(kind, "u8" | "i64");
        let fitting = |(name, kind): &(String, String)| fits(kind).then(|| name.clone());
        let mut found: Vec<String> = self.scope.iter().filter_map(fitting).collect();
        found.extend(found.last().cloned());
        found
    }
}

/// What is not just numbers, conditions or types.
fn uncommon_holes(way: &Production) -> impl Iterator<Item = &String> {
    way.pieces.iter().filter_map(|piece| match piece {
        Piece::Hole(kind, _) if matches!(kind.as_str(), "int" | "bool" | "atom") => None,
        Piece::Hole(kind, _) if kind.contains(':') => None,
        Piece::Hole(kind, _) => Some(kind),
        _ => None,
    })
}

impl Part {
    fn n_variables(&self) -> u32 {
        if let Part::Node(node) = self { node.n_variables } else { 0 }
    }
}

impl Node {
    fn print(&self, text: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(piece) => text.push_str(piece),
                Part::Node(node) => node.print(text),
            }
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.print(&mut text);
        text
    }

    pub(super) fn children(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().filter_map(|part| if let Part::Node(node) = part { Some(node) } else { None })
    }

    /// The parts of the same kind, however deep.
    fn same_inside<'n>(&'n self, kind: &str, found: &mut Vec<&'n Node>) {
        for child in self.children() {
            if child.kind == kind {
                found.push(child);
            }
            child.same_inside(kind, found);
        }
    }

    /// Smaller nodes of the same kind: a leaf, a part, and this with a part made smaller.
    fn smaller(&self, grammar: &Grammar) -> Vec<Node> {
        let leaf = |text: &str, rust| {
            let parts = vec![Part::Text(text.to_owned())];
            Node { kind: self.kind.clone(), parts, rust, names: Vec::new(), n_variables: 0 }
        };
        let leaves = grammar.leaves(&self.kind).take(4);
        let leaves = leaves.map(|(text, production)| leaf(text, production.rust.clone()));
        let trivial = ["true", "false"].into_iter().filter(|_| self.kind == "bool");
        let trivial = trivial.map(|text| leaf(text, vec![RustPiece::Text(text.to_owned())]));
        let mut nodes: Vec<Node> = leaves.chain(trivial).collect();
        let mut inside = Vec::new();
        self.same_inside(&self.kind, &mut inside);
        nodes.extend(inside.into_iter().cloned());
        for (i, child) in self.parts.iter().enumerate() {
            let Part::Node(child) = child else { continue };
            nodes.extend(child.smaller(grammar).into_iter().map(|smaller| {
                let mut node = self.clone();
                node.parts[i] = Part::Node(smaller);
                node
            }));
        }
        let own = self.text();
        nodes.retain(|node| is_smaller(&node.text(), &own));
        nodes
    }
}

/// Shorter, or as long and before in the alphabet, so that making smaller has an end.
fn is_smaller(text: &str, than: &str) -> bool {
    (text.len(), text) < (than.len(), than)
}

impl Draft {
    /// The signature.
    pub fn signature(&self) -> String {
        let params: Vec<_> = self.params.iter().map(|(name, ty)| format!("{name}: {}", ty.text())).collect();
        let mut text = format!("fn({})", params.join(", "));
        for condition in &self.requires {
            let _ = write!(text, " requires {}", condition.text());
        }
        text
    }

    /// What narrows the space.
    pub fn explore(&self) -> Option<String> {
        self.explore.as_ref().map(Node::text)
    }

    /// All of it, for people.
    pub fn text(&self) -> String {
        let explore = self.explore().map(|explore| format!("\n  explore {explore}")).unwrap_or_default();
        format!("{}{explore}\n  depth {}, bound {}", self.signature(), self.depth, self.bound)
    }

    /// How many parameters there are.
    pub fn n_params(&self) -> usize {
        self.params.len()
    }

    /// The drafts that differ from this one by being smaller in one place, those that are much smaller first. Not all
    /// make sense.
    pub fn smaller(&self, grammar: &Grammar) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let mut with = |change: &dyn Fn(&mut Draft)| {
            let mut draft = self.clone();
            change(&mut draft);
            drafts.push(draft);
        };
        for i in 0..self.params.len() {
            with(&|draft| drop(draft.params.remove(i)));
        }
        for i in 0..self.requires.len() {
            with(&|draft| drop(draft.requires.remove(i)));
        }
        if self.explore.is_some() {
            with(&|draft| draft.explore = None);
        }
        for i in 0..self.params.len() {
            for node in self.params[i].1.smaller(grammar) {
                with(&|draft| draft.params[i].1 = node.clone());
            }
        }
        for i in 0..self.requires.len() {
            for node in self.requires[i].smaller(grammar) {
                with(&|draft| draft.requires[i] = node.clone());
            }
        }
        for node in self.explore.iter().flat_map(|explore| explore.smaller(grammar)) {
            with(&|draft| draft.explore = Some(node.clone()));
        }
        if self.depth > 1 {
            with(&|draft| draft.depth -= 1);
        }
        if self.bound > 1 {
            with(&|draft| draft.bound -= 1);
        }
        drafts
    }
}
