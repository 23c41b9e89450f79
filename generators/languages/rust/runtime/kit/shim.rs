//! A testee's side of ATP/1, the line protocol of Assize.
//!
//! Standard output belongs to the protocol: an implementation that prints there breaks its session.

mod frame;

use std::{
    io::{self, BufRead, Write},
    process::ExitCode,
    thread,
};

use crate::{
    call::{self, Answer, Broken},
    declaration,
    json::{self, quoted},
    question::Output,
    sha256,
    testee::Testee,
};
use frame::{Ends, Frame, Question, Taken};

const PROTOCOL: i64 = 1;
const DEFAULT_LINE: usize = 8 << 20;
/// How many cases the harness may send ahead. They are answered in their order; the pipe holds those that wait.
const IN_FLIGHT: usize = 8;

/// Serves over the pipe until goodbye, or until the harness is gone.
#[must_use]
pub fn main(testee: &'static Testee) -> ExitCode {
    let capabilities = json::raw_members(testee.capabilities).map_err(|error| format!("capabilities: {error}"));
    if let Err(error) = declaration::check(testee.declares).and(capabilities) {
        eprintln!("assize-shim: {error}");
        return ExitCode::from(2);
    }
    let serve = move || Session::new(testee, io::stdout()).run(&mut io::stdin().lock());
    let thread = thread::Builder::new().stack_size(call::STACK).spawn(serve);
    match thread.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(Ends(error)))) => {
            eprintln!("assize-shim: {error}");
            ExitCode::from(3)
        }
        // The panic has said why.
        Ok(Err(_)) => ExitCode::from(3),
        Err(error) => {
            eprintln!("assize-shim: {error}");
            ExitCode::from(3)
        }
    }
}

/// One run of the protocol.
struct Session<W> {
    testee: &'static Testee,
    out: W,
    greeted: bool,
    limit: usize,
    served: u64,
    chain: String,
}

impl<W: Write> Session<W> {
    fn new(testee: &'static Testee, out: W) -> Self {
        Self { testee, out, greeted: false, limit: DEFAULT_LINE, served: 0, chain: "0".repeat(64) }
    }

    fn run(&mut self, from: &mut impl BufRead) -> Result<(), Ends> {
        while let Some(line) = frame::line(from, self.limit)? {
            if self.step(&line)? {
                break;
            }
        }
        Ok(())
    }

    /// Does what one line asks; whether it was the last.
    fn step(&mut self, line: &str) -> Result<bool, Ends> {
        let frame = Frame::new(line)?;
        let kind = frame.text("t")?;
        match (kind.as_str(), self.greeted) {
            ("hello", false) => self.hello(&frame),
            ("case", true) => self.serve(&frame).map(|()| false),
            ("ping", true) => {
                let n = frame.raw("n")?;
                self.send(&format!("{{\"t\":\"pong\",\"n\":{n}}}")).map(|()| false)
            }
            ("bye", true) => {
                let bye = format!("{{\"t\":\"bye\",\"served\":{},\"chain\":\"{}\"}}", self.served, self.chain);
                self.send(&bye).map(|()| true)
            }
            _ => Err(Ends(format!("a frame {kind:?} has no place here"))),
        }
    }

    /// Says what can be asked, or refuses.
    fn hello(&mut self, frame: &Frame<'_>) -> Result<bool, Ends> {
        let (lowest, highest) = frame.range("proto")?;
        if !(lowest..=highest).contains(&PROTOCOL) {
            self.send(&format!("{{\"t\":\"refuse\",\"why\":\"proto\",\"supported\":[{PROTOCOL}]}}"))?;
            return Ok(true);
        }
        if let Some(limits) = frame.frame("limits")?
            && let Some(limit) = limits.number("line")?
        {
            self.limit = limit;
        }
        self.greeted = true;
        let name = quoted(self.testee.name);
        let version = quoted(self.testee.version);
        let mut hello = format!("{{\"t\":\"hello\",\"proto\":{PROTOCOL}");
        hello.push_str(&format!(",\"testee\":{{\"name\":{name},\"version\":{version},\"lang\":\"rust\"}}"));
        hello.push_str(&format!(",\"shim\":{{\"name\":\"assize-shim\",\"version\":{}}}", quoted(crate::GENERATOR)));
        hello.push_str(&format!(",\"ops\":{},\"in_flight\":{IN_FLIGHT}", self.operations()));
        if self.testee.capabilities.trim() != "{}" {
            hello.push_str(&format!(",\"capabilities\":{}", self.testee.capabilities.replace(['\r', '\n'], " ")));
        }
        hello.push('}');
        self.send(&hello).map(|()| false)
    }

