//! Lines, and what they hold.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Read as _},
    path::PathBuf,
};

use crate::{
    base64,
    json::{self, Value, quoted},
    question::{JsonText, Request},
    sha256,
};

/// The harness sent what is not a frame, or none that has a place there; nothing after it can be trusted.
#[derive(Debug)]
pub(super) struct Ends(pub(super) String);

impl From<io::Error> for Ends {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

/// The next line without its line feed; nothing at the end.
pub(super) fn line(from: &mut impl BufRead, limit: usize) -> Result<Option<String>, Ends> {
    let mut line = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    from.take(most).read_until(b'\n', &mut line)?;
    match line.pop() {
        None => Ok(None),
        Some(b'\n') => {
            String::from_utf8(line).map(Some).map_err(|error| Ends(format!("a line that is not UTF-8: {error}")))
        }
        Some(_) if line.len() >= limit => Err(Ends(format!("a line of more than {limit} bytes"))),
        Some(_) => Err(Ends("the last line has no line feed".to_owned())),
    }
}

/// An object, by the texts of its members.
pub(super) struct Frame<'l>(BTreeMap<String, &'l str>);

impl<'l> Frame<'l> {
    pub(super) fn new(text: &'l str) -> Result<Self, Ends> {
        json::raw_members(text).map(Self).map_err(|error| Ends(format!("no frame: {error}")))
    }

    /// A member that the frame owes.
    pub(super) fn raw(&self, name: &str) -> Result<&'l str, Ends> {
        self.0.get(name).copied().ok_or_else(|| Ends(format!("{name:?} is missing")))
    }

    fn value(&self, name: &str) -> Result<Value, Ends> {
        json::parse(self.raw(name)?).map_err(|error| wrong(name, &error))
    }

    pub(super) fn text(&self, name: &str) -> Result<String, Ends> {
        match self.value(name)? {
            Value::String(text) => Ok(text),
            _ => Err(wrong(name, &"no string")),
        }
    }

    /// Two integers.
    pub(super) fn range(&self, name: &str) -> Result<(i64, i64), Ends> {
        if let Value::Array(items) = self.value(name)?
            && let [Value::Number(lowest), Value::Number(highest)] = items.as_slice()
            && let (Ok(lowest), Ok(highest)) = (lowest.parse(), highest.parse())
        {
            return Ok((lowest, highest));
        }
        Err(wrong(name, &"not two integers"))
    }

    /// A size, if it is there.
    pub(super) fn number(&self, name: &str) -> Result<Option<usize>, Ends> {
        let Some(text) = self.0.get(name) else { return Ok(None) };
        text.parse().map(Some).map_err(|error| wrong(name, &error))
    }

    /// An object, if it is there.
    pub(super) fn frame(&self, name: &str) -> Result<Option<Self>, Ends> {
        self.0.get(name).map(|text| Self::new(text)).transpose()
    }
}

fn wrong(name: &str, why: &dyn std::fmt::Display) -> Ends {
    Ends(format!("{name:?} is of a wrong type: {why}"))
}

/// A case as it came.
pub(super) struct Question {
    pub(super) id: String,
    pub(super) request: Request,
    /// The receipts: digests of the bytes that are judged, as JSON.
    pub(super) seen: String,
}

/// A case, or a document that did not arrive as it was sent.
pub(super) enum Taken {
    Whole(Question),
    Damaged { id: String, message: String },
}

impl Question {
    pub(super) fn take(frame: &Frame<'_>) -> Result<Taken, Ends> {
        let id = frame.text("id")?;
        let mut request = Request { op: frame.text("op")?, ..Request::default() };
        let args = Frame::new(frame.raw("args")?)?;
        request.args = args.0.into_iter().map(|(name, text)| (name, JsonText(text.to_owned()))).collect();
        if frame.0.contains_key("root") {
            request.root = Some(PathBuf::from(frame.text("root")?));
        }
        let mut seen = Vec::new();
        for (name, parcel) in Frame::new(frame.raw("in")?)?.0 {
            let parcel = Frame::new(parcel)?;
            let (text, stated) = (parcel.text("b64")?, parcel.text("sha256")?);
            let Some(bytes) = base64::decode(&text) else {
                return Ok(Taken::Damaged { id, message: format!("in.{name}: b64 does not decode") });
            };
            let found = sha256::hex(&bytes);
            if found != stated {
                let message = format!("in.{name}: the bytes have SHA-256 {found}, not the stated {stated}");
                return Ok(Taken::Damaged { id, message });
            }
            seen.push(format!("{}:\"{found}\"", quoted(&name)));
            request.documents.insert(name, bytes);
        }
        let seen = format!("{{{}}}", seen.join(","));
        Ok(Taken::Whole(Self { id, request, seen }))
    }
}
