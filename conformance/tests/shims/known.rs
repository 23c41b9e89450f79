// The modules lie beside it where it is built, and not here.
#[rustfmt::skip]
mod atp;
#[rustfmt::skip]
mod canonical;

fn main() -> std::process::ExitCode {
    canonical::reader("serde_json", "known", (127, "recursion limit"), |text| serde_json::from_slice(&text))
}
