//! A real browser without a window, driven over its DevTools protocol: Chromium reads commands on one pipe and answers on
//! another, so no port is opened and no crate is needed.
//!
//! `workspace-tests/setup-chromium.sh` installs one. `CHROMIUM` names another program.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A running browser; dropped, it ends.
pub struct Browser {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    last_id: u64,
    /// What pages told beside answers.
    events: Vec<Value>,
    /// Its settings and caches, which nobody wants to keep.
    _profile: tempfile::TempDir,
}

/// A page of a browser.
pub struct Page<'b> {
    browser: &'b mut Browser,
    session: String,
}

/// The programs that speak the protocol, by their names on different systems.
const PROGRAMS: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chromium-headless-shell",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

fn program() -> PathBuf {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return named.into();
    }
    let folders: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let places = PROGRAMS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = places.into_iter().find(|place| place.is_file());
    found.expect("no Chromium: `sh workspace-tests/setup-chromium.sh` installs it, or CHROMIUM names one")
}

impl Browser {
    /// Starts a browser.
    pub fn launch() -> Browser {
        let profile = tempfile::tempdir().expect("a folder for the browser's profile");
        // The protocol is spoken on the descriptors 3 and 4, where only a shell can put pipes without unsafe code.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#])
            .arg(program())
            .args(["--headless", "--remote-debugging-pipe", "--no-first-run", "--hide-scrollbars"])
            // Containers have neither what the sandbox needs, nor much shared memory. The pages are our own.
            .args(["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell starts");
        let commands = child.stdin.take().expect("it is piped");
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        Browser { child, commands, answers, last_id: 0, events: Vec::new(), _profile: profile }
    }

    /// Opens a file in a window of that width, and waits until it is loaded.
    pub fn open(&mut self, file: &Path, width: u32, dark: bool) -> Page<'_> {
        let target = self.call(None, "Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.call(None, "Target.attachToTarget", attach)["sessionId"].clone();
        let session = session.as_str().expect("a session has a name").to_owned();
        self.events.clear();
        let mut page = Page { browser: self, session };
        for domain in ["Runtime", "Log", "Page", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        page.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        page.resize(width);
        page.call("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        let loaded = "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))";
        page.evaluate(loaded);
        page
    }

    /// Says something and waits for the answer.
    fn call(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut command = json!({ "id": self.last_id, "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        let sent = write!(self.commands, "{command}\0").and_then(|()| self.commands.flush());
        sent.unwrap_or_else(|error| panic!("the browser takes no {method}: {error}"));
        loop {
            let mut answer = Vec::new();
            let read = self.answers.read_until(0, &mut answer);
            assert!(read.is_ok_and(|read| read > 0), "the browser ended before it answered {method}");
            answer.pop();
            let answer: Value = serde_json::from_slice(&answer).expect("the browser speaks JSON");
            if answer["id"] == self.last_id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // At the end of the commands it would end, too, but later.
        let _ = write!(self.commands, "{}\0", json!({ "id": 0, "method": "Browser.close" }));
        let _ = self.commands.flush();
        let _ = self.child.wait();
    }
}

impl Page<'_> {
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.browser.call(Some(&self.session), method, params)
    }

    /// The value of a JavaScript expression, awaited if it is a promise.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", params);
        let exception = &answer["exceptionDetails"];
        assert!(exception.is_null(), "{expression}: {exception:#}");
        answer["result"]["value"].clone()
    }

    /// Gives the window a width, and waits until the page has been drawn in it.
    pub fn resize(&mut self, width: u32) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        self.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))",
        );
    }

    /// Presses Enter on whatever has the focus.
    pub fn press_enter(&mut self) {
        for kind in ["keyDown", "keyUp"] {
            let key = json!({ "type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r" });
            self.call("Input.dispatchKeyEvent", key);
        }
    }

    /// A picture of the window, or of a part of the page, as PNG in base64.
    pub fn screenshot(&mut self, height: u32, width: u32) -> String {
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 });
        let params = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let answer = self.call("Page.captureScreenshot", params);
        answer["data"].as_str().expect("a picture is text").to_owned()
    }

    /// What went wrong since the page was opened: exceptions, what the console got, what the browser warns of.
    pub fn complaints(&self) -> Vec<&Value> {
        let bad = ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"];
        let is_bad = |event: &&Value| bad.iter().any(|method| event["method"] == *method);
        self.browser.events.iter().filter(is_bad).collect()
    }

    /// The addresses that were asked for.
    pub fn requests(&self) -> Vec<&str> {
        let is_request = |event: &&Value| event["method"] == "Network.requestWillBeSent";
        let asked = self.browser.events.iter().filter(is_request);
        asked.filter_map(|event| event["params"]["request"]["url"].as_str()).collect()
    }
}
