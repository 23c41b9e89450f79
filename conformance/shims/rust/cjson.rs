mod atp;
mod canon;

fn main() -> std::process::ExitCode {
    canon::value(|value| cjson::to_vec(value))
}
