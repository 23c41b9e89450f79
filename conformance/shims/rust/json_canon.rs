mod atp;
mod canon;

fn main() -> std::process::ExitCode {
    canon::value_up_to(Some("9007199254740991"), |value| json_canon::to_vec(value))
}
