//! Writes generated pairs of bundles, one a line: `{"a", "b", "files"}` in hexadecimal, as tests of other languages read them.
//!
//! ```text
//! cargo run -p assize-inputs --example pairs -- 20000 > pairs.jsonl
//! ```

use std::{
    env,
    error::Error,
    fmt::Write as _,
    io::{self, Write as _},
};

use assize_inputs::pairs::Pair;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let count: u64 = env::args().nth(1).ok_or("say how many pairs")?.parse()?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    for seed in 0..count {
        let pair = Pair::seeded(seed);
        let files: Value = pair.files.iter().map(|(path, bytes)| (path.clone(), hex(bytes))).collect();
        writeln!(out, "{}", json!({"a": hex(&pair.bundle_a), "b": hex(&pair.bundle_b), "files": files}))?;
    }
    Ok(out.flush()?)
}

fn hex(bytes: &[u8]) -> Value {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // A text takes whatever is written into it.
        let _ = write!(text, "{byte:02x}");
    }
    text.into()
}
