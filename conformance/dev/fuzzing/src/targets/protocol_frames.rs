//! Whatever a testee writes, the harness decodes frames or says what is wrong, and takes no answer that it did not ask for.
//!
//! Held against second readings: lines cut by hand, frames by `contracts/interface/protocol.schema.json`, outstanding
//! questions as a list. What is decoded and written again is decoded as the same, and a question that is asked is served.

use std::collections::VecDeque;
use std::io::BufReader;

use assize::{
    protocol::{self, Chain, Limits, Served, decode, encode},
    testee::{
        Flight, Placed,
        process::{Event, next_line},
    },
};
use assize_corpus::{
    node::Node,
    testee::{Answer, Request, Testee},
};
use assize_inputs::{
    Frames,
    frames::{IDS, LINE},
};

use crate::documents::{DocumentError, Documents};
use crate::oracles::frames::{Pieces, Reading, events, reading};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct ProtocolFrames;

/// The operation of every question.
const OP: &str = "canon.bytes";

impl Target for ProtocolFrames {
    const NAME: &'static str = "protocol_frames";
    const KIND: Kind = Kind::Property;
    const LAW: &'static str = "ATP/1: every line is a frame of the contract or a protocol error, no answer is taken that \
                               was not asked for, what is written is decoded as the same";
    type Input = Frames;

    fn decode(octets: &[u8]) -> Option<Frames> {
        Some(Frames::from_bytes(octets))
    }

    fn documents(input: &Frames) -> Documents {
        let asked = input.asked.to_string();
        let documents = Documents::default().with("asked", asked.as_bytes()).with("stream", &input.stream);
        documents.with("pieces", &input.pieces)
    }

    fn input(documents: &Documents) -> Result<Frames, DocumentError> {
        let asked = String::from_utf8(documents.octets("asked")?).ok().and_then(|text| text.parse().ok());
        let asked = asked
            .ok_or_else(|| DocumentError::Unreadable { name: "asked".to_owned(), reason: "not a number".to_owned() })?;
        Ok(Frames { asked, stream: documents.octets("stream")?, pieces: documents.octets("pieces")? })
    }

    fn check(input: &Frames) -> Result<(), String> {
        let decoded = decoded(&input.stream, &input.pieces, LINE);
        same_events(&decoded, &events(&input.stream, LINE))?;
        let mut flight = Flight::default();
        let mut waiting: Vec<&str> = IDS.into_iter().take(input.asked).collect();
        for (place, id) in waiting.iter().enumerate() {
            flight.sent((*id).to_owned(), Asked(place));
        }
        let mut answers = Vec::new();
        let mut open = true;
        for event in &decoded {
            let Event::Line(line) = event else { continue };
            let said = decode::read(line);
            judge(line, &said, reading(line)?)?;
            let Ok(said) = said else {
                // A session ends here; what follows is only read.
                open = false;
                continue;
            };
            if open {
                open = claimed(&mut waiting, &said, flight.claim(&said).map(|Asked(place)| place))?;
            }
            answers.extend(answer(said));
        }
        for said in &answers {
            written(said)?;
        }
        // The other end reads the same noise, and must not break either.
        let _ = protocol::serve(&mut Player::default(), Pieces::of(&input.stream, &input.pieces), std::io::sink());
        served(input, answers)
    }
}

struct Asked(usize);

impl Placed for Asked {
    fn place(&self) -> usize {
        self.0
    }
}

/// Everything that is read from a stream, the event that ends it last.
fn decoded(stream: &[u8], pieces: &[u8], limit: usize) -> Vec<Event> {
    let mut input = BufReader::with_capacity(97, Pieces::of(stream, pieces));
    let mut decoded = Vec::new();
    loop {
        let event = next_line(&mut input, limit);
        let line = matches!(event, Event::Line(_));
        decoded.push(event);
        if !line {
            return decoded;
        }
    }
}

fn same_events(decoded: &[Event], cut: &[Event]) -> Result<(), String> {
    if decoded == cut {
        return Ok(());
    }
    let place = decoded.iter().zip(cut).take_while(|(decoded, cut)| decoded == cut).count();
    Err(format!("event {place}: decoded {:?}, by hand {:?}", decoded.get(place), cut.get(place)))
}

/// A frame is decoded where the contract has one, and a refusal says why.
fn judge(line: &[u8], said: &Result<decode::TesteeFrame, String>, reading: Reading) -> Result<(), String> {
    // A reader that takes the last of two members has a frame where another has none.
    let repeats = std::str::from_utf8(line)
        .is_ok_and(|text| Node::parse(text).is_err_and(|error| error.message == "duplicate name"));
    let line = line.escape_ascii();
    match (said, reading) {
        (Ok(said), Reading::Unlawful) => Err(format!("decoded {said:?}, which is not a frame of the contract: {line}")),
        (Err(why), _) if why.trim().is_empty() => Err(format!("refused without a word: {line}")),
        // The contract cannot say it: a name twice, a number that no counter holds, a version that was not offered.
        (Err(_), Reading::Lawful) if repeats => Ok(()),
        (Err(why), Reading::Lawful)
            if !["invalid value", "invalid type: floating", "out of range", "not offered"]
                .iter()
                .any(|known| why.contains(known)) =>
        {
            Err(format!("refused ({why}), though the contract has it: {line}"))
        }
        _ => Ok(()),
    }
}

