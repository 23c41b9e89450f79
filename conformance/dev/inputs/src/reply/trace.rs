//! Traces of one invocation: each step is the lawful next one most of the time, and any other else.

use arbitrary::{Result, Unstructured};

use super::codes::near;
use crate::pairs::draw::{int, odds, one_of, pick, value};
use crate::pairs::json::Json;

const METHODS: [(&str, &str); 4] = [("success", "S"), ("invalid", "I"), ("denied", "D"), ("error", "E")];
const OTHER_METHODS: &[&str] = &["info", "warn", "fail", "Error", "make", ""];

/// At most so many steps: enough for a second call, a return and two envelopes.
const MOST: u32 = 7;

/// What has happened so far.
#[derive(Default)]
struct Course {
    steps: Vec<Json>,
    made: bool,
    /// The last call that gave a reply: its step, type and code.
    reply: Option<(usize, Json, Json)>,
    terminal: bool,
    /// What an envelope has to say.
    ended: Option<(Json, Json)>,
    emitted: bool,
}

/// The steps of a trace.
pub(super) fn steps(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut course = Course::default();
    for _ in 0..=int(u, MOST)? {
        if course.emitted && !odds(u, 1, 4)? {
            break;
        }
        if odds(u, 1, 8)? { course.any(u)? } else { course.lawful(u)? }
    }
    Ok(Json::List(course.steps))
}

impl Course {
    fn lawful(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        if self.ended.is_some() {
            return self.emit(u);
        }
        if !self.made {
            return self.make(u);
        }
        // A success may be followed by more.
        let returns = self.reply.is_some() && (self.terminal || !odds(u, 1, 3)?);
        if returns { self.give_back(u) } else { self.call(u) }
    }

    fn any(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        match int(u, 7)? {
            0 => self.push([("op", Json::text("work")), ("what", Json::text("log"))]),
            1 => self.make(u)?,
            2 => self.call(u)?,
            3 => {
                let (kind, code) = kind_and_code(u)?;
                self.push([("op", Json::text("direct")), ("reply_type", kind), ("code", code)]);
            }
            4 => self.give_back(u)?,
            5 => {
                self.push([("op", Json::text("throw")), ("kind", Json::text("ValueError"))]);
                self.ended.get_or_insert((Json::text("E"), Json::text("MCP-SYS-E-001")));
            }
            6 => self.emit(u)?,
            _ => self.hand_over(u)?,
        }
        Ok(())
    }

    fn make(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        self.made = true;
        let b = builder(u)?;
        self.push([("op", Json::text("new")), ("b", b)]);
        Ok(())
    }

    fn call(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (method, letter) = *pick(u, &METHODS)?;
        let name = if odds(u, 1, 16)? { *pick(u, OTHER_METHODS)? } else { method };
        let code = match int(u, 9)? {
            0..=3 if letter == "S" => Json::NULL,
            8 => Json::text(&near(u, None)?),
            9 => Json::NULL,
            _ => Json::text(&near(u, Some(letter))?),
        };
        let gave = !odds(u, 1, 6)?;
        let got = Json::text(if gave { "reply" } else { "raised" });
        let (b, step) = (builder(u)?, self.steps.len());
        self.push([
            ("op", Json::text("call")),
            ("b", b),
            ("method", Json::text(name)),
            ("code", code.clone()),
            ("got", got),
        ]);
        if odds(u, 1, 4)?
            && let Some(call) = self.steps.last_mut()
        {
            let data = if odds(u, 1, 4)? { value(u, 1, false)? } else { Json::Object(Vec::new()) };
            call.set("data", data);
        }
        if gave {
            self.reply = Some((step, Json::text(letter), code));
            self.terminal = letter != "S";
        }
        Ok(())
    }

    /// Returns the last reply, or one that need not be there.
    fn give_back(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (of, kind, code) = self.reply.clone().unwrap_or((0, Json::text("S"), Json::NULL));
        let of = if odds(u, 1, 10)? { Json::integer(int(u, MOST)? as usize) } else { Json::integer(of) };
        self.push([("op", Json::text("return")), ("of", of)]);
        self.ended.get_or_insert((kind, code));
        Ok(())
    }

    /// Returns what another gave, or no reply at all.
    fn hand_over(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        if odds(u, 1, 3)? {
            self.push([("op", Json::text("return")), ("raw", one_of(u, &["dict", "text", "none", "bytes"])?)]);
            return Ok(());
        }
        let (kind, code) = kind_and_code(u)?;
        let callee = Json::object([("reply_type", kind.clone()), ("code", code.clone())]);
        self.push([("op", Json::text("return")), ("callee", callee)]);
        self.ended.get_or_insert((kind, code));
        Ok(())
    }

    fn emit(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (kind, code) = match &self.ended {
            Some(ended) if !odds(u, 1, 8)? => ended.clone(),
            _ => kind_and_code(u)?,
        };
        self.push([("op", Json::text("emit")), ("reply_type", kind), ("code", code)]);
        self.emitted = true;
        Ok(())
    }

    fn push<const N: usize>(&mut self, members: [(&str, Json); N]) {
        self.steps.push(Json::object(members));
    }
}

/// Nearly always the same builder.
fn builder(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok(Json::token(if odds(u, 1, 24)? { *pick(u, &["1", "2", "-1", "1.0"])? } else { "0" }))
}

/// Type and code of a reply: of one type most of the time.
fn kind_and_code(u: &mut Unstructured<'_>) -> Result<(Json, Json)> {
    let (_, letter) = *pick(u, &METHODS)?;
    let code = if odds(u, 1, 8)? { Json::NULL } else { Json::text(&near(u, Some(letter))?) };
    let kind = if odds(u, 1, 12)? { one_of(u, &["X", "s", "S", "E", ""])? } else { Json::text(letter) };
    Ok((kind, code))
}
