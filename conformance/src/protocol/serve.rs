//! One line after the other: read, answer, and hand the answers over once no further line is waiting.
//!
//! Contract: `contracts/interface/protocol.md`, Frames to Outcomes. A line that is not a frame ends the session, because
//! what follows it cannot be trusted; a document that does not arrive as it was sent is a fault of that case alone.

use std::{
    collections::{BTreeMap, HashSet},
    io::{self, BufRead as _, BufReader, BufWriter, Read, Write},
    path::PathBuf,
    time::{Duration, Instant},
};

use assize_corpus::testee::{Answer, Request, Testee};
use assize_verifier::digest::Digest;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use thiserror::Error;

use super::{
    frame::{Chain, Hello, Parcel, Ping, Question, VERSION, head},
    limits::DEFAULT_LINE,
    write::{self, Reply},
};

/// Frames reach megabytes: a buffer of this size keeps the number of reads small.
const INPUT: usize = 1 << 18;

/// Answers are held back until there are this many bytes.
const OUTPUT: usize = 1 << 16;

/// The longest that an answer waits for those to the cases after it: the harness has a clock for progress.
const HELD: Duration = Duration::from_millis(10);

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Served {
    /// The harness said goodbye.
    Bye(Chain),
    /// The input ended between two frames.
    Eof,
    /// No version in common.
    Refused,
}

/// Why a session was ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// A line is not a frame that may come here.
    #[error("protocol error in line {number}: {message}; it begins with {start:?}")]
    Protocol {
        /// Which line, from 1.
        number: u64,
        /// What is wrong and what to send.
        message: String,
        /// The first bytes of it, for people.
        start: String,
    },
    /// The other side cannot be read from or written to.
    #[error("the harness cannot be reached: {0}; start `assize testee` with both of its pipes open")]
    Io(#[from] io::Error),
}

/// Serves one session. Cases may be sent ahead; they are answered in order.
///
/// # Errors
/// The harness sends what is not a frame, or goes away.
pub fn serve(testee: &mut dyn Testee, input: impl Read, output: impl Write) -> Result<Served, ServeError> {
    let mut input = BufReader::with_capacity(INPUT, input);
    let mut output = BufWriter::with_capacity(OUTPUT, output);
    let served = exchange(testee, &mut input, &mut output);
    // Answers from before the end are written, however the session ends.
    output.flush()?;
    served
}

fn exchange(
    testee: &mut dyn Testee,
    input: &mut BufReader<impl Read>,
    output: &mut impl Write,
) -> Result<Served, ServeError> {
    let mut session =
        Session { number: 0, limit: DEFAULT_LINE, greeted: false, asked: HashSet::new(), chain: Chain::default() };
    let (mut line, mut reply) = (Vec::new(), Vec::new());
    let mut flushed = Instant::now();
    while session.read(input, &mut line)? {
        let end = session.step(testee, &line, &mut reply);
        let end = end.map_err(|message| session.broken(message, &line))?;
        output.write_all(&reply)?;
        if let Some(end) = end {
            return Ok(end);
        }
        // Only a part of a line may come until the harness has its answers.
        if !input.buffer().contains(&b'\n') || flushed.elapsed() >= HELD {
            output.flush()?;
            flushed = Instant::now();
        }
    }
    Ok(Served::Eof)
}

struct Session {
    number: u64,
    limit: usize,
    greeted: bool,
    /// The id of every case of the session: an answer must be matched by it.
    asked: HashSet<String>,
    chain: Chain,
}

impl Session {
    /// Reads one line without its line feed; `false` at the end of the input.
    fn read(&mut self, input: &mut impl io::BufRead, line: &mut Vec<u8>) -> Result<bool, ServeError> {
        line.clear();
        self.number += 1;
        let most = u64::try_from(self.limit).unwrap_or(u64::MAX).saturating_add(1);
        let mut bounded = input.take(most);
        bounded.read_until(b'\n', line)?;
        if line.is_empty() {
            return Ok(false);
        }
        if line.pop_if(|last| *last == b'\n').is_some() {
            return Ok(true);
        }
        Err(if line.len() > self.limit {
            self.broken(format!("longer than limits.line, {} bytes; send smaller frames", self.limit), line)
        } else {
            self.broken("the input ends inside it; end every frame with a line feed".to_owned(), line)
        })
    }