/// Takes the question off the list that a frame answers, and holds that against what the harness took; whether the session
/// goes on.
fn claimed(waiting: &mut Vec<&str>, said: &decode::TesteeFrame, took: Result<usize, String>) -> Result<bool, String> {
    let id = match said {
        decode::TesteeFrame::Answer(judged) => Some(judged.id.as_str()),
        decode::TesteeFrame::Unsupported { id, .. } | decode::TesteeFrame::Fault { id, .. } => Some(id.as_str()),
        _ => None,
    };
    let asked = id.and_then(|id| waiting.iter().position(|asked| *asked == id)).map(|at| waiting.remove(at));
    match (asked, took) {
        (Some(id), Ok(place)) if IDS.get(place) == Some(&id) => Ok(true),
        (None, Err(why)) if !why.is_empty() => Ok(false),
        (asked, took) => Err(format!("{said:?}: asked was {asked:?}, the harness took {took:?}")),
    }
}

fn answer(said: decode::TesteeFrame) -> Option<Answer> {
    match said {
        decode::TesteeFrame::Answer(judged) => Some(judged.into_answer(OP)),
        decode::TesteeFrame::Unsupported { feature, .. } => Some(Answer::Unsupported { feature }),
        decode::TesteeFrame::Fault { kind, message, .. } => Some(Answer::Fault { kind, message }),
        _ => None,
    }
}

/// What is written is decoded as the same.
fn written(said: &Answer) -> Result<(), String> {
    let line = protocol::line("k", said).map_err(|error| error.to_string())?;
    if line.contains(&b'\n') {
        return Err(format!("a frame of two lines: {}", line.escape_ascii()));
    }
    let again = decode::read(&line)?;
    let again = answer(again);
    if again.as_ref() == Some(said) { Ok(()) } else { Err(format!("{said:?} was decoded as {again:?}")) }
}

/// Gives answers in turn, and keeps what was asked.
#[derive(Default)]
struct Player {
    answers: VecDeque<Answer>,
    asked: Vec<Request>,
}

impl Testee for Player {
    fn answer(&mut self, request: &Request) -> Answer {
        self.asked.push(request.clone());
        self.answers.pop_front().unwrap_or_else(|| Answer::reject("A_JSON"))
    }
}

