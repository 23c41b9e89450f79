mod atp;
mod canon;

fn main() -> std::process::ExitCode {
    canon::value(|value| serde_jcs::to_vec(value))
}