    fn broken(&self, message: String, line: &[u8]) -> ServeError {
        const QUOTED: usize = 80;
        let start = line.get(..line.len().min(QUOTED)).unwrap_or_default();
        ServeError::Protocol { number: self.number, message, start: String::from_utf8_lossy(start).into_owned() }
    }

    /// Answers one frame into `reply`; the text of an error says what is wrong with the frame.
    fn step(&mut self, testee: &mut dyn Testee, line: &[u8], reply: &mut Vec<u8>) -> Result<Option<Served>, String> {
        let no_frame = |what: &str| {
            let what = what.to_owned();
            move |error: serde_json::Error| {
                format!("no {what} frame: {error}; see contracts/interface/protocol.schema.json")
            }
        };
        let write = |frame: Reply<'_>, reply: &mut Vec<u8>| frame.write(reply).map_err(|error| error.to_string());
        // Members that are not needed are skipped without a look at their bytes, and the protocol is UTF-8 throughout.
        let text = std::str::from_utf8(line)
            .map_err(|error| format!("no UTF-8 at byte {}: frames are UTF-8", error.valid_up_to()))?;
        let head = head(text).map_err(no_frame("complete"))?;
        match (head.t.as_ref(), self.greeted) {
            ("hello", false) => {
                let hello: Hello = serde_json::from_slice(line).map_err(no_frame("hello"))?;
                let [lowest, highest] = hello.proto;
                if lowest > highest {
                    return Err(format!("proto [{lowest},{highest}] is not a range; write the lower version first"));
                }
                if hello.limits.line == Some(0) {
                    return Err("limits.line of 0 allows no frame; leave it out or allow at least 1".to_owned());
                }
                if !(lowest..=highest).contains(&VERSION) {
                    write(Reply::Refuse { why: "proto", supported: [VERSION] }, reply)?;
                    return Ok(Some(Served::Refused));
                }
                self.greeted = true;
                self.limit = hello.limits.line.unwrap_or(DEFAULT_LINE);
                write(Reply::hello(), reply)?;
            }
            ("hello", true) => return Err("a second hello; greet once".to_owned()),
            ("case", true) => {
                let question: Question<'_> = serde_json::from_slice(line).map_err(no_frame("case"))?;
                if question.id.is_empty() {
                    return Err("an empty id; give every case its own".to_owned());
                }
                if !self.asked.insert(question.id.clone()) {
                    return Err(format!("id {:?} comes a second time; give every case its own", question.id));
                }
                self.answer(testee, question, reply)?;
            }
            ("ping", true) => {
                let ping: Ping = serde_json::from_slice(line).map_err(no_frame("ping"))?;
                write(Reply::Pong { n: ping.n }, reply)?;
            }
            ("bye", true) => {
                write(Reply::bye(&self.chain), reply)?;
                return Ok(Some(Served::Bye(self.chain.clone())));
            }
            ("case" | "ping" | "bye", false) => return Err(format!("`{}` before hello; greet first", head.t)),
            (other, _) => return Err(format!("unknown t {other:?}; send hello, case, ping or bye")),
        }
        Ok(None)
    }

    fn answer(&mut self, testee: &mut dyn Testee, question: Question<'_>, reply: &mut Vec<u8>) -> Result<(), String> {
        let Question { id, op, args, docs, root } = question;
        let mut seen = BTreeMap::new();
        let answer = match unpack(docs, &mut seen) {
            Ok(docs) => testee.answer(&Request { op, args, docs, root: root.map(PathBuf::from) }),
            Err(message) => Answer::Fault { kind: "receipt".to_owned(), message },
        };
        let (frame, is) = write::answer(&id, &seen, &answer);
        frame.write(reply).map_err(|error| error.to_string())?;
        if reply.len() > self.limit.saturating_add(1) {
            let message = format!("the answer has {} bytes, more than limits.line", reply.len() - 1);
            let frame = Reply::Fault { id: &id, kind: "limit", message: &message };
            return frame.write(reply).map_err(|error| error.to_string());
        }
        if let Some(is) = is {
            self.chain.add(&id, is);
        }
        Ok(())
    }
}

