//! The user's text in Markdown: it can't end a table's cell or become markup, links or mentions.

use crate::system::printable::{is_invisible, plain};

/// Code within a line. Characters with a meaning in Markdown are written as entities. Backticks would not be enough: a
/// `|` between them ends a table's cell.
pub fn code(text: &str) -> String {
    let mut written = String::from("<code>");
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        // `_` inside a word is no markup.
        let is_inside = before.is_alphanumeric() && rest.peek().is_some_and(|next| next.is_alphanumeric());
        match c {
            '\n' | '\r' | '\t' => written.push(' '),
            '_' if is_inside => written.push(c),
            c if is_invisible(c) => written.extend(c.escape_unicode()),
            c if c.is_ascii_punctuation() && !",.:()='\"/+-;!?%{}".contains(c) => {
                written.push_str(&format!("&#{};", u32::from(c)));
            }
            c => written.push(c),
        }
        before = c;
    }
    written + "</code>"
}

/// Lines of code, in a fence that none of them closes.
pub fn block(language: &str, text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}{language}\n{}\n{fence}\n", plain(text).trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_a_line_is_nothing_but_text() {
        assert_eq!(code("insert_at(x, vec![1])"), "<code>insert_at(x, vec!&#91;1&#93;)</code>");
        let hostile = "a|b\\|c\n<img src=x> `*_@me_*` #1 &amp;";
        let written = code(hostile);
        let inside = written
            .strip_prefix("<code>")
            .expect("code stands in its tags")
            .strip_suffix("</code>")
            .expect("code stands in its tags");
        assert!(!inside.contains(['|', '\n', '<', '>', '`', '*', '_', '@', '\\']), "{written}");
        // Read back, it is the same text in one line.
        let entity = |text: &str| {
            char::from_u32(text.parse().expect("an entity has a number"))
                .expect("the number is that of a character")
        };
        let mut pieces = inside.split("&#");
        let mut read = pieces.next().expect("there is at least one").to_owned();
        for piece in pieces {
            let (number, rest) = piece.split_once(';').expect("an entity ends in a semicolon");
            read.push(entity(number));
            read.push_str(rest);
        }
        assert_eq!(read, hostile.replace('\n', " "));
        assert_eq!(code("\u{202e}x\u{0}"), "<code>\\u{202e}x\\u{0}</code>");
    }

    #[test]
    fn a_block_ends_where_it_should() {
        assert_eq!(block("text", "a\n```\n</details>\n"), "````text\na\n```\n</details>\n````\n");
        assert_eq!(block("sh", "a\r\u{1b}[31mb\u{202e}"), "```sh\na\\r\\u{1b}[31mb\\u{202e}\n```\n");
    }
}
