//! A session of a server: each message is a request of its own, and answers come as they come.

use std::{
    collections::VecDeque,
    io::Read as _,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use ureq::{
    Body,
    http::{Response, Uri},
};

use super::{
    Limits,
    examine::{self, Examined},
    exchange::{Headers, Kind, Message, media_type, run, start},
    stream::{Events, Next},
};
use crate::{
    framing::quoted,
    revision::STATELESS,
    rules::Rule,
    wire::{Breach, Ended, Event, Wire},
};

/// Events that wait to be looked at, before their server has to.
const WAITING: usize = 64;
/// How often it is looked whether the probe is to end.
const LOOK: Duration = Duration::from_millis(50);
/// The first revision in which each request says by a header what was agreed on.
const SAID: &str = "2025-06-18";

pub(super) struct Conversation {
    url: Uri,
    limits: Limits,
    stop: &'static AtomicBool,
    /// What the server calls the session, once it has said so.
    session: Arc<Mutex<Option<Vec<u8>>>>,
    agreed: Option<String>,
    came: Receiver<Came>,
    sender: SyncSender<Came>,
    /// What is to be said before anything that comes.
    first: VecDeque<Event>,
    /// The number of the last question.
    question: u64,
    /// Whether something was asked.
    asked: bool,
    deadline: Instant,
}

enum Came {
    Event(Event),
    /// Nothing more comes to this question, in words.
    Over(u64, String),
}

/// A question on its way.
struct Question {
    number: u64,
    message: Message,
    headers: Headers,
    line: Vec<u8>,
    url: Uri,
    patience: Duration,
    longest: usize,
    session: Arc<Mutex<Option<Vec<u8>>>>,
    sender: SyncSender<Came>,
}

impl Conversation {
    pub(super) fn new(url: Uri, limits: Limits, stop: &'static AtomicBool) -> Self {
        let (sender, came) = sync_channel(WAITING);
        Self {
            url,
            limits,
            stop,
            session: Arc::default(),
            agreed: None,
            came,
            sender,
            first: VecDeque::new(),
            question: 0,
            asked: false,
            deadline: Instant::now(),
        }
    }

    fn patience(&self) -> Duration {
        if self.asked { self.limits.later } else { self.limits.first }
    }

    fn headers(&self) -> Headers {
        Headers {
            session: self.session.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            revision: self.agreed.clone().filter(|agreed| agreed.as_str() >= SAID),
            origin: None,
        }
    }

    /// Sends what is not answered, and looks how it is taken.
    fn notice(&mut self, message: &Message, line: &[u8]) {
        let sent = run(&self.url, "POST", &self.headers(), Some((message, line)), self.limits.later);
        let Ok(response) = sent else { return };
        let (status, typed) = (response.status(), media_type(response.headers()));
        let body = start(response.into_body());
        // Who cannot take it says so by a status of errors.
        if message.kind == Kind::Notice && status.is_success() && (status != 202 || !body.is_empty()) {
            let what = if message.method.is_empty() { "a response" } else { message.method.as_str() };
            let with = if body.is_empty() { String::new() } else { format!(" and a body of type {typed:?}") };
            let message = format!("{what} is answered by status {}{with}", status.as_u16());
            self.first.push_back(Event::Breach(Breach { rule: Rule::HttpAccepted, message }));
        }
    }
}

impl Wire for Conversation {
    fn send(&mut self, line: &[u8]) {
        let message = Message::of(line);
        if message.kind != Kind::Question {
            self.notice(&message, line);
            return;
        }
        self.question = self.question.saturating_add(1);
        let question = Question {
            number: self.question,
            message,
            headers: self.headers(),
            line: line.to_vec(),
            url: self.url.clone(),
            patience: self.patience(),
            longest: self.limits.longest,
            session: Arc::clone(&self.session),
            sender: self.sender.clone(),
        };
        if thread::Builder::new().spawn(move || question.ask()).is_err() {
            self.first.push_back(Event::Refused("there is no thread to ask it".to_owned()));
        }
    }

    fn next(&mut self) -> Event {
        if let Some(event) = self.first.pop_front() {
            return event;
        }
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Event::Stopped;
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Event::Expired;
            }
            match self.came.recv_timeout(left.min(LOOK)) {
                Ok(Came::Event(event)) => return event,
                Ok(Came::Over(number, why)) if number == self.question => return Event::Refused(why),
                Ok(Came::Over(..)) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Event::End,
            }
        }
    }

    fn begin(&mut self) {
        let now = Instant::now();
        self.deadline = now.checked_add(self.patience()).unwrap_or(now);
        self.asked = true;
    }

    fn agreed(&mut self, revision: &str) {
        self.agreed = Some(revision.to_owned());
    }

    fn end(self: Box<Self>) -> Ended {
        let headers = self.headers();
        let agreed = self.agreed.as_deref().filter(|agreed| *agreed < STATELESS && !self.stop.load(Ordering::Relaxed));
        let examined = Examined { url: &self.url, headers: &headers, patience: self.limits.later };
        let mut breaches = Vec::new();
        if let Some(agreed) = agreed {
            examine::refusals(&examined, agreed, &mut breaches);
        }
        if headers.session.is_none() {
            return Ended { how: "there was no session to end".to_owned(), breaches, ..Ended::default() };
        }
        let (how, ended) = examine::ending(&examined);
        if ended && agreed.is_some() {
            examine::ended(&examined, &mut breaches);
        }
        Ended { how, breaches, ..Ended::default() }
    }
}

