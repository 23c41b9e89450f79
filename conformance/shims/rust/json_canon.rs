mod atp;
mod canon;

fn main() -> std::process::ExitCode {
    canon::value(|value| json_canon::to_vec(value))
}
