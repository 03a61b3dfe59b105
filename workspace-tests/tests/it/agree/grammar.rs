//! The grammar of generated specs: for each kind of text, the ways to write one. `grammar.txt` says how that is written.

use std::collections::HashMap;

use super::rust;

/// All productions, by kind.
pub struct Grammar {
    productions: HashMap<String, Vec<Production>>,
    /// Of each kind, how many productions are nested in its smallest text.
    heights: HashMap<String, u32>,
    /// The kinds of parameters, by weight.
    params: Vec<(String, u32)>,
}

/// Whether there are forms that may take too long to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Costs {
    /// There are some.
    In,
    /// There are none.
    Out,
}

/// One way to write a text of a kind.
#[derive(Clone, Debug)]
pub struct Production {
    /// How often it is taken, beside the others of its kind.
    pub weight: u32,
    /// What it is made of.
    pub pieces: Vec<Piece>,
    /// The same in Rust.
    pub rust: Vec<RustPiece>,
}

/// A piece of a production's Rust.
#[derive(Clone, Debug)]
pub enum RustPiece {
    /// Text as it is.
    Text(String),
    /// The new name that stands for this one.
    Name(String),
    /// The Rust of a hole, counted from 0.
    Hole(usize),
}

/// A piece of a production.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Text as it is.
    Text(String),
    /// The place where a new name is bound.
    Binder(String),
    /// A hole, and the names of this production that may be used in it, with their kinds.
    Hole(String, Vec<(String, String)>),
}

/// The height of what has no end but in a variable.
const UNKNOWN: u32 = 1000;

impl Grammar {
    /// Reads the file next to this one, with or without the forms that may take too long to judge.
    pub fn read(costs: Costs) -> Grammar {
        Grammar::with(costs, "")
    }

    /// Reads the file next to this one, and further lines.
    pub fn with(costs: Costs, more: &str) -> Grammar {
        let text = [include_str!("grammar.txt"), more].concat();
        let lines = || text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', ' ']));
        let rust: HashMap<&str, &str> = text
            .lines()
            .zip(text.lines().skip(1))
            .filter_map(|(line, next)| Some((line, next.trim_start().strip_prefix("in Rust: ")?)))
            .collect();
        let mut elements = Vec::new();
        let mut productions: HashMap<String, Vec<Production>> = HashMap::new();
        for line in lines().filter(|line| line.starts_with('~')) {
            let (kind, weight, text) = fields(line);
            if text.is_empty() {
                elements.push((kind[1..].to_owned(), weight));
            }
        }
        for line in lines() {
            let (kind, weight, text) = fields(line);
            if text.is_empty() {
                continue;
            }
            let instances = if line.contains('~') { &elements[..] } else { &[(String::new(), 1)] };
            for (element, times) in instances {
                let (kind, text) = (kind.replace('~', element), text.replace('~', element));
                let pieces = pieces(&text);
                let rust = match rust.get(line) {
                    Some(rust) => rust_pieces(rust),
                    None if more.is_empty() => rust_pieces(&rust::by_itself(&kind, &text, &pieces)),
                    // Who adds lines compiles nothing.
                    None => rust_pieces(""),
                };
                let is_left_out = costs == Costs::Out && text == "@{costly}";
                let weight = if is_left_out { 0 } else { weight * times };
                let production = Production { weight, pieces, rust };
                productions.entry(kind).or_default().push(production);
            }
        }
        let params = productions.iter().filter_map(|(kind, productions)| {
            let weight = productions.iter().map(|production| production.weight).sum();
            kind.strip_prefix("type:").map(|kind| (kind.to_owned(), weight))
        });
        let mut params: Vec<_> = params.collect();
        params.sort();
        let heights = heights(&productions);
        let all = productions.values().flatten().flat_map(|production| &production.pieces);
        for piece in all {
            let Piece::Hole(kind, _) = piece else { continue };
            let is_known = heights.contains_key(kind) || params.iter().any(|(param, _)| param == kind);
            assert!(is_known, "the grammar has no `{kind}`");
        }
        Grammar { productions, heights, params }
    }

    /// The kinds of parameters, by weight.
    pub fn params(&self) -> &[(String, u32)] {
        &self.params
    }

