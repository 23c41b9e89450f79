use assize::sha256;

use crate::{
    canon,
    error::Error,
    json::{Dialect, Value, parse},
};

/// The identity of a report: the digest of the report in which `report_id` and every diagnostic are null, whatever they
/// held, and present, even if they were absent.
pub(crate) fn report_id(text: &[u8]) -> Result<String, Error> {
    let Value::Object(mut members) = with_null(&parse(text, Dialect::LAW)?, "report_id")? else {
        return Err(Error::Input);
    };
    for (name, value) in &mut members {
        if name == b"mismatches" {
            let items = value.items().ok_or(Error::Input)?.iter();
            *value = Value::Array(items.map(without_diagnostic).collect::<Result<_, _>>()?);
        }
    }
    canon::SOVEREIGN.bytes(&Value::Object(members)).map(|bytes| sha256::hex(&bytes))
}

fn without_diagnostic(item: &Value) -> Result<Value, Error> {
    with_null(item, "diagnostic")
}

/// A copy of an object with that member null.
fn with_null(object: &Value, name: &str) -> Result<Value, Error> {
    let Value::Object(members) = object else { return Err(Error::Input) };
    let others = members.iter().filter(|(found, _)| found != name.as_bytes()).cloned();
    Ok(Value::Object(others.chain([(name.into(), Value::Null)]).collect()))
}
