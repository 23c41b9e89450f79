//! Makes the table of laws out of their declarations, and the lists of modules that follow from it.
//!
//! A law is declared in `contracts/laws` and a system in its `system.json`; no list of either is kept by hand. What is a table in a
//! specification is one in `contracts/<system>/tables`, from which `build/tables.rs` makes constants; `build/schemas.rs` lays its rows into the
//! schemas that repeat them.

#[path = "build/schemas.rs"]
mod schemas;
#[path = "build/tables.rs"]
mod tables;

use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A system of `contracts`, with the laws that it declares in their published order.
struct System {
    name: String,
    position: u16,
    laws: Vec<Law>,
}

struct Law {
    /// The last part of the slug.
    name: String,
    position: u16,
}

fn main() -> Outcome<()> {
    let room = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let target = PathBuf::from(variable("OUT_DIR")?);
    let contracts = room.join("contracts");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=Cargo.toml");
    // Modules come and go.
    println!("cargo:rerun-if-changed=src");
    let systems = systems(&contracts)?;
    fs::write(target.join("law_table.rs"), table(&systems)?)?;
    fs::write(target.join("tables.rs"), tables::source(&contracts)?)?;
    schemas::lay(&contracts, &target.join("schemas"))?;
    let features = features(&room.join("Cargo.toml"))?;
    println!("cargo:rustc-check-cfg=cfg(every_system)");
    if systems.iter().all(|system| !features.contains(&system.name) || is_on(&system.name)) {
        println!("cargo:rustc-cfg=every_system");
    }
    let (mut modules, mut judged, mut tables) = (String::new(), String::new(), String::new());
    for system in &systems {
        let name = &system.name;
        let file = room.join(format!("src/{name}/mod.rs"));
        if !file.is_file() {
            continue;
        }
        let only = if features.contains(name) { format!("#[cfg(feature = {name:?})] ") } else { String::new() };
        writeln!(modules, "{only}#[path = {file:?}]\npub mod {name};")?;
        writeln!(judged, "    {only}crate::{name}::laws::JUDGED,")?;
        // A system whose law is asked through another's operation has none of its own.
        if room.join(format!("src/{name}/operations.rs")).is_file() {
            writeln!(tables, "    {only}crate::{name}::operations::TABLE,")?;
        }
        fs::write(target.join(format!("{name}_laws.rs")), rooms(&room, system)?)?;
    }
    writeln!(modules, "\n/// The laws of each system that this verifier judges.")?;
    writeln!(modules, "pub(crate) const JUDGED: &[&[law::Law]] = &[\n{judged}];")?;
    writeln!(modules, "\n/// The operations of each system.")?;
    writeln!(modules, "pub(crate) const TABLES: &[&[(&str, operation::Handler)]] = &[\n{tables}];")?;
    fs::write(target.join("systems.rs"), modules)?;
    Ok(())
}

/// The rooms of a system's laws: a module for each declared law that has a file, and the laws that they name.
fn rooms(room: &Path, system: &System) -> Outcome<String> {
    let (mut modules, mut laws) = (String::new(), String::new());
    for law in &system.laws {
        let module = law.name.replace('-', "_");
        let file = room.join(format!("src/{}/laws/{module}.rs", system.name));
        if file.is_file() {
            writeln!(modules, "#[path = {file:?}]\npub(crate) mod {module};")?;
            writeln!(laws, "    {module}::LAW,")?;
        }
    }
    Ok(format!(
        "{modules}\n/// The laws that are judged here.\npub(crate) const JUDGED: &[crate::law::Law] = &[\n{laws}];\n"
    ))
}

fn variable(name: &str) -> Outcome<std::ffi::OsString> {
    env::var_os(name).ok_or_else(|| format!("{name} is not set: Cargo runs this script").into())
}

