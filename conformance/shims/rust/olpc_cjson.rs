mod atp;
mod canon;

use serde::Serialize;
use serde_json::Serializer;

fn main() -> std::process::ExitCode {
    canon::value(|value| {
        let mut octets = Vec::new();
        value
            .serialize(&mut Serializer::with_formatter(&mut octets, olpc_cjson::CanonicalFormatter::new()))
            .map(|()| octets)
    })
}
