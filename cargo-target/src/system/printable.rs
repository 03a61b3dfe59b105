//! Text without control characters, so that a subject's output can't move the cursor or hide a line.

/// The user's text, safe to show anywhere. Control characters, invisible characters, and those that change the
/// direction of text are shown as escapes, so that a name or message reads as it is.
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // Line ends of Windows count as line ends.
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\n' | '\t' => shown.push(c),
            c if is_invisible(c) => escape(c, &mut shown),
            c => shown.push(c),
        }
    }
    shown
}

/// Adds a character as a Rust escape: `\r`, `\u{1b}`.
pub fn escape(c: char, shown: &mut String) {
    if c.is_control() {
        shown.extend(c.escape_default());
    } else {
        shown.extend(c.escape_unicode());
    }
}

/// Characters that are invisible or change the direction of text. The page's script has the same list.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
