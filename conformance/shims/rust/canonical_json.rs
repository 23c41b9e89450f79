mod atp;
mod canon;

fn main() -> std::process::ExitCode {
    canon::value(|value| canonical_json::to_string(value))
}