    /// What is declared, as JSON.
    fn operations(&self) -> String {
        let list = |values: &[&str]| values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(",");
        let choices = |choices: &[crate::Choice]| {
            let choices = choices.iter().map(|(name, values)| format!("{}:[{}]", quoted(name), list(values)));
            choices.collect::<Vec<_>>().join(",")
        };
        let declared = self.testee.declares.iter();
        let declared = declared.map(|(name, values)| format!("{}:{{{}}}", quoted(name), choices(values)));
        format!("{{{}}}", declared.collect::<Vec<_>>().join(","))
    }

    /// Answers one question.
    fn serve(&mut self, frame: &Frame<'_>) -> Result<(), Ends> {
        let question = match Question::take(frame)? {
            Taken::Whole(question) => question,
            Taken::Damaged { id, message } => return self.fault(&id, "receipt", &message),
        };
        let Question { id, request, seen } = question;
        let asked = request.op.clone();
        if let Some(feature) = call::undeclared(self.testee.declares, &request) {
            return self.unsupported(&id, &feature);
        }
        match call::ask(self.testee.implementation, request) {
            Ok(answer) => self.answer(&id, &seen, &answer),
            Err(Broken::Unsupported) => self.unsupported(&id, &asked),
            Err(Broken::Fault(message)) => {
                eprintln!("assize-shim: {message}");
                self.fault(&id, "panic", &message)
            }
        }
    }

    /// Writes a judgement and keeps account of it. It is counted once it has gone out.
    fn answer(&mut self, id: &str, seen: &str, answer: &Answer) -> Result<(), Ends> {
        let mut line = format!("{{\"t\":\"answer\",\"id\":{},\"seen\":{seen},\"is\":\"{}\"", quoted(id), answer.is);
        if answer.is == "reject" {
            let codes: Vec<String> = answer.codes.iter().map(|code| quoted(code)).collect();
            line.push_str(&format!(",\"codes\":[{}]", codes.join(",")));
        }
        let out = answer.out.0.iter().map(|(name, output)| {
            let text = match output {
                Output::Doc(text) => quoted(text),
                Output::Bytes(bytes) => quoted(&crate::base64::encode(bytes)),
                Output::Value(text) => text.replace(['\r', '\n'], " "),
            };
            format!("{}:{text}", quoted(name))
        });
        line.push_str(&format!(",\"out\":{{{}}}}}", out.collect::<Vec<_>>().join(",")));
        if line.len() > self.limit {
            let message = format!("the answer has {} bytes, more than limits.line", line.len());
            return self.fault(id, "limit", &message);
        }
        self.send(&line)?;
        self.served += 1;
        self.chain = sha256::hex(format!("{}\n{id}\n{}", self.chain, answer.is).as_bytes());
        Ok(())
    }

    fn unsupported(&mut self, id: &str, feature: &str) -> Result<(), Ends> {
        self.send(&format!("{{\"t\":\"unsupported\",\"id\":{},\"feature\":{}}}", quoted(id), quoted(feature)))
    }

    fn fault(&mut self, id: &str, kind: &str, message: &str) -> Result<(), Ends> {
        let (id, message) = (quoted(id), quoted(message));
        self.send(&format!("{{\"t\":\"fault\",\"id\":{id},\"kind\":\"{kind}\",\"message\":{message}}}"))
    }

    fn send(&mut self, line: &str) -> Result<(), Ends> {
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        self.out.write_all(&bytes)?;
        Ok(self.out.flush()?)
    }
}