    /// The ways to write a text of a kind, variables aside.
    pub fn of_kind(&self, kind: &str) -> &[Production] {
        self.productions.get(kind).map_or(&[], Vec::as_slice)
    }

    /// How deep productions nest in the smallest text that starts with this one.
    pub fn height(&self, production: &Production) -> u32 {
        height(&self.heights, production)
    }

    /// Whether it can only be written with variables.
    pub fn is_endless(&self, production: &Production) -> bool {
        self.height(production) >= UNKNOWN
    }

    /// The texts of a kind that have no holes.
    pub fn leaves(&self, kind: &str) -> impl Iterator<Item = (&str, &Production)> {
        self.of_kind(kind).iter().filter_map(|production| match &production.pieces[..] {
            [Piece::Text(text)] => Some((text.as_str(), production)),
            _ => None,
        })
    }
}

fn height(heights: &HashMap<String, u32>, production: &Production) -> u32 {
    let holes = production.pieces.iter().filter_map(|piece| match piece {
        Piece::Hole(kind, _) => Some(heights.get(kind).copied().unwrap_or(UNKNOWN)),
        _ => None,
    });
    1 + holes.max().unwrap_or(0)
}

/// The least heights, by going through the productions until nothing gets lower.
fn heights(productions: &HashMap<String, Vec<Production>>) -> HashMap<String, u32> {
    let mut known: HashMap<String, u32> = HashMap::new();
    loop {
        let next: HashMap<String, u32> = productions
            .iter()
            .map(|(kind, ways)| {
                let least = ways.iter().map(|production| height(&known, production)).min();
                (kind.clone(), least.map_or(UNKNOWN, |least| least.min(UNKNOWN)))
            })
            .collect();
        if next == known {
            return known;
        }
        known = next;
    }
}

/// A line's kind, weight and text.
fn fields(line: &str) -> (&str, u32, &str) {
    let (kind, rest) = line.split_once(' ').unwrap_or_else(|| panic!("`{line}` has no weight"));
    let rest = rest.trim_start();
    let (weight, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let weight = weight.parse().unwrap_or_else(|_| panic!("`{line}`: the weight is no number"));
    (kind, weight, text.trim())
}

fn pieces(mut text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    while let Some(at) = text.find(['@', '$']) {
        let (before, rest) = text.split_at(at);
        let (piece, len) = match rest.strip_prefix("@{").and_then(|rest| rest.split_once('}')) {
            Some((hole, _)) if rest.starts_with("@{") => {
                let mut words = hole.split(' ');
                let kind = words.next().expect("a hole has a kind").to_owned();
                let names = words.map(|word| word.split_once(':').expect("a name has a kind"));
                let names = names.map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect();
                (Piece::Hole(kind, names), hole.len() + 3)
            }
            _ if rest.starts_with('$') => {
                let len = rest[1..].find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len() - 1);
                (Piece::Binder(rest[1..=len].to_owned()), len + 1)
            }
            // A slice pattern's `@`.
            _ => (Piece::Text("@".to_owned()), 1),
        };
        pieces.push(Piece::Text(before.to_owned()));
        pieces.push(piece);
        text = &rest[len..];
    }
    pieces.push(Piece::Text(text.to_owned()));
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    pieces
}

/// The pieces of a text in Rust, in which `@1` is the first hole.
fn rust_pieces(mut text: &str) -> Vec<RustPiece> {
    let mut pieces = Vec::new();
    while let Some(at) = text.find(['@', '$']) {
        let (before, rest) = text.split_at(at);
        let len = rest[1..].find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len() - 1);
        let word = &rest[1..=len];
        pieces.push(RustPiece::Text(before.to_owned()));
        pieces.push(match (rest.starts_with('$'), word.parse::<usize>()) {
            (true, _) => RustPiece::Name(word.to_owned()),
            (false, Ok(hole)) => RustPiece::Hole(hole - 1),
            // A slice pattern's `@`.
            (false, Err(_)) => RustPiece::Text(rest[..=len].to_owned()),
        });
        text = &rest[len + 1..];
    }
    pieces.push(RustPiece::Text(text.to_owned()));
    pieces
}