/// A session of which both ends are ours: every question arrives, every answer comes back, and the receipts agree.
fn served(input: &Frames, answers: Vec<Answer>) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    let mut player = Player { answers: answers.iter().cloned().collect(), asked: Vec::new() };
    let mut stream = encode::hello("r", &"0".repeat(64), &Limits::default()).map_err(text)?;
    let request = Request {
        op: OP.to_owned(),
        args: serde_json::Map::from_iter([("profile".to_owned(), "episode".into())]),
        docs: [("doc".to_owned(), input.stream.clone())].into(),
        root: None,
    };
    let sent = encode::digests(&request);
    for id in IDS {
        stream.extend(encode::case(id, &request, &sent, 1).map_err(text)?);
    }
    stream.extend(encode::ping(i64::from(u32::MAX)).map_err(text)?);
    stream.extend(encode::bye().map_err(text)?);
    let mut output = Vec::new();
    let ended = protocol::serve(&mut player, Pieces::of(&stream, &input.pieces), &mut output);
    if player.asked.len() != IDS.len() || player.asked.iter().any(|asked| *asked != request) {
        return Err(format!("asked {request:?} {} times, served {:?}", IDS.len(), player.asked));
    }
    let lines = decoded(&output, &input.pieces, usize::MAX >> 1);
    let mut frames = lines.iter().filter_map(|event| match event {
        Event::Line(line) => Some(decode::read(line)),
        _ => None,
    });
    let greeted = matches!(frames.next(), Some(Ok(decode::TesteeFrame::Hello(_))));
    let mut chain = Chain::default();
    let mut expected = answers.into_iter().chain(std::iter::repeat(Answer::reject("A_JSON")));
    for id in IDS {
        let (said, wanted) = (frames.next().unwrap_or_else(|| Err("nothing".to_owned()))?, expected.next());
        if let decode::TesteeFrame::Answer(judged) = &said {
            chain.add(&judged.id, judged.is.word());
            if judged.id != id || judged.seen != sent {
                return Err(format!("{id}: {judged:?} came back"));
            }
        }
        let came = answer(said);
        if came != wanted {
            return Err(format!("{id}: {wanted:?} came back as {came:?}"));
        }
    }
    let pong = matches!(frames.next(), Some(Ok(decode::TesteeFrame::Pong { n })) if n == i64::from(u32::MAX));
    let bye = frames.next();
    let agreed = matches!(&bye, Some(Ok(decode::TesteeFrame::Bye { served, chain: link }))
        if *served == chain.served() && link == chain.link());
    match ended {
        Ok(Served::Bye(own)) if own == chain && greeted && pong && agreed => Ok(()),
        ended => Err(format!("hello {greeted}, pong {pong}, bye {bye:?}, the end {ended:?}")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_oracle_can_fail() {
        // A decoder that swallows a byte, one that decodes what was not said, one that refuses what it must not.
        let cut = events(b"ab\ncd", 9);
        assert_eq!(cut, [Event::Line(b"ab".to_vec()), Event::Unended(b"cd".to_vec())]);
        assert!(same_events(&[Event::Line(b"a".to_vec())], &cut).is_err());
        let pong = br#"{"t":"pong","n":1}"#;
        assert!(judge(b"[1]", &decode::read(pong), reading(b"[1]").unwrap()).is_err());
        assert!(judge(pong, &Err("no".to_owned()), reading(pong).unwrap()).is_err());
        let twice = br#"{"t":[],"t":"pong","n":1}"#;
        assert!(judge(twice, &decode::read(twice), reading(twice).unwrap()).is_ok());
        // An answer to nothing that is taken, and one to a question that is not.
        let said = decode::read(br#"{"t":"unsupported","id":"k-1","feature":"x"}"#).unwrap();
        assert!(claimed(&mut vec!["k-2"], &said, Ok(0)).is_err());
        assert!(claimed(&mut vec!["k-1"], &said, Err("not asked".to_owned())).is_err());
        assert!(claimed(&mut vec!["k-1", "k-2"], &said, Ok(1)).is_err());
        assert_eq!(claimed(&mut vec!["k-1", "k-2"], &said, Ok(0)), Ok(true));
    }

    #[test]
    fn lines_are_read_by_the_contract() {
        for (line, wanted) in [
            (r#"{"t":"pong","n":1}"#, Reading::Lawful),
            (r#"{"t":"pong","n":1,"more":1e999}"#, Reading::Tolerable),
            (r#"{"t":"answer","id":"","is":"accept"}"#, Reading::Tolerable),
            (r#"{"t":"answer","id":"k","is":"reject"}"#, Reading::Unlawful),
            (r#"{"t":"pong","n":"1"}"#, Reading::Unlawful),
            (r#"["refuse"]"#, Reading::Unlawful),
            ("", Reading::Unlawful),
        ] {
            assert_eq!(reading(line.as_bytes()), Ok(wanted), "{line}");
        }
    }

    #[test]
    fn inputs_reach_what_they_are_meant_to() {
        let mut reached: BTreeMap<&str, usize> = BTreeMap::new();
        for seed in 0..1_500 {
            let input = Frames::seeded(seed);
            let mut flight = Flight::default();
            for (place, id) in IDS.into_iter().take(input.asked).enumerate() {
                flight.sent(id.to_owned(), Asked(place));
            }
            for event in decoded(&input.stream, &input.pieces, LINE) {
                let what = match event {
                    Event::Line(line) => match decode::read(&line) {
                        Ok(said) => {
                            let claim = match flight.claim(&said) {
                                Ok(_) => "asked",
                                Err(why) if why.contains("second time") => "a second time",
                                Err(why) if why.contains("no question") => "to no question",
                                Err(_) => "unasked",
                            };
                            *reached.entry(claim).or_default() += 1;
                            match said {
                                decode::TesteeFrame::Hello(_) => "hello",
                                decode::TesteeFrame::Refuse { .. } => "refuse",
                                decode::TesteeFrame::Answer(_) => "answer",
                                decode::TesteeFrame::Unsupported { .. } => "unsupported",
                                decode::TesteeFrame::Fault { .. } => "fault",
                                decode::TesteeFrame::Pong { .. } => "pong",
                                decode::TesteeFrame::Bye { .. } => "bye",
                            }
                        }
                        Err(why) if why.starts_with("no UTF-8") => "bad UTF-8",
                        Err(_) => "refused",
                    },
                    Event::Overlong(_) => "overlong",
                    Event::Unended(_) => "unended",
                    _ => "end",
                };
                *reached.entry(what).or_default() += 1;
            }
        }
        for what in [
            "asked",
            "a second time",
            "to no question",
            "unasked",
            "hello",
            "refuse",
            "answer",
            "unsupported",
            "fault",
            "pong",
            "bye",
            "bad UTF-8",
            "refused",
            "overlong",
            "unended",
            "end",
        ] {
            assert!(reached.get(what).is_some_and(|count| *count >= 15), "{what}: {reached:?}");
        }
    }
}