/// Decodes the documents and computes their digests again; the text says which of them is not as it was sent.
fn unpack(
    parcels: BTreeMap<String, Parcel<'_>>,
    seen: &mut BTreeMap<String, String>,
) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut docs = BTreeMap::new();
    for (name, parcel) in parcels {
        let decoded = STANDARD.decode(parcel.b64.as_bytes());
        let bytes = decoded.map_err(|error| format!("in.{name}: b64 does not decode: {error}"))?;
        let digest = Digest::of(&bytes).to_hex();
        if digest != parcel.sha256 {
            return Err(format!("in.{name}: the bytes have SHA-256 {digest}, not the stated {:?}", parcel.sha256));
        }
        seen.insert(name.clone(), digest);
        docs.insert(name, bytes);
    }
    Ok(docs)
}

#[cfg(test)]
mod tests {
    use assize_corpus::handler::InProcess;
    use serde_json::Value;

    use super::*;

    const HELLO: &str =
        r#"{"t":"hello","proto":[1,1],"run":"r","suite":{"rev":"","sha256":""},"limits":{"line":600},"x":[]}"#;

    fn session(lines: &[&str]) -> (Result<Served, ServeError>, Vec<Value>) {
        let input = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let mut output = Vec::new();
        let served = serve(&mut InProcess, input.as_bytes(), &mut output);
        let frames = output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        (served, frames.map(|line| serde_json::from_slice(line).unwrap()).collect())
    }

