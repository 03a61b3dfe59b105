//! The record of a run, what `cargo target report` makes of it, and its page in a real browser.

mod events;
pub mod runs;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use workspace_tests::browser::{Browser, Page};

use crate::support::{Fixture, Printed};

/// The ids of the runs, the newest first, as `--list` tells them.
fn runs(fixture: &Fixture) -> Vec<String> {
    let printed = fixture.target(&["report", "--list"]);
    printed.stdout.lines().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

/// The file that a command says it wrote.
fn written(fixture: &Fixture, printed: &Printed) -> PathBuf {
    assert_eq!(printed.code, 0, "{printed:?}");
    fixture.root.join(printed.stdout.trim().replace("[ROOT]", &fixture.root.to_string_lossy()))
}

#[test]
fn a_file_of_events_is_shown_again_in_any_form() {
    let fixture = Fixture::of("page::file", "", "");
    fixture.write("run.jsonl", &events::hostile(true));
    let text = fixture.target(&["report", "run.jsonl", "--color", "never"]);
    for words in ["</script><img src=x onerror=alert(1)>", "counterexample inside the bound", "6 functions: "]
    {
        assert!(text.stdout.contains(words), "no {words:?} in\n{}", text.stdout);
    }
    let file = fixture.target(&["report", "run.jsonl", "-o", "run.txt", "--color", "always", "-q"]);
    assert_eq!((file.code, file.stdout.as_str()), (0, ""), "{file:?}");
    assert!(!fixture.read("run.txt").contains('\u{1b}'));
    for format in ["terminal", "junit", "github", "markdown"] {
        let words = ["report", "run.jsonl", "--color", "never", "--format", format];
        let shown = fixture.target(&words).stdout;
        assert!(!shown.contains(['\u{202e}', '\u{2066}', '\u{1b}', '\u{7}']), "{format}: {shown:?}");
        assert!(shown.contains("202e"), "{format} shows that there is something: {shown}");
    }
    let same = fixture.target(&["report", "run.jsonl", "--format", "json"]);
    let events =
        |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    assert_eq!(events(&same.stdout), events(&fixture.read("run.jsonl")));
    let page = fixture.target(&["report", "run.jsonl", "--format", "html"]);
    assert_eq!(written(&fixture, &page), fixture.root.join("run.html"));
    let page = fixture.read("run.html");
    assert!(!page.contains("<img") && page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    open_in_a_browser(&fixture);
}

/// The browser is not waited for, so it answers through a pipe.
fn open_in_a_browser(fixture: &Fixture) {
    use std::os::unix::fs::PermissionsExt;
    let (browser, pipe) = (fixture.root.join("browser"), fixture.root.join("pipe"));
    fs::write(&browser, format!("#!/bin/sh\nprintf %s \"$1\" > '{}'\n", pipe.display())).unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = fixture.command(&["report", "run.jsonl", "--open", "-o", "opened.html"]);
    let output = command.env("BROWSER", &browser).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(&pipe).unwrap(), fixture.root.join("opened.html").to_string_lossy());
}

#[test]
fn what_cannot_be_shown_says_what_to_do() {
    let fixture = Fixture::of("page::mistakes", "", "");
    let complete = events::hostile(true);
    let torn: String = complete.lines().take(4).map(|line| format!("{line}\n")).collect();
    fixture.write("torn.jsonl", &format!("{torn}{{\"reason\":\"function-fin"));
    let shown = fixture.target(&["report", "torn.jsonl", "--color", "never"]);
    assert!(shown.code == 0 && shown.stdout.ends_with("the run did not come to its end\n"), "{shown:?}");
    assert!(shown.stderr.contains("line 5 of torn.jsonl breaks off, and is left out"), "{shown:?}");
    fixture.write("old.jsonl", "{\"reason\":\"run-started\",\"version\":1}\n");
    fixture.write("other.jsonl", "{}\n");
    let mistakes: [(&[&str], &str); 6] = [
        (&["old.jsonl"], "has events of version 1, and this is a cargo-target for version 3"),
        (&["other.jsonl"], "other.jsonl is no record of a run"),
        (&[], "no run is recorded yet: `cargo target run` records one"),
        (&["2026"], "no file `2026`, and no run is recorded yet"),
        (&["torn.jsonl", "--open", "--format", "json"], "leave --format out"),
        (&["torn.jsonl", "--open", "-o", "-"], "leave `-o -` out"),
    ];
    for (words, expected) in mistakes {
        let printed = fixture.target(&[&["report"], words].concat());
        assert!(printed.code == 2 && printed.stderr.contains(expected), "{words:?}: {printed:?}");
    }
    assert!(!fixture.root.join("torn.html").exists());
}

#[test]
fn the_page_of_a_run_works_in_a_browser() {
    let fixture = Fixture::new("page::browser", "scores");
    let words = ["run", "--exact", "rescale_nat", "rescale", "average_any", "--color", "never"];
    let run = fixture.target(&words);
    assert!(run.code == 1 && run.stderr.starts_with("report: "), "{run:?}");
    let again = fixture.target(&["report", "--color", "never"]);
    assert_eq!(again.stdout, run.stdout, "a record holds all that was shown");
    // Yesterday's are there, too.
    let id = &runs(&fixture)[0];
    assert_eq!(fixture.target(&["report", &id[..id.len() - 1], "--color", "never"]).stdout, run.stdout);
    let real = written(&fixture, &fixture.target(&["report", "--format", "html"]));
    assert!(real.ends_with(format!("{id}/report.html")), "{real:?}");
    fixture.write("run.jsonl", &events::hostile(true));
    let made_up = written(&fixture, &fixture.target(&["report", "run.jsonl", "--format", "html"]));
    fixture.write("killed.jsonl", &events::hostile(false));
    let killed = written(&fixture, &fixture.target(&["report", "killed.jsonl", "--format", "html"]));

    let mut browser = Browser::launch();
    real_run(browser.open(&real, 1280, false));
    hostile_run(browser.open(&made_up, 1280, false));
    narrow(browser.open(&made_up, 400, true));
    policy(browser.open(&made_up, 800, false));
    let mut page = browser.open(&killed, 800, false);
    let notice = page.evaluate("document.querySelector('.notice').textContent");
    assert!(notice.as_str().unwrap().contains("did not come to its end"), "{notice}");
}

const NAMES: &str = "[...document.querySelectorAll('#overview tbody tr:not(.detail):not([hidden]) th')].map(name => name.textContent)";

fn is_clean(page: &mut Page) {
    assert_eq!(page.complaints(), Vec::<&Value>::new());
    let requests = page.requests();
    assert!(requests.len() == 1 && requests[0].starts_with("file://"), "{requests:?}");
}

fn real_run(mut page: Page) {
    assert_eq!(page.evaluate(NAMES), json!(["rescale_nat", "rescale", "average_any"]));
    // The figures of the table are those of the events; the sort is by what they are, not by how they are written.
    let order = |page: &mut Page, column: usize| {
        let head = format!("document.querySelectorAll('#overview thead th')[{column}]");
        page.evaluate(&format!("{head}.querySelector('button').click()"));
        let cells = format!(
            "[...document.querySelectorAll('#overview tbody tr:not(.detail)')].map(row => row.cells[{column}].dataset.number)"
        );
        (page.evaluate(&format!("{head}.getAttribute('aria-sort')")), page.evaluate(&cells))
    };
    let numbers = |cells: &Value| -> Vec<f64> {
        let cells = cells.as_array().unwrap().iter();
        cells.filter_map(|cell| cell.as_str()?.parse().ok()).collect()
    };
    let (sort, valid) = order(&mut page, 4);
    assert!(sort == "descending" && numbers(&valid).is_sorted_by(|a, b| a >= b), "{sort} {valid}");
    let (sort, valid) = order(&mut page, 4);
    assert!(sort == "ascending" && numbers(&valid).is_sorted(), "{sort} {valid}");
    let (_, failed_at) = order(&mut page, 7);
    assert_eq!(numbers(&failed_at).len(), 2, "a function that passed has no number: {failed_at}");
    assert_eq!(failed_at[2], Value::Null, "and stands last");
    assert_eq!(page.evaluate("document.querySelectorAll('[aria-sort]').length"), 1);
    // By keyboard alone.
    page.evaluate("document.querySelector('#open-0 .opener').focus()");
    page.press_enter();
    let opened = "document.querySelector('#open-0 .opener').getAttribute('aria-expanded')";
    assert_eq!(page.evaluate(opened), "true");
    let labels = page
        .evaluate("[...document.querySelectorAll('#detail-0 .axis-label')].map(label => label.textContent)");
    for label in ["valid inputs", "cases, discarded ones included"] {
        assert!(labels.as_array().unwrap().contains(&label.into()), "{labels}");
    }
    let text = page.evaluate("document.querySelector('#detail-0').textContent");
    for words in [
        "rescale_nat(1, 0, 0)",
        "returned 0",
        "v < r2",
        "Cargo.toml:16:38",
        "assert!(0 <= result && result < r2",
        "cargo target run -p scores",
    ] {
        assert!(text.as_str().unwrap().contains(words), "no {words:?} in {text}");
    }
    page.press_enter();
    assert_eq!(
        (page.evaluate(opened), page.evaluate("document.querySelector('#detail-0').hidden")),
        ("false".into(), true.into())
    );
    is_clean(&mut page);
}

fn hostile_run(mut page: Page) {
    let all = page.evaluate(NAMES);
    let names = events::NAMES.map(events::shown);
    assert_eq!(all, json!(names));
    page.evaluate("document.querySelector('[data-verdict=failed]').click()");
    assert_eq!(page.evaluate(NAMES), json!([names[0], names[5]]));
    page.evaluate("document.querySelector('button[data-verdict=passed]').click()");
    assert_eq!(page.evaluate(NAMES), json!([names[0], names[1], names[5]]));
    let search = |text: &str| {
        format!(
            "(search => {{ search.value = '{text}'; search.dispatchEvent(new Event('input')); }})(document.getElementById('search'))"
        )
    };
    page.evaluate(&search("ONERROR"));
    assert_eq!(page.evaluate(NAMES), json!([names[0]]));
    assert_eq!(page.evaluate("document.getElementById('status').textContent"), "1 of 6 shown");
    page.evaluate(&search(""));
    page.evaluate("document.querySelectorAll('.chip[aria-pressed=true]').forEach(chip => chip.click())");
    assert_eq!(page.evaluate(NAMES), all);
    open_all(&mut page);
    page.evaluate("document.querySelectorAll('.choice button').forEach(button => button.click())");
    page.resize(1000);
    // What is text stays text: there is no element but the page's own, and nothing ran.
    assert_eq!(page.evaluate("document.querySelectorAll('img, iframe').length"), 0);
    assert_eq!(page.evaluate("document.querySelectorAll('script:not([type]), style').length"), 2);
    assert_eq!(page.evaluate("typeof pwned"), "undefined");
    let text = page.evaluate("document.querySelector('main').textContent");
    for words in events::HOSTILE.map(events::shown) {
        assert!(text.as_str().unwrap().contains(&words), "no {words:?}");
    }
    let said = "It generalizes: all values of any_1 that were tried within the spec fail too:";
    assert!(text.as_str().unwrap().contains(said), "no {said:?}");
    assert!(text.as_str().unwrap().contains("12 other values were tried."));
    for heading in [
        "How it went",
        "First failure, by round",
        "Sizes of inputs",
        "Ends of ranges",
        "By generator",
        "Coverage",
    ] {
        let there = format!(
            "[...document.querySelectorAll('#detail-0 h3')].some(h => h.textContent === '{heading}')"
        );
        assert_eq!(page.evaluate(&there), true, "{heading}");
    }
    assert!(text.as_str().unwrap().contains("2020–21"), "medians come with their range");
    let marked = page.evaluate("[...document.querySelectorAll('mark')].map(mark => mark.textContent)");
    assert_eq!(marked, json!(["grün()", "{", "}"]));
    plots_are_sound(&mut page);
    is_clean(&mut page);
}

/// Opens all that can be opened.
fn open_all(page: &mut Page) {
    page.evaluate("document.querySelectorAll('.opener').forEach(opener => opener.click())");
    page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)");
}

