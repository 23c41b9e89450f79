//! What a transport has to refuse, asked once a conversation is over, and the end of its session.
//!
//! Spec: Model Context Protocol, Transports, Streamable HTTP: Security Warning, Listening for Messages, Session Management and Protocol
//! Version Header.

use std::time::Duration;

use ureq::http::Uri;

use super::exchange::{Headers, Message, media_type, run};
use crate::{revision::NOBODY, rules::Rule, wire::Breach};

/// Where nobody's page comes from.
const ELSEWHERE: &str = "http://assize-probe.invalid";
const PING: &[u8] = br#"{"jsonrpc":"2.0","id":"examined","method":"ping"}"#;

/// A session that is to be examined.
pub(super) struct Examined<'c> {
    pub(super) url: &'c Uri,
    pub(super) headers: &'c Headers,
    pub(super) patience: Duration,
}

impl Examined<'_> {
    /// Status and type of a response; nothing where none comes.
    fn asked(&self, method: &str, headers: &Headers, line: Option<&[u8]>) -> Option<(u16, String)> {
        let message = line.map(Message::of);
        let sent = message.as_ref().zip(line);
        let response = run(self.url, method, headers, sent, self.patience).ok()?;
        Some((response.status().as_u16(), media_type(response.headers())))
    }
}

fn succeeds(status: u16) -> bool {
    (200..300).contains(&status)
}

/// What has to be refused.
pub(super) fn refusals(examined: &Examined<'_>, revision: &str, breaches: &mut Vec<Breach>) {
    let mut breach = |rule, message: String| breaches.push(Breach { rule, message });
    let given = examined.headers;
    let elsewhere = Headers { origin: Some(ELSEWHERE), ..given.clone() };
    match examined.asked("POST", &elsewhere, Some(PING)) {
        Some((status, _)) if succeeds(status) => {
            breach(Rule::HttpOrigin, format!("a request of another origin is answered by status {status}"));
        }
        Some((status, _)) if revision >= "2025-11-25" && status != 403 => {
            breach(Rule::HttpOrigin, format!("a request of another origin is refused by status {status}, not 403"));
        }
        _ => {}
    }
    let unspoken = Headers { revision: Some(NOBODY.to_owned()), ..given.clone() };
    if let Some((status, _)) = examined.asked("POST", &unspoken, Some(PING)).filter(|(status, _)| *status != 400) {
        breach(Rule::HttpVersion, format!("a revision that does not exist is answered by status {status}, not 400"));
    }
    if given.session.is_some() {
        let nameless = Headers { session: None, ..given.clone() };
        if let Some((status, _)) = examined.asked("POST", &nameless, Some(PING)).filter(|(status, _)| *status != 400) {
            breach(
                Rule::HttpSessionDue,
                format!("a request without the session is answered by status {status}, not 400"),
            );
        }
    }
    match examined.asked("GET", given, None) {
        Some((405, _)) | None => {}
        Some((status, typed)) if succeeds(status) && typed == "text/event-stream" => {}
        Some((status, typed)) => {
            breach(Rule::HttpGet, format!("a GET is answered by status {status} and type {typed:?}"));
        }
    }
}

/// Ends the session, and says how that went, and whether it has ended. A server may let nobody end it.
pub(super) fn ending(examined: &Examined<'_>) -> (String, bool) {
    match examined.asked("DELETE", examined.headers, None) {
        Some((status, _)) => (format!("a DELETE of the session was answered by status {status}"), succeeds(status)),
        None => ("a DELETE of the session had no response".to_owned(), false),
    }
}

/// What a session that was ended has to refuse.
pub(super) fn ended(examined: &Examined<'_>, breaches: &mut Vec<Breach>) {
    let after = examined.asked("POST", examined.headers, Some(PING));
    if let Some((status, _)) = after.filter(|(status, _)| *status != 404) {
        let message = format!("a request of a session that was ended is answered by status {status}, not 404");
        breaches.push(Breach { rule: Rule::HttpSessionEnded, message });
    }
}