    fn case(id: &str, text: &str, digest: Option<&str>) -> String {
        let digest = digest.map_or_else(|| Digest::of(text.as_bytes()).to_hex(), str::to_owned);
        format!(
            r#"{{"t":"case","id":"{id}","op":"canon.bytes","args":{{"profile":"sovereign"}},"ms":1,
                "in":{{"doc":{{"b64":"{}","sha256":"{digest}"}}}}}}"#,
            STANDARD.encode(text)
        )
        .replace('\n', "")
    }

    #[test]
    fn answers_and_says_goodbye() {
        let (served, frames) = session(&[
            HELLO,
            r#"{"t":"ping","n":-7,"id":5}"#,
            &case("a", "[1]", None),
            &case("b", "[-0]", None),
            r#"{"t":"bye"}"#,
        ]);
        let mut chain = Chain::default();
        chain.add("a", "accept");
        chain.add("b", "reject");
        assert_eq!(served.unwrap(), Served::Bye(chain.clone()));
        assert_eq!(frames[0]["t"], "hello");
        assert_eq!(frames[1], serde_json::json!({"t": "pong", "n": -7}));
        assert_eq!((&frames[2]["is"], &frames[2]["out"]["bytes"]), (&"accept".into(), &STANDARD.encode("[1]").into()));
        assert_eq!(frames[3]["codes"], serde_json::json!(["E_CANONICALIZATION_ERROR"]));
        assert_eq!(frames[4], serde_json::json!({"t": "bye", "served": 2, "chain": chain.link()}));
    }

    /// Counts flushes, and keeps what came before each.
    #[derive(Default)]
    struct Flushes(Vec<u8>, Vec<usize>);

    impl Write for Flushes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            self.1.push(self.0.iter().filter(|byte| **byte == b'\n').count());
            Ok(())
        }
    }

    /// Gives one piece for each read, as a pipe does.
    struct Pieces(Vec<String>);

    impl Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let piece = self.0.remove(0);
            into[..piece.len()].copy_from_slice(piece.as_bytes());
            Ok(piece.len())
        }
    }

    #[test]
    fn answers_are_handed_over_once_no_line_is_waiting() {
        let pings =
            |from: i64, to: i64| (from..to).map(|n| format!("{{\"t\":\"ping\",\"n\":{n}}}\n")).collect::<String>();
        let pieces = [
            format!("{HELLO}\n"),
            pings(0, 3) + "{\"t\":\"pi",
            "ng\",\"n\":3}\n".to_owned(),
            pings(4, 6) + "nonsense\n",
        ];
        let mut output = Flushes::default();
        assert!(serve(&mut InProcess, Pieces(pieces.into()), &mut output).is_err());
        // A slow machine flushes more often, never less.
        for (owed, at) in [(1, "hello"), (4, "part of a line"), (5, "nothing more"), (7, "the end")] {
            assert!(output.1.contains(&owed), "{at}: {:?}", output.1);
        }
    }

    #[test]
    fn refuses_other_versions() {
        let (served, frames) = session(&[r#"{"t":"hello","proto":[2,3]}"#, "never read"]);
        assert_eq!(served.unwrap(), Served::Refused);
        assert_eq!(frames, [serde_json::json!({"t": "refuse", "why": "proto", "supported": [1]})]);
    }

    #[test]
    fn what_does_not_arrive_is_a_fault_and_not_in_the_chain() {
        let bent = case("a", "[1]", None).replace("WzFd", "W?Fd");
        let (served, frames) = session(&[HELLO, &bent, &case("b", "[1]", Some(&"0".repeat(64)))]);
        assert_eq!(served.unwrap(), Served::Eof);
        assert_eq!((&frames[1]["t"], &frames[1]["kind"]), (&"fault".into(), &"receipt".into()));
        assert!(frames[1]["message"].as_str().unwrap().starts_with("in.doc: b64"), "{}", frames[1]);
        assert!(frames[2]["message"].as_str().unwrap().contains("SHA-256"), "{}", frames[2]);
    }

    #[test]
    fn an_answer_beyond_the_limit_is_a_fault() {
        let empty = r#"{"b64":"e30=","sha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}"#;
        let sent = format!(
            r#"{{"t":"case","id":"a","op":"sovereign.compare","args":{{"mode":"law"}},"ms":1,"root":".",
                "in":{{"bundle_a":{empty},"bundle_b":{empty}}}}}"#
        )
        .replace('\n', "");
        let (served, frames) = session(&[HELLO, &sent]);
        assert_eq!(served.unwrap(), Served::Eof);
        assert_eq!((&frames[1]["t"], &frames[1]["kind"]), (&"fault".into(), &"limit".into()));
    }

    #[test]
    fn garbage_ends_the_session() {
        let long = "x".repeat(601);
        for (lines, message) in [
            (&["nonsense"][..], "no complete frame"),
            (&[""], "no complete frame"),
            (&["[]"], "no complete frame"),
            (&[HELLO, r#"["bye"]"#], "no complete frame: an array"),
            (&[r#"{"t":"hello"}"#], "no hello frame"),
            (&[r#"{"t":"case"}"#], "before hello"),
            (&[HELLO, HELLO], "second hello"),
            (&[r#"{"t":"hello","proto":[2,1]}"#], "proto [2,1] is not a range"),
            (&[r#"{"t":"hello","proto":[1,1],"limits":{"line":0}}"#], "limits.line of 0"),
            (&[HELLO, &case("", "[1]", None)], "an empty id"),
            (
                &[HELLO, &case("a", "[1]", None), &case("b", "[1]", None), &case("a", "[2]", None)],
                "id \"a\" comes a second",
            ),
            (&[HELLO, r#"{"t":"dance"}"#], "unknown t \"dance\""),
            (&[HELLO, r#"{"t":"case","id":"a"}"#], "no case frame"),
            (&[HELLO, r#"{"t":"bye"} {"t":"bye"}"#], "no complete frame"),
            (&[HELLO, &long], "longer than limits.line, 600 bytes"),
        ] {
            let error = session(lines).0.unwrap_err().to_string();
            assert!(error.starts_with(&format!("protocol error in line {}: ", lines.len())), "{error}");
            assert!(error.contains(message), "{error}");
        }
        let cut = serve(&mut InProcess, &b"{\"t\":"[..], Vec::new()).unwrap_err();
        assert!(cut.to_string().contains("the input ends inside it"), "{cut}");
    }
}