fn plots_are_sound(page: &mut Page) {
    let bad = page.evaluate("[...document.querySelectorAll('svg [d], svg [x], svg [cx]')].filter(node => /NaN|Infinity|undefined/.test(node.outerHTML)).length");
    assert_eq!(bad, 0, "a plot has places that are none");
    let text = page.evaluate("document.body.textContent");
    assert!(!text.as_str().unwrap().contains("[object "), "something is shown that is no text: {text}");
    let outside = "[...document.querySelectorAll('.plot text')].filter(text => { \
                   const [own, plot] = [text, text.closest('.plot')].map(node => node.getBoundingClientRect()); \
                   return own.left < plot.left - 1 || own.right > plot.right + 1; }).map(text => text.textContent)";
    assert_eq!(page.evaluate(outside), json!([]), "words stand outside of their plots");
}

/// Markup that slipped through would come to nothing: the policy knows the page's own script and style only.
fn policy(mut page: Page) {
    is_clean(&mut page);
    let add = |tag: &str, text: &str| {
        format!(
            "document.body.append(Object.assign(document.createElement('{tag}'), {{ textContent: '{text}' }}))"
        )
    };
    page.evaluate(&add("script", "window.slipped = 1"));
    page.evaluate(&add("style", "body { display: none }"));
    assert_eq!(page.evaluate("typeof slipped"), "undefined");
    assert_ne!(page.evaluate("getComputedStyle(document.body).display"), "none");
    assert_eq!(page.complaints().len(), 2, "{:#?}", page.complaints());
}

fn narrow(mut page: Page) {
    fits(&mut page, 400);
    open_all(&mut page);
    page.resize(400);
    fits(&mut page, 400);
    plots_are_sound(&mut page);
    let dark = page.evaluate("getComputedStyle(document.body).backgroundColor");
    assert_ne!(dark, "rgb(255, 255, 255)");
    is_clean(&mut page);
}

/// Asserts that nothing is wider than the window.
fn fits(page: &mut Page, width: u32) {
    let widths = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]";
    assert_eq!(page.evaluate(widths), json!([width, width]));
}
