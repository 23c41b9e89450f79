//! The fixture behind Streamable HTTP: a listener on loopback, which keeps every rule of the transport but one.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::Value;

use crate::fixture::{Fixture, Reaction};

type Shows = (&'static str, &'static str);

const ALL: Shows = ("2025-03-26", "2025-11-25");

/// Faults of the transport, each with its rule and the revisions in which it shows.
pub(crate) const CARRIAGE: &[(&str, &str, Shows)] = &[
    ("chatter", "http-messages", ("2025-03-26", "2026-07-28")),
    ("plain-text", "http-content-type", ALL),
    ("notices-with-200", "http-accepted", ALL),
    ("get-as-json", "http-get", ALL),
    ("any-origin", "http-origin", ALL),
    ("refuses-origins-oddly", "http-origin", ("2025-11-25", "2025-11-25")),
    ("session-with-space", "http-session-id", ALL),
    ("session-not-due", "http-session-due", ALL),
    ("session-stays", "http-session-ended", ALL),
    ("any-version", "http-version", ("2025-06-18", "2025-11-25")),
];

/// How a server behaves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Manner {
    /// A fault of the transport.
    pub(crate) fault: &'static str,
    /// A fault of the server behind it.
    pub(crate) server: &'static str,
    pub(crate) envelopes: bool,
    /// Whether answers come as streams of events.
    pub(crate) streams: bool,
    /// Where it sends whoever asks.
    pub(crate) redirects: Option<String>,
}

/// A listener, of which the thread ends with the process.
pub(crate) struct Listener {
    port: u16,
    asked: Arc<AtomicUsize>,
}

struct Server {
    manner: Manner,
    sessions: Mutex<BTreeMap<String, Fixture>>,
    begun: AtomicUsize,
}

struct Request {
    method: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Listener {
    pub(crate) fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, asked) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&asked);
        let server = Arc::new(Server { manner, sessions: Mutex::default(), begun: AtomicUsize::new(0) });
        thread::spawn(move || {
            for stream in listener.incoming() {
                counted.fetch_add(1, Ordering::SeqCst);
                let (stream, server) = (stream.unwrap(), Arc::clone(&server));
                thread::spawn(move || server.serve(stream));
            }
        });
        Self { port, asked }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Request {
    /// Nothing where whoever asks has gone.
    fn read(stream: &TcpStream) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let method = line.split(' ').next()?.to_owned();
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        Some(Self { method, headers, body })
    }

    fn has(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

impl Server {
    fn is(&self, fault: &str) -> bool {
        self.manner.fault == fault
    }

    fn serve(&self, stream: TcpStream) {
        let Some(request) = Request::read(&stream) else { return };
        if self.is("silent") {
            // Until the other side gives up.
            let _ = (&stream).read(&mut [0]);
            return;
        }
        // Who has gone is told nothing.
        let _ = self.answer(&request, &stream);
    }

    fn answer(&self, request: &Request, stream: &TcpStream) -> std::io::Result<()> {
        if let Some(elsewhere) = &self.manner.redirects {
            return write(stream, 307, &format!("location: {elsewhere}\r\n"), b"");
        }
        if !request.has("origin").is_empty() && !self.is("any-origin") {
            return write(stream, if self.is("refuses-origins-oddly") { 401 } else { 403 }, "", b"");
        }
        let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let stateless = message.pointer("/params/_meta").is_some();
        let version = request.has("mcp-protocol-version");
        if version == "1900-01-01" && !stateless && !self.is("any-version") {
            return write(stream, 400, "", b"");
        }
        match request.method.as_str() {
            "GET" if self.is("get-as-json") => return write(stream, 200, "content-type: application/json\r\n", b"{}"),
            "GET" => return write(stream, 405, "", b""),
            "DELETE" => {
                if !self.is("session-stays") {
                    self.sessions.lock().unwrap().remove(request.has("mcp-session-id"));
                }
                return write(stream, 204, "", b"");
            }
            _ => {}
        }
        assert_eq!(request.has("accept"), "application/json, text/event-stream");
        assert_eq!(request.has("content-type"), "application/json");
        let mut sessions = self.sessions.lock().unwrap();
        let begins = message["method"] == "initialize";
        let name = match request.has("mcp-session-id") {
            _ if stateless => String::new(),
            "" if begins => {
                let number = self.begun.fetch_add(1, Ordering::SeqCst);
                if self.is("session-with-space") { format!("session {number}") } else { format!("session-{number}") }
            }
            "" if self.is("session-not-due") => sessions.keys().next().unwrap().clone(),
            "" => return write(stream, 400, "", b""),
            named if sessions.contains_key(named) => named.to_owned(),
            _ => return write(stream, 404, "", b""),
        };
        let fixture = sessions.entry(name.clone());
        let fixture = fixture.or_insert_with(|| Fixture::with(self.manner.server, self.manner.envelopes));
        // What was agreed on is said from the first revision that wants it.
        if !begins && !stateless && !self.is("any-version") {
            assert_eq!(version.is_empty(), !fixture.since("2025-06-18"), "{version:?}");
        }
        let answers = fixture.take(&request.body);
        drop(sessions);
        let session = if begins { format!("mcp-session-id: {name}\r\n") } else { String::new() };
        let asks = |one: &Value| one.get("id").is_some() && one.get("method").is_some();
        if !asks(&message) && !message.as_array().is_some_and(|all| all.iter().any(asks)) {
            return match answers.as_slice() {
                [Reaction::Line(line)] if message.is_null() => {
                    write(stream, 400, "content-type: application/json\r\n", line)
                }
                _ if self.is("notices-with-200") => write(stream, 200, "content-type: application/json\r\n", b"{}"),
                _ => write(stream, 202, "", b""),
            };
        }
        if self.is("endless") && message["method"] == "tools/list" {
            return self.goes_on(stream);
        }
        let lines: Vec<_> =
            answers.iter().filter_map(|one| if let Reaction::Line(line) = one { Some(line) } else { None }).collect();
        let chats = self.is("chatter") && message["method"] == "tools/list";
        if let ([line], false, false) = (lines.as_slice(), self.manner.streams, chats) {
            let plain = self.is("plain-text") && message["method"] == "tools/list";
            let typed = if plain { "text/plain" } else { "application/json" };
            return write(stream, 200, &format!("content-type: {typed}; charset=utf-8\r\n{session}"), line);
        }
        let mut body = b": alive\n\nid: 1\ndata:\n\n".to_vec();
        if chats {
            body.extend_from_slice(b"data: listening\n\n");
        }
        for line in lines {
            body.extend_from_slice(b"event: message\ndata: ");
            body.extend_from_slice(line);
            body.extend_from_slice(b"\n\n");
        }
        write(stream, 200, &format!("content-type: text/event-stream\r\n{session}"), &body)
    }

    /// Writes until nobody reads any more.
    fn goes_on(&self, mut stream: &TcpStream) -> std::io::Result<()> {
        let typed = if self.manner.streams { "text/event-stream" } else { "application/json" };
        write!(stream, "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: {typed}\r\n\r\ndata: ")?;
        loop {
            stream.write_all(&[b'a'; 4096])?;
        }
    }
}

fn write(mut stream: &TcpStream, status: u16, headers: &str, body: &[u8]) -> std::io::Result<()> {
    let length = if status == 204 { String::new() } else { format!("content-length: {}\r\n", body.len()) };
    write!(stream, "HTTP/1.1 {status} Status\r\nconnection: close\r\n{length}{headers}\r\n")?;
    stream.write_all(body)?;
    stream.flush()
}
