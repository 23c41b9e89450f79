//! Chromium without a window, spoken to over its own pipe: no driver, no port, and no file but those of a folder that goes.

use std::{
    env,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

/// What it is called, by the system.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A browser that says nothing for so long is broken; no answer takes a part of it.
const PATIENCE: Duration = Duration::from_secs(900);

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    pipe: ChildStdin,
    heard: Receiver<Value>,
    session: Option<String>,
    asked: u64,
    /// What the page asked for, by address.
    pub(crate) requests: Vec<String>,
    /// What the page's console or the browser complains of.
    pub(crate) complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

/// Where a browser is, if one is here.
pub(crate) fn found() -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let mut places = env::split_paths(&paths).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    // Some systems have a script of the name, which only says how to install one.
    let runs = |place: &PathBuf| Command::new(place).arg("--version").output().is_ok_and(|ran| ran.status.success());
    places.find(|place| place.is_file() && runs(place))
}

impl Browser {
    /// Starts one at an empty page.
    pub(crate) fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let folder = format!("--user-data-dir={}", profile.path().display());
        // It reads its third descriptor and writes its fourth; the shell makes these of what every process has.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"])
            .arg(program)
            .args(["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--disable-gpu"])
            .args(["--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking", &folder])
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (pipe, said) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (tell, heard) = channel();
        thread::spawn(move || {
            let (mut said, mut frame) = (BufReader::new(said), Vec::new());
            while said.read_until(0, &mut frame).is_ok_and(|count| count > 0) {
                frame.pop();
                if tell.send(serde_json::from_slice(&frame).unwrap_or_default()).is_err() {
                    return;
                }
                frame.clear();
            }
        });
        let mut browser = Self {
            child,
            pipe,
            heard,
            session: None,
            asked: 0,
            requests: Vec::new(),
            complaints: Vec::new(),
            _profile: profile,
        };
        let target = browser.ask("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attached = browser.ask("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "DOM", "Network", "Log"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Asks the browser for something, and waits for its answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let mut frame = json!({"id": self.asked, "method": method, "params": params});
        if let Some(session) = &self.session {
            frame["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&frame).unwrap();
        bytes.push(0);
        self.pipe.write_all(&bytes).unwrap();
        loop {
            let said = self.heard.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{method}: {error}"));
            if said["id"] == self.asked {
                assert!(said["error"].is_null(), "{method}: {}", said["error"]);
                return said["result"].clone();
            }
            self.note(&said);
        }
    }

    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                self.requests.push(params["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            Some("Runtime.exceptionThrown") => self.complaints.push(params["exceptionDetails"].to_string()),
            Some("Log.entryAdded") => self.complaints.push(params["entry"].to_string()),
            Some("Inspector.targetCrashed") => panic!("the page crashed"),
            _ => {}
        }
    }

    /// What an expression gives in the page, once it is settled.
    pub(crate) fn see(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let said = self.ask("Runtime.evaluate", params);
        assert!(said["exceptionDetails"].is_null(), "{expression}: {said}");
        said["result"]["value"].clone()
    }

    /// Hands paths to an input of the page, as if people had chosen them.
    pub(crate) fn choose(&mut self, input: &str, paths: &[PathBuf]) {
        let root = self.ask("DOM.getDocument", json!({}))["root"]["nodeId"].clone();
        let node = self.ask("DOM.querySelector", json!({"nodeId": root, "selector": input}))["nodeId"].clone();
        self.ask("DOM.setFileInputFiles", json!({"files": paths, "nodeId": node}));
    }

    /// A picture of the page, as a PNG in base64.
    pub(crate) fn picture(&mut self) -> String {
        let params = json!({"captureBeyondViewport": true, "format": "png"});
        self.ask("Page.captureScreenshot", params)["data"].as_str().unwrap().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
