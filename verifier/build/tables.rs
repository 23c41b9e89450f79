//! Makes constants and types out of the tables of the specifications: `contracts/<system>/tables/<name>.json`.
//!
//! A table states its rows alone; which columns there are follows from them. A column is a text, a number, a truth value or a list
//! of texts in every row, or null in some. A column among `keys` has another text in every row, and becomes a macro that makes an
//! enumeration with a variant for each. What a sealed document or a schema lists already is taken from there.

use std::{collections::BTreeSet, fmt::Write as _, path::Path};

use serde_json::{Map, Value};

use super::{Outcome, entries, is_name, last, read, text, wrong};

/// Texts, and lists of texts, that stand in sealed documents: the document, the place in it, and what they are called here.
const SEALED: [(&str, &str, &str); 6] = [
    ("sovereign/stage-order-v1.json", "/stage_order", "stage_order"),
    ("sovereign/replay-bundle.schema.json", "/required", "bundle_members"),
    ("sovereign/replay-bundle.schema.json", "/properties/digests/required", "bundle_digests"),
    ("sovereign/capability-decision-record.schema.json", "/properties/reason/enum", "reasons"),
    ("sovereign/capability-decision-record.schema.json", "/allOf/2/then/properties/info_code/const", "skipped"),
    ("sovereign/capability-decision-record.schema.json", "/allOf/3/then/properties/deny_code/const", "unresolved"),
];

/// A column: its name, and what its cells are.
struct Column {
    name: String,
    cell: Cell,
    nullable: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Text,
    Number,
    Truth,
    Texts,
}

/// The source of every table and list below `contracts`.
pub(crate) fn source(contracts: &Path) -> Outcome<String> {
    let mut out = String::new();
    for system in entries(contracts)? {
        let folder = system.join("tables");
        if folder.is_dir() {
            println!("cargo:rerun-if-changed={}", folder.display());
            of_system(&last(&system)?, &folder, &mut out)?;
        }
    }
    for (file, place, name) in SEALED {
        let path = contracts.join(file);
        println!("cargo:rerun-if-changed={}", path.display());
        let document = read(&path)?;
        let name = format!("{}_{name}", file.split('/').next().unwrap_or_default());
        match document.pointer(place) {
            Some(Value::String(text)) => writeln!(out, "pub(crate) const {}: &str = {text:?};", name.to_uppercase())?,
            Some(Value::Array(items)) => {
                // Null stands for none of them.
                let listed: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                list(&name, &listed, &mut out).map_err(|why| wrong(&path, place, &why.to_string()))?;
            }
            _ => return Err(wrong(&path, place, "a text or a list of texts is owed")),
        }
    }
    Ok(out)
}

fn of_system(system: &str, folder: &Path, out: &mut String) -> Outcome<()> {
    if !is_name(system, '-') {
        return Err(wrong(folder, "", "tables lie in the folder of a system"));
    }
    writeln!(out, "pub(crate) mod {system} {{")?;
    let (mut modules, mut macros) = (String::new(), String::new());
    for file in entries(folder)? {
        let called = last(&file)?;
        if called.ends_with(".schema.json") {
            continue;
        }
        match called.strip_suffix(".json") {
            Some(name) if is_name(name, '-') => {
                table(system, &name.replace('-', "_"), &file, &mut modules, &mut macros)?;
            }
            _ => {
                return Err(wrong(
                    &file,
                    "",
                    "a table's file is called after it: small letters and hyphens, then .json",
                ));
            }
        }
    }
    writeln!(out, "{modules}}}\n{macros}")?;
    Ok(())
}

