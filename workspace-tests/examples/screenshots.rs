//! Pictures of the page of a run for the docs; `workspace-tests/screenshots.sh` calls it.
//!
//! `screenshots PAGE FUNCTION OTHER FOLDER` opens the page, opens the function in it, and writes `report-light.png` and
//! `report-narrow.png` into the folder, and for the other function `report-dark.png`.

use std::path::Path;

use base64::Engine;
use workspace_tests::browser::Browser;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [page, function, other, folder] = words.as_slice() else {
        panic!("usage: screenshots PAGE FUNCTION OTHER FOLDER")
    };
    let page = Path::new(page).canonicalize().expect("the page is there");
    let mut browser = Browser::launch();
    for (name, width, height, dark) in
        [("light", 1000, 1080, false), ("dark", 1000, 1060, true), ("narrow", 400, 1200, false)]
    {
        let mut page = browser.open(&page, width, dark);
        let function = if dark { other } else { function };
        page.evaluate(&format!(
            "[...document.querySelectorAll('.opener')].find(opener => opener.textContent === {function:?}).click()"
        ));
        page.resize(width);
        let picture = base64::engine::general_purpose::STANDARD.decode(page.screenshot(height, width));
        let picture = picture.expect("the browser's base64 is sound");
        let file = Path::new(folder).join(format!("report-{name}.png"));
        std::fs::write(&file, picture).expect("the folder can be written to");
        println!("{}", file.display());
    }
}
