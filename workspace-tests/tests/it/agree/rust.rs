//! Generated specs in Rust, for rustc to judge arguments by.
//!
//! A value of the grammar's kinds is owned, and a variable is cloned where it is read. Numbers of all kinds are `i128`: where that
//! overflows, the program says so, and nothing follows. What Rust would panic at makes a condition false.

use std::fmt::Write;

use super::draft::{Draft, Node};
use super::grammar::{Piece, RustPiece};

/// The Rust type that holds values of a kind.
pub fn type_of(kind: &str) -> String {
    match kind {
        "int" | "i64" | "u8" => "i128".to_owned(),
        "text" => "String".to_owned(),
        "res" => "Result<i128, bool>".to_owned(),
        "pair" => "(i128, bool)".to_owned(),
        "List" => "List<i128>".to_owned(),
        "Tree" => "Tree<i128>".to_owned(),
        "bools" => "Tree<bool>".to_owned(),
        "set" => "BTreeSet<i128>".to_owned(),
        "setpair" => "BTreeSet<(i128, bool)>".to_owned(),
        "map" => "BTreeMap<i128, bool>".to_owned(),
        "maplist" => "BTreeMap<i128, Vec<i128>>".to_owned(),
        "bag" => "BTreeMap<i128, i128>".to_owned(),
        kind => {
            match (kind.strip_prefix('?'), kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']'))) {
                (Some(inner), _) => format!("Option<{}>", type_of(inner)),
                (_, Some(inner)) => format!("Vec<{}>", type_of(inner)),
                (None, None) => kind.to_owned(),
            }
        }
    }
}

/// The Rust of a text of the grammar of which nothing else is said: the text itself, with its holes by number. A refined type is
/// its condition; another type without holes admits all. A `match` panics where no arm fits.
pub fn by_itself(kind: &str, text: &str, pieces: &[Piece]) -> String {
    let mut n_holes = 0;
    let mut written = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => written.push_str(text),
            Piece::Binder(name) => _ = write!(written, "${name}"),
            Piece::Hole(..) => {
                n_holes += 1;
                _ = write!(written, "@{n_holes}");
            }
        }
    }
    if let Some((_, of)) = kind.split_once(':') {
        return match written.split_once(" | ") {
            _ if n_holes == 0 => format!("|_: {}| true", type_of(of)),
            Some((head, condition)) if !head.contains('@') => {
                let name = head.trim_start_matches('{').split(':').next().unwrap_or_default();
                format!("|{name}: {}| {}", type_of(of), condition.trim_end_matches('}'))
            }
            _ => panic!("`{text}` has to be said in Rust"),
        };
    }
    match written.strip_suffix(" })") {
        Some(arms) if written.starts_with("(match ") => format!("{arms}, _ => no_arm() }})"),
        _ => written,
    }
}

impl Node {
    /// The text in Rust.
    pub fn rust(&self) -> String {
        let mut text = String::new();
        self.print_rust(&mut text);
        text
    }

    fn print_rust(&self, text: &mut String) {
        let children: Vec<&Node> = self.children().collect();
        for piece in &self.rust {
            match piece {
                RustPiece::Text(piece) => text.push_str(piece),
                RustPiece::Hole(at) => children[*at].print_rust(text),
                RustPiece::Name(name) => {
                    let fresh = self.names.iter().find(|(known, _)| known == name);
                    text.push_str(fresh.map_or(name, |(_, fresh)| fresh));
                }
            }
        }
    }
}

impl Draft {
    /// A function of that name that reads arguments, and says whether the spec admits them and `explore` is true of them.
    pub fn rust_function(&self, name: &str) -> String {
        let mut text = format!("fn {name}(t: &mut Tokens) -> bool {{\n");
        for (name, ty) in &self.params {
            let kind = ty.kind.strip_prefix("type:").unwrap_or(&ty.kind);
            let _ = writeln!(text, "    let {name}: {} = Read::read(t);", type_of(kind));
        }
        for (name, ty) in &self.params {
            let _ = writeln!(text, "    if !({})({name}.clone()) {{ return false; }}", ty.rust());
        }
        for condition in self.requires.iter().chain(&self.explore) {
            let _ = writeln!(text, "    if !{{ {} }} {{ return false; }}", condition.rust());
        }
        text + "    true\n}\n"
    }
}
