//! Adds lines to the functions table of a manifest. All other bytes stay.

use anyhow::{Context, Result};
use toml_edit::{Document, DocumentMut, Item, Table, Value};

use crate::system::exit_code::usage;

/// A line of the functions table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A key and its spec.
    Spec {
        /// The path of the function.
        key: String,
        /// The signature.
        spec: String,
    },
    /// A name and its entry in the table `data`.
    Data {
        /// The name.
        name: String,
        /// The entry.
        body: String,
    },
    /// A comment.
    Note(String),
    /// A comment on a function without a spec.
    Comment {
        /// The path of the function.
        key: String,
        /// Why it has none, and what to do.
        reason: String,
    },
}

const COMMENT: &str = "\
# Refined types of functions: `cargo target run` calls each function with every small input that its types admit,
# and judges what it returns. Say more, and it finds more:
#   {v: i64 | 0 < v}                       a refinement: which values there are, as a Rust expression
#   fn(a: i64, b: {v: i64 | a <= v})       a later parameter may mention an earlier one, and so may the result
#   fn(..) -> .. requires a < b            a precondition over all of them; `ensures` says what holds on return
";

const DATA_COMMENT: &str = "\
# Types whose fields a spec can't describe: the functions that make their values, and the methods that change them.
";

const DATA: [&str; 4] = ["package", "metadata", "target", "data"];

const FUNCTIONS: [&str; 4] = ["package", "metadata", "target", "functions"];

impl Line {
    /// The line as text.
    pub fn text(&self) -> String {
        match self {
            Line::Data { name: key, body: spec } | Line::Spec { key, spec } => {
                let is_bare = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                let key = if is_bare { key.clone() } else { format!("\"{key}\"") };
                // TOML's single quotes where double quotes would need escapes.
                let value = if spec.contains(['"', '\\']) && !spec.contains('\'') {
                    format!("'{spec}'")
                } else {
                    format!("\"{}\"", spec.replace('\\', "\\\\").replace('"', "\\\""))
                };
                format!("{key} = {value}")
            }
            Line::Comment { key, reason } => format!("{}{}", comment_start(key), on_one_line(reason)),
            Line::Note(text) => format!("# {}", on_one_line(text)),
        }
    }
}

fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The start of the comment on a function without a spec.
fn comment_start(key: &str) -> String {
    format!("# no spec for `{key}`: ")
}

/// Whether a manifest has the comment on a function without a spec.
pub fn has_comment(text: &str, key: &str) -> bool {
    let start = comment_start(key);
    text.lines().any(|line| line.trim_start().starts_with(&start))
}

/// The manifest with lines added at the end of the functions table. A new table gets a comment that explains it. Comments
/// on functions that get a spec are removed.
pub fn with_lines(text: &str, lines: &[Line]) -> Result<String> {
    let specified: Vec<String> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Spec { key, .. } => Some(comment_start(key)),
            Line::Data { .. } | Line::Comment { .. } | Line::Note(_) => None,
        })
        .collect();
    let is_stale = |line: &str| specified.iter().any(|start| line.trim_start().starts_with(start));
    let text: String = text.split_inclusive('\n').filter(|line| !is_stale(line)).collect();
    let (data, functions): (Vec<&Line>, Vec<&Line>) =
        lines.iter().partition(|line| matches!(line, Line::Data { .. }));
    let text = with_block(&text, &DATA, DATA_COMMENT, &data)?;
    let new_text = with_block(&text, &FUNCTIONS, COMMENT, &functions)?;
    verify(&new_text, lines)?;
    Ok(new_text)
}

