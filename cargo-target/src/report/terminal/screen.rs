//! Long messages and values on a screen: they are cut, and the report says where to read the full text.

use std::fmt::Write;

/// Maximum number of lines shown: a screen has 24 lines of 80 characters.
const LINES: usize = 24;
const CHARACTERS: usize = LINES * 80;

/// How much of a long text is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// All of it.
    Whole,
    /// As much as fits on a screen; this file has the full text.
    Screen(String),
    /// As much as fits on a screen; the full text isn't stored.
    ScreenOnly,
}

/// Shows the texts of one counterexample or problem.
#[derive(Debug)]
pub struct Screen<'l> {
    lengths: &'l Lengths,
    n_cut: usize,
}

impl Screen<'_> {
    /// Nothing has been shown.
    pub fn new(lengths: &Lengths) -> Screen<'_> {
        Screen { lengths, n_cut: 0 }
    }

    /// A text as shown: without control characters, and cut to a screen.
    pub fn show(&mut self, text: &str) -> String {
        if *self.lengths == Lengths::Whole {
            return crate::system::printable::plain(text);
        }
        let end = end_of_screen(text);
        if end == text.len() {
            return crate::system::printable::plain(text);
        }
        let n = text[end..].chars().count();
        self.n_cut += n;
        format!("{}… ({n} more characters)", crate::system::printable::plain(&text[..end]))
    }

    /// Whether a text is shown as a whole.
    pub fn has_room_for(&self, text: &str) -> bool {
        *self.lengths == Lengths::Whole || end_of_screen(text) == text.len()
    }

    /// A text that is useless if cut: `None` if it is longer than a screen.
    pub fn show_whole(&mut self, text: &str) -> Option<String> {
        let is_whole = self.has_room_for(text);
        self.n_cut += if is_whole { 0 } else { text.chars().count() };
        is_whole.then(|| crate::system::printable::plain(text))
    }

    /// Adds where to read the full text, if something was cut.
    pub fn end(self, text: &mut String) {
        if self.n_cut > 0 {
            let whole = match self.lengths {
                Lengths::Whole | Lengths::ScreenOnly => "`--message-format json` prints all of it".to_owned(),
                Lengths::Screen(file) => format!("all of it is in {}", crate::system::printable::plain(file)),
            };
            let _ = writeln!(text, "    too long for a screen: {whole}");
        }
    }
}

/// The first byte that doesn't fit on a screen.
fn end_of_screen(text: &str) -> usize {
    let by_characters = text.char_indices().nth(CHARACTERS).map_or(text.len(), |(at, _)| at);
    let by_lines = text.match_indices('\n').nth(LINES - 1).map_or(text.len(), |(at, _)| at);
    // A final line end starts no line.
    let by_lines = if by_lines + 1 >= text.len() { text.len() } else { by_lines };
    by_characters.min(by_lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_longer_than_a_screen_is_cut() {
        let lengths = Lengths::Screen("events.jsonl".to_owned());
        let mut screen = Screen::new(&lengths);
        let just = "é".repeat(CHARACTERS);
        assert_eq!(screen.show(&just), just);
        let lines = "x\n".repeat(LINES);
        assert_eq!(screen.show(&lines), lines);
        assert_eq!(screen.show(&format!("{just}abc")), format!("{just}… (3 more characters)"));
        assert_eq!(screen.show(&format!("{lines}y")), format!("{}… (2 more characters)", lines.trim_end()));
        assert_eq!(screen.show_whole(&format!("{just}abc")), None);
        let mut text = String::new();
        screen.end(&mut text);
        assert_eq!(text, "    too long for a screen: all of it is in events.jsonl\n");
    }

    #[test]
    fn a_file_has_all_of_it() {
        let mut screen = Screen::new(&Lengths::Whole);
        let long = "x".repeat(CHARACTERS + 1);
        assert_eq!(screen.show(&long), long);
        let mut text = String::new();
        screen.end(&mut text);
        assert_eq!(text, "");
    }
}