impl Question {
    fn ask(self) {
        let sent = run(&self.url, "POST", &self.headers, Some((&self.message, self.line.as_slice())), self.patience);
        let over = match sent {
            Ok(response) => self.take(response),
            // Whoever waits sees that by himself.
            Err(ureq::Error::Timeout(_)) => return,
            Err(why) => Some(format!("no response: {why}")),
        };
        if let Some(why) = over {
            self.tell(Came::Over(self.number, why));
        }
    }

    /// Hands on what comes; nobody may listen any more.
    fn tell(&self, came: Came) {
        let _ = self.sender.send(came);
    }

    fn line(&self, line: Vec<u8>) {
        self.tell(Came::Event(Event::Line(line)));
    }

    fn breach(&self, rule: Rule, message: String) {
        self.tell(Came::Event(Event::Breach(Breach { rule, message })));
    }

    /// What comes of a response; in words, why nothing more does.
    fn take(&self, response: Response<Body>) -> Option<String> {
        let (status, typed) = (response.status(), media_type(response.headers()));
        if self.message.method == "initialize" && status.is_success() {
            self.begins(&response);
        }
        let said = format!("it is answered by status {}", status.as_u16());
        if !status.is_success() {
            let body = start(response.into_body());
            // An error with another id, or without one, is that of the transport.
            let read: Value = serde_json::from_slice(&body).unwrap_or_default();
            if read.get("id").is_some_and(|id| Some(id) == self.message.id.as_ref()) {
                self.line(body);
                return Some(said);
            }
            return Some(if body.is_empty() { said } else { format!("{said}: {}", quoted(&body)) });
        }
        match typed.as_str() {
            "application/json" => self.whole(response.into_body()),
            "text/event-stream" => self.streamed(response.into_body()),
            _ => {
                let message = format!("a request is answered by status {} and type {typed:?}", status.as_u16());
                self.breach(Rule::HttpContentType, message);
                // What it calls an answer is judged nevertheless.
                if status == 202 || status == 204 { Some(said) } else { self.whole(response.into_body()) }
            }
        }
    }

    /// Keeps the name of the session.
    fn begins(&self, response: &Response<Body>) {
        let Some(session) = response.headers().get("mcp-session-id") else { return };
        if !session.as_bytes().iter().all(u8::is_ascii_graphic) {
            let message = format!("the session is called {}", quoted(session.as_bytes()));
            self.breach(Rule::HttpSessionId, message);
        }
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.as_bytes().to_vec());
    }

    fn whole(&self, body: Body) -> Option<String> {
        let mut bytes = Vec::new();
        let most = u64::try_from(self.longest).unwrap_or(u64::MAX);
        match body.into_reader().take(most.saturating_add(1)).read_to_end(&mut bytes) {
            Ok(_) if bytes.len() > self.longest => self.tell(Came::Event(Event::Overlong)),
            Ok(_) => {
                self.line(bytes);
                return Some("the answer is another".to_owned());
            }
            Err(why) => return broken_off(&why),
        }
        None
    }

    fn streamed(&self, body: Body) -> Option<String> {
        let mut events = Events::new(body.into_reader(), self.longest);
        loop {
            match events.next() {
                Ok(Next::Data(data)) => self.line(data),
                Ok(Next::Overlong) => {
                    self.tell(Came::Event(Event::Overlong));
                    return None;
                }
                Ok(Next::End) => return Some("the stream ended without an answer".to_owned()),
                Err(why) => return broken_off(&why),
            }
        }
    }
}

/// Nothing where time was up, which whoever waits sees by himself.
fn broken_off(why: &std::io::Error) -> Option<String> {
    let expired = why.kind() == std::io::ErrorKind::TimedOut;
    (!expired).then(|| format!("the response breaks off: {why}"))
}