/// The text with lines added at the end of one table.
fn with_block(text: &str, table: &[&str], comment: &str, lines: &[&Line]) -> Result<String> {
    if lines.is_empty() {
        return Ok(text.to_owned());
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block: String = lines.iter().map(|line| line.text() + newline).collect();
    Ok(match place(text, table)? {
        Place::End => {
            let gap = if text.is_empty() || text.ends_with("\n\n") || text.ends_with("\n\r\n") {
                String::new()
            } else if text.ends_with('\n') {
                newline.to_owned()
            } else {
                newline.repeat(2)
            };
            let comment = comment.replace('\n', newline);
            format!("{text}{gap}[{}]{newline}{comment}{block}", table.join("."))
        }
        Place::After(position) => {
            let line_end = text[position..].find('\n').map(|found| position + found + 1);
            let (before, after) = text.split_at(line_end.unwrap_or(text.len()));
            let gap = if before.ends_with('\n') { "" } else { newline };
            format!("{before}{gap}{block}{after}")
        }
    })
}

/// Where the lines go.
enum Place {
    /// To the end of the file, as a new table.
    End,
    /// After the line of this byte.
    After(usize),
}

fn place(text: &str, table: &[&str]) -> Result<Place> {
    let document =
        Document::parse(text).map_err(|error| usage(format!("the manifest is no TOML: {error}")))?;
    let mut item: Option<&Item> = Some(document.as_item());
    for (depth, key) in table.iter().enumerate() {
        item = item.and_then(|item| item.get(key));
        let is_inline = item.is_some_and(|item| item.as_table().is_none_or(Table::is_dotted));
        if is_inline {
            let table = table[..=depth].join(".");
            return Err(usage(format!("`{table}` is an inline table: write it as [{table}] first")));
        }
    }
    let Some(table) = item.and_then(Item::as_table).filter(|table| !table.is_implicit()) else {
        return Ok(Place::End);
    };
    let header = table.span().context("a table that was read has a position")?;
    let last = table.iter().filter_map(|(_, item)| end(item)).max();
    // Without entries: the last byte of the header's line.
    let header = text[header.start..].find('\n').map_or(text.len(), |line| header.start + line);
    Ok(Place::After(last.map_or(header, |end| end.max(header))))
}

/// The end of an entry that is written in the table itself.
fn end(item: &Item) -> Option<usize> {
    match item {
        Item::Value(value) => value.span().map(|span| span.end),
        Item::Table(table) if table.is_dotted() => table.iter().filter_map(|(_, item)| end(item)).max(),
        Item::Table(_) | Item::ArrayOfTables(_) | Item::None => None,
    }
}

/// Checks that the new text has the new specs.
fn verify(text: &str, lines: &[Line]) -> Result<()> {
    let document: DocumentMut = text.parse().context("read the new manifest back")?;
    let tables = &document["package"]["metadata"]["target"];
    for line in lines {
        let (table, key, spec) = match line {
            Line::Spec { key, spec } => ("functions", key, spec),
            Line::Data { name, body } => ("data", name, body),
            Line::Comment { .. } | Line::Note(_) => continue,
        };
        let table: &Table = tables[table].as_table().context("read the new manifest back")?;
        let written = table.get(key).and_then(Item::as_value).and_then(Value::as_str);
        anyhow::ensure!(written == Some(spec.as_str()), "`{key}` can't be added to the manifest");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Line, has_comment, with_lines};

    fn spec(key: &str, spec: &str) -> Line {
        Line::Spec { key: key.to_owned(), spec: spec.to_owned() }
    }

    fn comment(key: &str) -> Line {
        Line::Comment { key: key.to_owned(), reason: "no\nreason".to_owned() }
    }

    #[test]
    fn all_else_stays_as_it_is() {
        let text = "# top\n[package]\nname   = 'x' # odd\n\n\n[dependencies]\n";
        let with = with_lines(text, &[spec("f", "fn(x: u8)")]).expect("lines can be added to this manifest");
        assert!(with.starts_with(text) && with.ends_with("f = \"fn(x: u8)\"\n"), "{with}");
        let again = with_lines(&with, &[spec("a::g", "fn(y: i8) -> i8"), comment("h")])
            .expect("lines can be added to this manifest");
        assert_eq!(again, format!("{with}\"a::g\" = \"fn(y: i8) -> i8\"\n# no spec for `h`: no reason\n"));
        assert!(has_comment(&again, "h") && !has_comment(&again, "g"));
        let replaced = with_lines(&again, &[spec("h", "fn()")]).expect("lines can be added to this manifest");
        assert_eq!(replaced, format!("{with}\"a::g\" = \"fn(y: i8) -> i8\"\nh = \"fn()\"\n"));
    }

    #[test]
    fn lines_go_to_the_end_of_the_table() {
        let before = "[package.metadata.target.functions] # a\r\n# b\r\nf = \"fn()\" # c\r\n";
        let after = "# d\r\n[package.metadata.target.functions.g]\r\nspec = \"fn()\"\r\n[dependencies]\r\n";
        let new = with_lines(
            &format!("{before}{after}"),
            &[comment("i"), spec("h", "fn(c: char) requires c != '\"'")],
        );
        let line = "# no spec for `i`: no reason\r\nh = \"fn(c: char) requires c != '\\\"'\"\r\n";
        assert_eq!(new.expect("lines can be added to this manifest"), format!("{before}{line}{after}"));
        let empty = "[package.metadata.target.functions]\n\n[lib]\n";
        let new =
            with_lines(empty, &[spec("h", "fn(c: char)")]).expect("lines can be added to this manifest");
        assert_eq!(new, "[package.metadata.target.functions]\nh = \"fn(c: char)\"\n\n[lib]\n");
        let implicit = "[package.metadata.target.functions.g]\nspec = \"fn()\"";
        let new = with_lines(implicit, &[spec("h", "fn()")]).expect("lines can be added to this manifest");
        assert!(
            new.starts_with(implicit) && new.contains("\n\n[package.metadata.target.functions]\n"),
            "{new}"
        );
    }

    #[test]
    fn an_inline_table_is_left_alone() {
        for text in
            ["[package]\nmetadata = { target = {} }\n", "[package.metadata.target]\nfunctions.f = 'fn()'\n"]
        {
            let error = with_lines(text, &[spec("g", "fn()")]).unwrap_err();
            assert!(error.to_string().contains("inline table"), "{error}");
        }
    }
}
