//! The pages of runs that other tests did anyway, in a real browser.

use serde_json::{Value, json};
use workspace_tests::browser::{Browser, Page};

use super::{fits, is_clean, open_all, plots_are_sound, written};
use crate::support::Fixture;

/// The page of the newest run with `--coverage`: curves, and the source with what no input reached, by line and text.
pub fn coverage(fixture: &Fixture, uncovered: &Value) {
    let file = written(fixture, &fixture.target(&["report", "--format", "html"]));
    let mut browser = Browser::launch();
    for (width, dark) in [(1280, false), (400, true)] {
        let mut page = browser.open(&file, width, dark);
        open_all(&mut page);
        page.resize(width);
        curves(&mut page);
        let marked = "[...document.querySelectorAll('.source tbody tr')].flatMap(row => \
                      [...row.querySelectorAll('mark')].map(mark => [row.cells[0].textContent, mark.textContent]))";
        assert_eq!(&page.evaluate(marked), uncovered);
        let never =
            "[...document.querySelectorAll('.source .never')].map(cell => cell.previousSibling.textContent)";
        let lines: Vec<&Value> = uncovered.as_array().unwrap().iter().map(|mark| &mark[0]).collect();
        let never = page.evaluate(never);
        assert!(never.as_array().unwrap().iter().all(|line| lines.contains(&line)), "{never} of {uncovered}");
        fits(&mut page, width);
        plots_are_sound(&mut page);
        is_clean(&mut page);
    }
}

/// The curves of the first function's generators grow, over axes that say what they are.
fn curves(page: &mut Page) {
    let section = "[...document.querySelectorAll('#detail-0 section')].find(section => section.querySelector('h3')?.textContent === 'Coverage')";
    let labels = format!("[...{section}.querySelectorAll('.axis-label')].map(label => label.textContent)");
    let press = |text: &str| {
        format!(
            "[...{section}.querySelectorAll('.choice button')].find(button => button.textContent === '{text}').click()"
        )
    };
    assert_eq!(page.evaluate(&labels), json!(["regions reached", "cases, discarded ones included"]));
    let curves =
        format!("[...{section}.querySelectorAll('.plot .series')].map(path => path.getAttribute('d'))");
    let check = |page: &mut Page| {
        let curves = page.evaluate(&curves);
        assert_eq!(curves.as_array().unwrap().len(), 2, "{curves}");
        for curve in curves.as_array().unwrap() {
            let points = curve.as_str().unwrap().trim_start_matches('M').split('L');
            let points: Vec<[f64; 2]> = points
                .map(|point| {
                    let (x, y) = point.split_once(' ').unwrap();
                    [x, y].map(|number| number.parse().unwrap())
                })
                .collect();
            assert!(points.len() > 1, "{curve}");
            // Up is less.
            assert!(points.is_sorted_by(|a, b| a[0] <= b[0] && a[1] >= b[1]), "{curve}");
        }
    };
    check(page);
    for text in ["lines", "time", "linear"] {
        page.evaluate(&press(text));
        check(page);
    }
    assert_eq!(page.evaluate(&labels), json!(["lines reached", "time of the instrumented run"]));
}

/// The page of the newest run of the fixture `hostile`: each death is told in words, and nothing breaks the page.
pub fn deaths(fixture: &Fixture) {
    let file = written(fixture, &fixture.target(&["report", "--format", "html"]));
    let mut browser = Browser::launch();
    let mut page = browser.open(&file, 400, false);
    open_all(&mut page);
    page.resize(400);
    let text = page.evaluate("document.querySelector('main').textContent");
    for words in [
        "panicked: three is right out",
        "aborted the process",
        "overflowed the stack",
        "ran longer than its time limit",
        "asked for more than its memory limit",
        "ended the process: exit code 7",
        "where the spec requires a panic",
        "Not confirmed: ",
    ] {
        assert!(text.as_str().unwrap().contains(words), "no {words:?} in {text}");
    }
    fits(&mut page, 400);
    plots_are_sound(&mut page);
    is_clean(&mut page);
}