/// The module of one table, and the macros of its keys.
fn table(system: &str, name: &str, file: &Path, modules: &mut String, macros: &mut String) -> Outcome<()> {
    let declared = read(file)?;
    let title = text(file, &declared, "title")?;
    let rows: Option<Vec<&Map<String, Value>>> =
        declared.get("rows").and_then(Value::as_array).and_then(|rows| rows.iter().map(Value::as_object).collect());
    let rows = rows.filter(|rows| !rows.is_empty());
    let rows = rows.ok_or_else(|| wrong(file, "rows", "a list of rows is owed, each an object"))?;
    let columns = columns(file, &rows)?;

    writeln!(modules, "    /// {title}.\n    pub(crate) mod {name} {{\n        /// A row.\n        #[derive(Debug)]")?;
    writeln!(modules, "        pub(crate) struct Row {{")?;
    for column in &columns {
        writeln!(modules, "            pub(crate) r#{}: {},", column.name, column.class())?;
    }
    writeln!(modules, "        }}\n\n        pub(crate) const ROWS: &[Row; {}] = &[", rows.len())?;
    for row in &rows {
        let cells: Vec<_> =
            columns.iter().map(|column| format!("r#{}: {}", column.name, column.written(&row[&column.name]))).collect();
        writeln!(modules, "            Row {{ {} }},", cells.join(", "))?;
    }
    writeln!(modules, "        ];")?;
    for column in columns.iter().filter(|column| column.cell == Cell::Text && !column.nullable) {
        let cells: Vec<_> = rows.iter().filter_map(|row| row.get(&column.name)?.as_str()).collect();
        let name = column.name.to_uppercase();
        writeln!(modules, "        pub(crate) const {name}: [&str; {}] = {cells:?};", cells.len())?;
    }
    writeln!(modules, "    }}")?;

    for key in declared.get("keys").and_then(Value::as_array).into_iter().flatten() {
        let key = key.as_str().unwrap_or_default();
        let cells: Option<Vec<&str>> = rows.iter().map(|row| row.get(key)?.as_str()).collect();
        let cells = cells.ok_or_else(|| wrong(file, "keys", "a column of texts is owed"))?;
        let about: Vec<Option<&str>> = rows.iter().map(|row| row.get("meaning").and_then(Value::as_str)).collect();
        let kept = Kept { rows: format!("$crate::tables::{system}::{name}"), truths: truths(&columns, &rows) };
        enumeration(&format!("{system}_{name}_{key}"), &cells, &about, Some(&kept), macros)
            .map_err(|why| wrong(file, key, &why.to_string()))?;
    }
    Ok(())
}

/// What a variant knows beside its text.
struct Kept<'t> {
    /// The path of the table's module.
    rows: String,
    /// The columns of truth values, each with its cells.
    truths: Vec<(&'t str, Vec<bool>)>,
}

fn truths<'t>(columns: &'t [Column], rows: &[&Map<String, Value>]) -> Vec<(&'t str, Vec<bool>)> {
    let truths = columns.iter().filter(|column| column.cell == Cell::Truth && !column.nullable);
    let cells = |name: &str| rows.iter().filter_map(|row| row.get(name)?.as_bool()).collect();
    truths.map(|column| (column.name.as_str(), cells(&column.name))).collect()
}

/// The columns, which every row has.
fn columns(file: &Path, rows: &[&Map<String, Value>]) -> Outcome<Vec<Column>> {
    let names: BTreeSet<&String> = rows.iter().flat_map(|row| row.keys()).collect();
    let mut columns = Vec::new();
    for name in names {
        let wrong = |message| wrong(file, name, message);
        if !is_name(name, '_') {
            return Err(wrong("a column is called by small letters and underscores"));
        }
        let (mut cell, mut nullable) = (None, false);
        for row in rows {
            let value = row.get(name).ok_or_else(|| wrong("every row has every column"))?;
            if value.is_null() {
                nullable = true;
                continue;
            }
            let found = Cell::of(value)
                .ok_or_else(|| wrong("a cell is a text, a number from 0, a truth value or a list of texts"))?;
            if cell.is_some_and(|cell| cell != found) {
                return Err(wrong("the cells of a column are of one kind"));
            }
            cell = Some(found);
        }
        let cell = cell.ok_or_else(|| wrong("some row says something here"))?;
        columns.push(Column { name: name.clone(), cell, nullable });
    }
    Ok(columns)
}

impl Cell {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(_) => Some(Self::Text),
            Value::Bool(_) => Some(Self::Truth),
            Value::Number(_) => value.as_u64().map(|_| Self::Number),
            Value::Array(_) => texts(value).map(|_| Self::Texts),
            _ => None,
        }
    }
}

