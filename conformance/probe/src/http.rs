//! Servers behind Streamable HTTP, on this machine alone.
//!
//! Spec: Model Context Protocol, Transports, Streamable HTTP, revisions 2025-03-26 to 2025-11-25. Of 2026-07-28 no page was read: its
//! headers are those that the protocol's libraries send, and no rule of this transport is asked.

mod conversation;
mod examine;
mod exchange;
mod stream;

use std::{
    net::{IpAddr, ToSocketAddrs as _},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use ureq::http::Uri;

use self::conversation::Conversation;
use crate::wire::{Start, Wire};

/// How long is waited, and how much is read.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For the first answer of a conversation.
    pub first: Duration,
    /// For every other.
    pub later: Duration,
    /// Bytes of a message.
    pub longest: usize,
}

/// Reaches a server that somebody else has started; each conversation is a session of it.
#[derive(Debug)]
pub struct Client {
    url: Uri,
    limits: Limits,
    /// Once it is set, nothing is waited for any more.
    stop: &'static AtomicBool,
}

impl Client {
    /// For one URL.
    ///
    /// # Errors
    /// If it is none, or leads anywhere but to this machine's loopback; the text says which.
    pub fn new(url: &str, limits: Limits, stop: &'static AtomicBool) -> Result<Self, String> {
        let parsed: Uri = url.parse().map_err(|why| format!("{url} is no URL: {why}"))?;
        if parsed.scheme_str() != Some("http") {
            return Err(format!(
                "{url} does not begin with http://: TLS is not spoken here, and nothing leaves this machine"
            ));
        }
        let (host, port) = (parsed.host().unwrap_or_default(), parsed.port_u16().unwrap_or(80));
        if parsed.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(format!("{url} has a user in it, which is not sent"));
        }
        if !is_loopback(host, port) {
            return Err(format!("{url} does not lead to this machine: name 127.0.0.1, [::1] or localhost"));
        }
        Ok(Self { url: parsed, limits, stop })
    }
}

/// Whether a host is this machine. Names of others are not even looked up.
fn is_loopback(host: &str, port: u16) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = bare.parse::<IpAddr>() {
        return address.is_loopback();
    }
    let found = || (bare, port).to_socket_addrs().ok().map(|found| found.map(|to| to.ip()).collect::<Vec<_>>());
    bare.eq_ignore_ascii_case("localhost")
        && found().is_some_and(|found| !found.is_empty() && found.iter().all(IpAddr::is_loopback))
}

impl Start for Client {
    fn start(&mut self) -> Result<Box<dyn Wire>, String> {
        Ok(Box::new(Conversation::new(self.url.clone(), self.limits, self.stop)))
    }

    fn is_http(&self) -> bool {
        true
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn patience(&self, first: bool) -> String {
        format!("{} ms", if first { self.limits.first } else { self.limits.later }.as_millis())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_this_machine_is_asked() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let limits = Limits { first: Duration::ZERO, later: Duration::ZERO, longest: 0 };
        let new = |url: &str| Client::new(url, limits, &STOP);
        for url in
            ["http://127.0.0.1:3001/mcp", "http://127.9.9.9/", "http://[::1]:80/mcp", "http://LOCALHOST:3001/mcp"]
        {
            assert!(new(url).is_ok(), "{url}");
        }
        for (url, why) in [
            ("https://127.0.0.1/mcp", "TLS"),
            ("127.0.0.1:3001", "http://"),
            ("http://192.0.2.1/mcp", "this machine"),
            ("http://0.0.0.0:3001/mcp", "this machine"),
            ("http://[::ffff:192.0.2.1]/mcp", "this machine"),
            ("http://127.0.0.1.example/mcp", "this machine"),
            ("http://localhost.example/mcp", "this machine"),
            ("http://127.0.0.1@192.0.2.1/mcp", "user"),
            ("http://a@127.0.0.1/mcp", "user"),
            ("http:///mcp", ""),
            ("", ""),
        ] {
            let refused = new(url).unwrap_err();
            assert!(refused.contains(why), "{url}: {refused}");
        }
    }
}
