//! The site in a browser, from the file system: it is tried by itself, as the page that verifies is.

use std::{env, fs, path::PathBuf};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{Gallery, results::all};
use crate::{
    page::{
        browser::{self, Browser},
        skip,
    },
    support::is_said,
};

/// Settled once the page has been read.
const READY: &str =
    "new Promise((done) => document.readyState === 'complete' ? done(0) : addEventListener('load', () => done(0)))";

/// What people see of the index.
const SEEN: &str = r#"({
  rows: [...document.querySelectorAll(".implementations tbody tr")].filter((row) => row.checkVisibility()).map((row) => row.cells[0].innerText),
  said: document.getElementById("shown").innerText,
  none: document.getElementById("none").checkVisibility(),
  tools: document.getElementById("filter").checkVisibility(),
})"#;

#[test]
fn the_pages_of_a_gallery_are_filtered_folded_and_ask_for_nothing() {
    if !is_said("page") {
        return eprintln!("gallery: left to ASSIZE_LANGUAGES=page");
    }
    let Some(program) = browser::found() else { return skip("Chromium is not here (Debian: chromium)") };
    let gallery = Gallery::of(&all());
    gallery.write("site").exits(0);
    let mut browser = Browser::start(&program);
    let address = |path: &str| format!("file://{}", gallery.path("site").join(path).display());
    let mut visited = Vec::new();
    let mut open = |browser: &mut Browser, path: &str| {
        browser.ask("Page.navigate", json!({"url": address(path)}));
        browser.see(READY);
        visited.push(address(path));
    };
    open(&mut browser, "index.html");
    let mut filtered = |part: &str| -> Value {
        browser.see(&format!(
            "{{ const name = document.getElementById('name'); name.value = '{part}'; name.dispatchEvent(new Event('input')); }} 0"
        ));
        browser.see(SEEN)
    };
    let seen = filtered("");
    assert_eq!((seen["rows"].as_array().unwrap().len(), &seen["said"], &seen["tools"]), (7, &json!(""), &json!(true)));
    let seen = filtered("BROKEN strictly");
    assert_eq!((&seen["rows"], &seen["said"]), (&json!(["broken 10.0"]), &json!("1 of 7 shown")));
    let seen = filtered("nobody");
    assert_eq!((&seen["rows"], &seen["none"]), (&json!([]), &json!(true)));
    filtered("");
    browser.see("document.querySelector('#filter button[data-grade=\"conforms\"]').click()");
    assert_eq!(browser.see(SEEN)["rows"], json!(["ruled 1.0"]));
    picture(&mut browser, "gallery-index");
    // A link to a case of another page opens all that is folded around it.
    open(&mut browser, "implementations/broken-2.0.html#canon/rfc8785/lone-low");
    let shown = browser.see("document.getElementById('canon/rfc8785/lone-low').checkVisibility()");
    assert_eq!(shown, json!(true));
    picture(&mut browser, "gallery-implementation");
    open(&mut browser, "laws/canon/rfc8785.html");
    picture(&mut browser, "gallery-law");
    // On a narrow screen nothing but what says so is wider than the screen.
    let narrow = json!({"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true});
    browser.ask("Emulation.setDeviceMetricsOverride", narrow);
    for path in ["index.html", "implementations/broken-2.0.html", "laws/canon/rfc8785.html"] {
        open(&mut browser, path);
        assert_eq!(browser.see("document.documentElement.scrollWidth"), json!(360), "{path}");
        picture(&mut browser, &format!("gallery-narrow-{}", path.split('/').next().unwrap()));
    }
    let own: Vec<String> = visited.iter().map(|address| address.split('#').next().unwrap().to_owned()).collect();
    assert!(browser.requests.iter().all(|asked| own.contains(asked)), "{:?}", browser.requests);
    assert!(browser.requests.len() >= own.len() && browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

/// Leaves pictures of the page, light and dark, where they are wanted.
fn picture(browser: &mut Browser, name: &str) {
    let Some(folder) = env::var_os("ASSIZE_PICTURES").map(PathBuf::from) else { return };
    for scheme in ["light", "dark"] {
        let feature = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        browser.ask("Emulation.setEmulatedMedia", json!({"features": feature}));
        fs::write(folder.join(format!("{name}-{scheme}.png")), STANDARD.decode(browser.picture()).unwrap()).unwrap();
    }
}