impl Column {
    /// The type of its cells.
    fn class(&self) -> String {
        let class = match self.cell {
            Cell::Text => "&'static str",
            Cell::Number => "u64",
            Cell::Truth => "bool",
            Cell::Texts => "&'static [&'static str]",
        };
        if self.nullable { format!("Option<{class}>") } else { class.to_owned() }
    }

    /// A cell as an expression.
    fn written(&self, value: &Value) -> String {
        let plain = match value {
            Value::Null => return "None".to_owned(),
            Value::String(text) => format!("{text:?}"),
            Value::Array(_) => format!("&{:?}", texts(value).unwrap_or_default()),
            other => other.to_string(),
        };
        if self.nullable { format!("Some({plain})") } else { plain }
    }
}

/// A constant and a macro for a list.
fn list(name: &str, listed: &[&str], out: &mut String) -> Outcome<()> {
    writeln!(out, "pub(crate) const {}: [&str; {}] = {listed:?};", name.to_uppercase(), listed.len())?;
    enumeration(name, listed, &vec![None; listed.len()], None, out)
}

/// A macro that makes an enumeration with a variant for each of these texts, in their order.
fn enumeration(
    name: &str,
    texts: &[&str],
    about: &[Option<&str>],
    kept: Option<&Kept<'_>>,
    out: &mut String,
) -> Outcome<()> {
    let variants: Vec<String> = texts.iter().map(|text| variant(text)).collect();
    let different: BTreeSet<&String> = variants.iter().collect();
    if different.len() < variants.len() || different.contains(&String::new()) {
        return Err("each row has a name of its own here".into());
    }
    let listed = variants.iter().map(|variant| format!("Self::{variant}")).collect::<Vec<_>>().join(", ");
    writeln!(out, "macro_rules! {name} {{\n    ($(#[$meta:meta])* $vis:vis enum $name:ident) => {{")?;
    writeln!(out, "        $(#[$meta])*\n        $vis enum $name {{")?;
    for ((variant, text), about) in variants.iter().zip(texts).zip(about) {
        let about = about.map_or_else(String::new, |about| format!(": {about}"));
        writeln!(out, "            #[doc = {:?}]\n            {variant},", format!("`{text}`{about}."))?;
    }
    writeln!(
        out,
        "        }}\n\n        #[allow(dead_code, clippy::indexing_slicing, reason = \"a variant for each row\")]"
    )?;
    writeln!(out, "        impl $name {{\n            /// All of them, in the order of their table.")?;
    writeln!(out, "            $vis const ALL: [Self; {}] = [{listed}];", variants.len())?;
    writeln!(out, "            const SPELLED: [&'static str; {}] = {texts:?};", texts.len())?;
    writeln!(
        out,
        "\n            const fn spelled(self) -> &'static str {{\n                Self::SPELLED[self as usize]\n            }}"
    )?;
    writeln!(out, "\n            fn of_spelling(text: &[u8]) -> Option<Self> {{")?;
    writeln!(
        out,
        "                Self::ALL.into_iter().find(|one| one.spelled().as_bytes() == text)\n            }}"
    )?;
    if let Some(Kept { rows: row, truths }) = kept {
        for (name, cells) in truths {
            let those = variants.iter().zip(cells).filter(|(_, holds)| **holds);
            let those: Vec<_> = those.map(|(variant, _)| format!("Self::{variant}")).collect();
            writeln!(out, "\n            /// Those for which `{name}` holds.")?;
            let (name, count) = (name.to_uppercase(), those.len());
            writeln!(out, "            $vis const {name}: [Self; {count}] = [{}];", those.join(", "))?;
        }
        writeln!(
            out,
            "\n            fn row(self) -> &'static {row}::Row {{\n                &{row}::ROWS[self as usize]\n            }}"
        )?;
    }
    writeln!(out, "        }}\n    }};\n}}")?;
    Ok(())
}

/// What a text is called as a variant: `LOAD_INPUT` is `LoadInput`, and what begins with a digit is a version.
fn variant(text: &str) -> String {
    let parts = text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        return format!("V{}", parts.collect::<Vec<_>>().join("_"));
    }
    let word = |part: &str| {
        let (first, rest) = part.split_at(1);
        first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
    };
    parts.map(word).collect()
}

/// A list of texts.
fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}
