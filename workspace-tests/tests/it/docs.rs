//! What the docs quote is so: defaults, the order of characters, names of tests and files, links, options, and the output of
//! the commands in the README, the tutorial, and the pages that show a whole example.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use target_bridge::frontend::manifest::PartialSettings;
use target_strategies::space::FIRST_CHARS;

use crate::support::{Fixture, download};

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

/// How pages of the book link to files outside it.
const REPOSITORY: &str = "https://github.com/cargo-target/cargo-target/blob/main/";

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
    let options = read("docs/command-line.md");
    let rows = [
        format!("| `--depth N` | {} |", defaults.depth),
        format!("| `--cases N` | {} |", defaults.cases),
        format!("| `--budget TIME` | `{}` |", in_seconds(defaults.budget).replace('"', "")),
        format!("| `--timeout TIME` | `{}` |", in_seconds(defaults.timeout).replace('"', "")),
        format!("| `--memory SIZE` | `{}` |", memory.replace(['"', ' '], "")),
    ];
    for row in rows {
        assert!(options.lines().any(|line| line.starts_with(&row)), "docs/command-line.md lacks `{row}`");
    }
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

/// The pages, from the root.
fn pages() -> Vec<String> {
    let pages = fs::read_dir(root().join("docs")).unwrap().map(|entry| {
        let name = entry.unwrap().file_name();
        format!("docs/{}", name.to_str().unwrap())
    });
    let mut pages: Vec<String> = pages.filter(|page| page.ends_with(".md")).collect();
    pages.extend(["README.md", "DESIGN.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(String::from));
    pages.sort();
    pages
}

/// Where the links of a page lead: `](here)`, code aside.
fn links(page: &str) -> Vec<String> {
    let mut is_code = false;
    let mut links = Vec::new();
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        if !is_code {
            let text: String = line.split('`').step_by(2).collect();
            links.extend(text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned()));
        }
    }
    links
}

/// The text after `#` in a link to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn every_link_between_the_pages_leads_to_a_file_and_a_heading() {
    for page in pages() {
        let text = read(&page);
        for link in links(&text) {
            let here = link.strip_prefix(REPOSITORY);
            if here.is_none() && link.contains("://") {
                continue;
            }
            // A relative link that leaves the folder leads nowhere in the book.
            assert!(!page.starts_with("docs/") || !link.starts_with("../"), "{page} links to {link}");
            let folder =
                if here.is_some() { root() } else { root().join(&page).parent().unwrap().to_owned() };
            let link = here.unwrap_or(&link);
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let file = if path.is_empty() { root().join(&page) } else { folder.join(path) };
            assert!(file.exists(), "{page} links to {link}");
            if !heading.is_empty() {
                let text = fs::read_to_string(&file).unwrap();
                let titles = text.lines().filter(|line| line.starts_with('#'));
                let is_there =
                    titles.map(|line| line.trim_start_matches(['#', ' '])).any(|t| anchor(t) == heading);
                assert!(is_there, "{page} links to {link}: there is no such heading");
            }
        }
    }
}

#[test]
fn the_summary_lists_every_page() {
    let summary = links(&read("docs/SUMMARY.md"));
    for page in pages() {
        if let Some(name) = page.strip_prefix("docs/").filter(|name| *name != "SUMMARY.md") {
            assert!(summary.iter().any(|link| link == name), "docs/SUMMARY.md lacks {name}");
        }
    }
}

#[test]
fn the_page_on_the_command_line_has_every_command_and_option() {
    let fixture = Fixture::new("docs::command_line", "tutorial");
    let page = read("docs/command-line.md");
    let printed = |words: &[&str]| {
        let output = fixture.command(words).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let help = printed(&["--help"]);
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // The description of a command goes on below it, further to the right.
    let commands =
        listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    for command in commands.filter(|command| *command != "help") {
        assert!(quoted(&page).any(|word| word == command), "docs/command-line.md lacks `{command}`");
        let help = printed(&["help", command]);
        let options = help.split_whitespace().filter(|word| word.starts_with("--") && *word != "--help");
        for option in options.map(|option| option.trim_end_matches(|c: char| !c.is_alphanumeric())) {
            let is_there = quoted(&page).any(|words| words.split(' ').next() == Some(option));
            assert!(is_there, "docs/command-line.md lacks `{option}` of `{command}`");
        }
    }
}

/// A line without what differs from run to run: times, and the columns that these move. Of a baseline only the verdict is
/// kept, as its figures depend on how fast the machine is.
fn comparable(line: &str) -> String {
    let is_time = |word: &&str| {
        let number = word.trim_end_matches(['m', 's']);
        number.len() < word.len() && number.parse::<f64>().is_ok()
    };
    let words: Vec<&str> = line.split_whitespace().filter(|word| !is_time(word)).collect();
    let is_baseline = matches!(words.first(), Some(&("random" | "enumerative")));
    words[..words.len().min(if is_baseline { 2 } else { usize::MAX })].join(" ")
}

/// Whether a command printed these lines, where `...` are any number of lines.
fn fits(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        (["...", shown @ ..], _) => (0..=printed.len()).any(|skipped| fits(shown, &printed[skipped..])),
        ([first, shown @ ..], [line, printed @ ..]) => {
            comparable(first) == comparable(line) && fits(shown, printed)
        }
        (rest, printed) => rest.is_empty() && printed.is_empty(),
    }
}