/// Every system that has laws, in its published order.
fn systems(contracts: &Path) -> Outcome<Vec<System>> {
    let laws = contracts.join("laws");
    println!("cargo:rerun-if-changed={}", laws.display());
    let mut systems = Vec::new();
    for folder in entries(&laws)? {
        let name = last(&folder)?;
        if !folder.is_dir() || !is_name(&name, '-') || name.contains('-') {
            return Err(wrong(&folder, "", "a folder named after a system is expected here"));
        }
        let file = contracts.join(&name).join("system.json");
        println!("cargo:rerun-if-changed={}", file.display());
        let declared = read(&file)?;
        if text(&file, &declared, "name")? != name {
            return Err(wrong(&file, "name", &format!("make it {name:?}, as the folder is called")));
        }
        let mut system = System { position: position(&file, &declared)?, laws: Vec::new(), name };
        for file in entries(&folder)? {
            system.laws.push(law(&file, &system.name)?);
        }
        system.laws.sort_by(|a, b| (a.position, &a.name).cmp(&(b.position, &b.name)));
        systems.push(system);
    }
    systems.sort_by(|a, b| (a.position, &a.name).cmp(&(b.position, &b.name)));
    Ok(systems)
}

fn law(file: &Path, system: &str) -> Outcome<Law> {
    let declared = read(file)?;
    let name = match last(file)?.strip_suffix(".json") {
        Some(name) if is_name(name, '-') => name.to_owned(),
        _ => {
            return Err(wrong(
                file,
                "",
                "a law's file is called after it: small letters, digits and hyphens, then .json",
            ));
        }
    };
    let slug = format!("{system}/{name}");
    if text(file, &declared, "slug")? != slug {
        return Err(wrong(file, "slug", &format!("make it {slug:?}, as the file is called")));
    }
    Ok(Law { position: position(file, &declared)?, name })
}

/// Small letters and digits in parts that a separator joins, the first beginning with a letter: what a module can be called.
fn is_name(name: &str, separator: char) -> bool {
    let sound =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.split(separator).all(sound)
}

fn position(file: &Path, declared: &Value) -> Outcome<u16> {
    let position = declared.get("position").and_then(Value::as_u64).and_then(|position| u16::try_from(position).ok());
    position.ok_or_else(|| wrong(file, "position", "an integer from 0 to 65535 is owed"))
}

fn text<'v>(file: &Path, declared: &'v Value, member: &str) -> Outcome<&'v str> {
    declared.get(member).and_then(Value::as_str).ok_or_else(|| wrong(file, member, "a string is owed"))
}

fn read(file: &Path) -> Outcome<Value> {
    let octets = fs::read(file).map_err(|error| wrong(file, "", &error.to_string()))?;
    serde_json::from_slice(&octets).map_err(|error| wrong(file, "", &error.to_string()))
}

fn entries(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let found = fs::read_dir(folder).map_err(|error| wrong(folder, "", &error.to_string()))?;
    let mut found = found.map(|entry| Ok(entry?.path())).collect::<Outcome<Vec<_>>>()?;
    found.sort();
    Ok(found)
}

fn last(path: &Path) -> Outcome<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).ok_or_else(|| wrong(path, "", "the name is not UTF-8"))
}

fn wrong(file: &Path, member: &str, message: &str) -> Box<dyn Error> {
    let place = if member.is_empty() { String::new() } else { format!(" {member:?}:") };
    format!("{}:{place} {message}", file.display()).into()
}

/// The names below `[features]`.
fn features(manifest: &Path) -> Outcome<Vec<String>> {
    let text = fs::read_to_string(manifest)?;
    let below = text.lines().skip_while(|line| line.trim() != "[features]").skip(1);
    let own = below.take_while(|line| !line.trim_start().starts_with('['));
    let names = own.filter_map(|line| line.split_once('=')).map(|(name, _)| name.trim().trim_matches('"').to_owned());
    Ok(names.filter(|name| !name.starts_with('#')).collect())
}

/// Whether a feature is switched on, named as systems are.
fn is_on(feature: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase())).is_some()
}

/// `SYSTEMS`, and `LAWS` with the slug of each law and the number of its system.
fn table(systems: &[System]) -> Outcome<String> {
    let mut text = String::new();
    let names: Vec<&str> = systems.iter().map(|system| system.name.as_str()).collect();
    writeln!(text, "const SYSTEMS: [&str; {}] = {names:?};", names.len())?;
    let count: usize = systems.iter().map(|system| system.laws.len()).sum();
    u16::try_from(count).map_err(|_| "more laws than a u16 can number")?;
    writeln!(text, "const LAWS: [Declared; {count}] = [")?;
    for system in systems {
        for law in &system.laws {
            writeln!(text, "    Declared {{ slug: \"{0}/{1}\", system: {0:?} }},", system.name, law.name)?;
        }
    }
    writeln!(text, "];")?;
    Ok(text)
}
