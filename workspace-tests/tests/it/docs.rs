//! What the docs quote of the code is so: defaults, the order of characters, names of tests and files.

use std::fs;
use std::path::{Path, PathBuf};

use target_bridge::manifest::PartialSettings;
use target_strategies::space::FIRST_CHARS;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The words in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn the_docs_quote_the_defaults_of_the_options() {
    let defaults = PartialSettings::default().resolve();
    let in_seconds = |time: std::time::Duration| format!("\"{}s\"", time.as_secs());
    let memory = format!("\"{} MiB\"", defaults.memory >> 20);
    let lines = [
        format!("depth = {} ", defaults.depth),
        format!("cases = {} ", defaults.cases),
        format!("budget = {} ", in_seconds(defaults.budget)),
        format!("timeout = {} ", in_seconds(defaults.timeout)),
        format!("memory = {memory} "),
        format!("boundary = {} ", defaults.boundary),
    ];
    let reference = read("docs/spec-language.md");
    for line in lines {
        assert!(
            reference.lines().any(|text| text.starts_with(&line)),
            "docs/spec-language.md lacks `{line}`"
        );
    }
    let readme = read("README.md");
    for word in [&in_seconds(defaults.budget), &in_seconds(defaults.timeout), &memory] {
        assert!(quoted(&readme).any(|quoted| quoted == word), "README.md lacks `{word}`");
    }
    assert_eq!(defaults.bound, defaults.depth, "both say that the bound is the depth if it isn't set");
}

#[test]
fn the_docs_quote_the_characters_that_come_first() {
    let shown = FIRST_CHARS.map(|c| if c == '\n' { "\\n".to_owned() } else { c.to_string() });
    let space = shown.iter().position(|c| c == " ").unwrap();
    let (before, after) = (shown[..space].join(" "), shown[space + 1..].join(" "));
    let text = read("docs/spec-language.md").replace("\n  ", " ");
    let quote = format!("`{before}`, space, `{after}`");
    assert!(text.contains(&quote), "docs/spec-language.md lacks {quote}");
}

#[test]
fn the_page_on_reliability_names_files_and_tests_that_exist() {
    let page = read("docs/reliability.md");
    assert!(page.lines().count() <= 150, "docs/reliability.md is longer than a page");
    let is_path = |word: &&str| word.ends_with(".rs") || word.ends_with(".toml") || word.ends_with(".txt");
    let paths: Vec<&str> = quoted(&page).filter(is_path).collect();
    assert!(!paths.is_empty());
    for path in paths {
        assert!(root().join(path).is_file(), "docs/reliability.md names {path}");
    }
    // `cargo test -p PACKAGE .. -- MODULE::TEST` runs something only if there is such a module.
    let modules = read("workspace-tests/tests/it/main.rs");
    let commands = page.lines().filter(|line| line.contains("--test it -- "));
    for command in commands {
        let (_, filter) = command.split_once("--test it -- ").unwrap();
        let module = filter.split([':', ' ', '`']).next().unwrap();
        assert!(modules.contains(&format!("mod {module};\n")), "no tests are run by {command}");
    }
}