/// The commands in the blocks `console` of a page, each with the lines below it.
fn sessions(page: &str) -> Vec<(&str, Vec<&str>)> {
    let mut sessions: Vec<(&str, Vec<&str>)> = Vec::new();
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                sessions.push((command, Vec::new()));
            } else if let Some((_, lines)) = sessions.last_mut() {
                lines.push(line);
            }
        }
    }
    sessions
}

/// One test for both pages: their runs save counterexamples of the same package.
#[test]
fn the_commands_of_the_readme_and_the_tutorial_print_what_these_show() {
    for (page, test) in [("README.md", "docs::readme"), ("docs/tutorial.md", "docs::tutorial")] {
        let fixture = Fixture::new(test, "tutorial").with_saved("tutorial");
        let text = read(page);
        assert!(!sessions(&text).is_empty(), "{page} shows no command");
        assert_prints(&fixture, page, &text);
    }
}

/// Runs the commands of a text, and compares what they print. `UPDATE_EXPECT=1` rewrites the page instead, as it does for
/// other expected output.
fn assert_prints(fixture: &Fixture, page: &str, text: &str) {
    let tool = fixture.command(&[]);
    for (command, shown) in sessions(text) {
        let mut shell = Command::new("sh");
        for (name, value) in tool.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let script = format!("exec 2>&1\ncargo() {{ \"$TOOL\" \"$@\"; }}\n{command}");
        shell.args(["-c", &script]).env("TOOL", tool.get_program()).current_dir(&fixture.root);
        let output = String::from_utf8(shell.output().unwrap().stdout).unwrap();
        // On a slow machine there are lines of progress.
        let is_progress =
            |line: &&str| line.starts_with("     Running ") || line.starts_with("    Building ");
        let printed: Vec<&str> = output.trim_end().lines().filter(|line| !is_progress(line)).collect();
        if !fits(&shown, &printed) && std::env::var_os("UPDATE_EXPECT").is_some() {
            rewrite(page, command, &shown, &printed);
            continue;
        }
        assert!(
            fits(&shown, &printed),
            "{page} shows\n$ {command}\n{}\nand the command prints\n{output}",
            shown.join("\n")
        );
    }
}

/// Replaces what a page shows of a command. Where it ends with `...`, it shows as many lines as before.
fn rewrite(page: &str, command: &str, shown: &[&str], printed: &[&str]) {
    let whole = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let new = match shown {
        [first @ .., "..."] => {
            whole(&printed.iter().take(first.len()).chain([&"..."]).copied().collect::<Vec<_>>())
        }
        _ => whole(printed),
    };
    let old = format!("$ {command}\n{}", whole(shown));
    let text = read(page).replacen(&old, &format!("$ {command}\n{new}"), 1);
    fs::write(root().join(page), text).unwrap();
}

/// The text of the blocks of a language.
fn blocks(section: &str, language: &str) -> String {
    let start = format!("```{language}\n");
    let blocks = section.split(&start).skip(1);
    blocks.map(|block| block.split("```").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// A section that shows commands is a crate: its blocks `toml` end the manifest, its blocks `rust` are the library.
#[test]
fn the_examples_of_pages_are_crates_on_which_commands_print_what_these_show() {
    // It has the crate that a page names.
    download("dates");
    for (page, n_shown) in [("docs/other-crates.md", 2), ("docs/private-items.md", 1)] {
        let text = read(page);
        let of_commands = |section: &&str| !sessions(section).is_empty();
        let shown: Vec<&str> = text.split("\n## ").filter(of_commands).collect();
        assert_eq!(shown.len(), n_shown, "{page}");
        for section in shown {
            let fixture = Fixture::of("docs::examples", &blocks(section, "toml"), &blocks(section, "rust"));
            // Runs save counterexamples by the name of the package.
            fixture.write("Cargo.toml", &fixture.read("Cargo.toml").replacen("\"sample\"", "\"example\"", 1));
            assert_prints(&fixture.with_saved("example"), page, section);
        }
    }
}
