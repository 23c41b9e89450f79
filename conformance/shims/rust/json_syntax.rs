mod atp;
mod canon;

use json_syntax::{Parse, Print, Value};

fn main() -> std::process::ExitCode {
    canon::text(|octets| {
        Value::parse_slice(octets).map(|(mut value, _)| {
            value.canonicalize();
            value.compact_print().to_string()
        })
    })
}
