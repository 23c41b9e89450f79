//! The types of the C header as Rust has them, and a check of every function: the header is written once, and this crate follows it.

use std::{env, error::Error, fmt::Write as _, fs, path::PathBuf};

/// Names of C and what they are here.
const TYPES: [(&str, &str); 5] =
    [("size_t", "usize"), ("int32_t", "i32"), ("uint8_t", "u8"), ("char", "::core::ffi::c_char"), ("void", "()")];

fn main() -> Result<(), Box<dyn Error>> {
    // The one folder there has the package's name.
    let folder = fs::read_dir("../include")?.next().ok_or("no folder in ../include")??;
    let name = folder.file_name().into_string().map_err(|name| format!("no name of a package: {}", name.display()))?;
    let header = format!("../include/{name}/verifier.h");
    println!("cargo::rerun-if-changed={header}");
    println!("cargo::rerun-if-changed=src/export.rs");
    let (text, exports) = (fs::read_to_string(&header)?, fs::read_to_string("src/export.rs")?);
    let (rust, functions) = follow(&text)?;
    if exports.matches("#[unsafe(no_mangle)]").count() != functions {
        return Err(format!("{header} declares {functions} functions, and src/export.rs exports others").into());
    }
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("header.rs"), rust)?;
    // What a loader looks for, which changes where the interface may.
    let version = env::var("CARGO_PKG_VERSION")?;
    let series = version.rsplit_once('.').map_or(version.as_str(), |(series, _)| series);
    match env::var("CARGO_CFG_TARGET_OS")?.as_str() {
        "macos" => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/lib{name}.{series}.dylib"),
        "windows" => {}
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,lib{name}.so.{series}"),
    }
    Ok(())
}

/// Rust's side of a header, and how many functions that declares.
fn follow(header: &str) -> Result<(String, usize), Box<dyn Error>> {
    let plain: Vec<&str> = header
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty())
        .collect();
    let (mut rust, mut functions) = (String::new(), 0);
    let mut lines = plain.iter().copied();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("typedef int32_t ") {
            writeln!(rust, "pub(crate) type {} = i32;", name.trim_end_matches(';'))?;
        } else if line == "enum {" {
            for member in lines.by_ref().take_while(|line| *line != "};") {
                let (name, value) =
                    member.trim_end_matches(',').split_once(" = ").ok_or("a constant without a value")?;
                writeln!(rust, "pub(crate) const {name}: i32 = {value};")?;
            }
        } else if let Some(name) = line.strip_prefix("typedef struct ").and_then(|rest| rest.strip_suffix(" {")) {
            // What follows are the requests of single operations, which stay in the header.
            if name.ends_with("_request") {
                continue;
            }
            writeln!(rust, "#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {name} {{")?;
            for member in lines.by_ref().take_while(|line| !line.starts_with('}')) {
                let (held, called) = variable(member.trim_end_matches(';'))?;
                writeln!(rust, "    pub {called}: {held},")?;
            }
            writeln!(rust, "}}")?;
        } else if let Some(declared) = line.strip_prefix("extern ").and_then(|rest| rest.strip_suffix(");")) {
            let (before, parameters) = declared.split_once('(').ok_or("a function without parameters")?;
            let (result, name) = variable(before)?;
            let parameters: Vec<&str> = parameters.split(',').filter(|held| *held != "void").collect();
            let parameters =
                parameters.iter().map(|held| Ok(variable(held)?.0)).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
            writeln!(
                rust,
                "const _: unsafe extern \"C\" fn({}) -> {result} = crate::export::{name};",
                parameters.join(", ")
            )?;
            functions += 1;
        }
    }
    Ok((rust, functions))
}

/// Type and name of a variable of C.
fn variable(declared: &str) -> Result<(String, String), Box<dyn Error>> {
    let at = declared.rfind([' ', '*']).ok_or_else(|| format!("no variable: {declared}"))?;
    let (held, name) = declared.split_at(at + 1);
    let (mut words, mut stars, mut constant) = (Vec::new(), 0, false);
    for word in held.replace('*', " * ").split_whitespace() {
        match word {
            "*" => stars += 1,
            "const" => constant = true,
            word => words.push(word.to_owned()),
        }
    }
    let [word] = words.as_slice() else { return Err(format!("no type: {held}").into()) };
    let named = TYPES.iter().find(|(c, _)| c == word).map_or(word.as_str(), |(_, rust)| rust);
    // Of two stars the inner one is about what the outer one gets.
    let mut rust = named.to_owned();
    for _ in 0..stars {
        rust = format!("*{} {rust}", if constant { "const" } else { "mut" });
        constant = false;
    }
    Ok((rust, name.to_owned()))
}
