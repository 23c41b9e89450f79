mod atp;
mod canon;

fn main() -> std::process::ExitCode {
    canon::value(|value| serde_json_canonicalizer::to_vec(value))
}
