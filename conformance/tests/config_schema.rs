//! The schemas of the two files that a user writes, and the parsers, agree on what is sound.

use assize::{
    catalogue::SYSTEMS,
    config::{Config, ConfigError, MODES, OWN_ENVIRONMENT},
    expectations::{CLASSES, Expectations},
    protocol::Limits,
};
use assize_corpus::{operation, store};
use serde_json::{Value, json};

fn schema(name: &str) -> Value {
    let text = store::embedded(&format!("contracts/interface/{name}.schema.json")).unwrap();
    serde_json::from_slice(text).unwrap()
}

/// Checks a text with the schema and with the parser; both must say whether it is sound.
#[track_caller]
fn check<T>(schema: &Value, parse: fn(&str, &[u8]) -> Result<T, ConfigError>, text: &str, sound: bool) {
    let data: Value = toml::from_str(text).unwrap();
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<_> = validator.iter_errors(&data).map(|error| error.to_string()).collect();
    assert_eq!(errors.is_empty(), sound, "schema: {text}\n{errors:#?}");
    let error = parse("f.toml", text.as_bytes()).err();
    assert_eq!(error.is_none(), sound, "parser: {text}\n{error:?}");
}

#[test]
fn configurations() {
    let schema = schema("config");
    let check = |text: &str, sound: bool| check(&schema, Config::parse, text, sound);
    for (command, sound) in [
        ("['x']", true),
        ("['x', '', '-v']", true),
        ("[]", false),
        ("['']", false),
        ("'x'", false),
        ("[1]", false),
        ("['x', 1]", false),
        (r#"["x\u0000"]"#, false),
        (r#"["x", "\u0000"]"#, false),
    ] {
        check(&format!("command = {command}"), sound);
    }
    check("", false);
    for (line, sound) in [
        ("directory = '.'", true),
        ("directory = ''", false),
        (r#"directory = "a\u0000b""#, false),
        ("directory = ['.']", false),
        ("environment = []", true),
        ("environment = ['PATH', 'JAVA_HOME']", true),
        ("environment = ['PATH', 'PATH']", false),
        ("environment = ['A=b']", false),
        ("environment = ['']", false),
        ("environment = ['LC_ALL']", false),
        ("environment = 'PATH'", false),
        (r#"environment = ["A\u0000"]"#, false),
        ("modes = ['law', 'reference']", true),
        ("modes = ['Law']", false),
        ("modes = ['law', 'law']", false),
        ("systems = ['canon']", true),
        ("systems = ['Canon']", false),
        ("levels = ['comparator-law']", true),
        ("levels = ['Comparator']", false),
        ("expectations = 'known.toml'", true),
        ("expectations = ''", false),
        ("expectations = 1979-05-27", false),
        ("jobs = true", false),
        ("jobs = 1.5", false),
        ("jobs = '1'", false),
        ("job = 1", false),
        ("limits = {}", true),
        ("limits = 1", false),
        ("limits = { lines = 1 }", false),
    ] {
        check(&format!("command = ['x']\n{line}"), sound);
    }
    // The schema gives the form of such a name; whether it exists is for the declarations to say, which the parser asks.
    for line in ["systems = ['cannon']", "levels = ['comparator']"] {
        assert!(Config::parse("f.toml", format!("command = ['x']\n{line}").as_bytes()).is_err(), "{line}");
    }
}

#[test]
fn numbers_have_the_same_ranges() {
    let schema = schema("config");
    let properties = |place: &str| schema.pointer(place).unwrap().as_object().unwrap().clone();
    let ranges = properties("/properties").into_iter().filter(|(name, _)| name != "limits").map(|it| ("", it));
    let limits = properties("/properties/limits/properties").into_iter().map(|it| ("limits.", it));
    let mut count = 0;
    for (prefix, (name, range)) in ranges.chain(limits).filter(|(_, (_, range))| range["type"] == "integer") {
        let (least, most) = (range["minimum"].as_i64().unwrap(), range["maximum"].as_i64().unwrap());
        for (value, sound) in [(least - 1, false), (least, true), (most, true), (most + 1, false)] {
            check(&schema, Config::parse, &format!("command = ['x']\n{prefix}{name} = {value}"), sound);
        }
        count += 1;
    }
    assert_eq!(count, 8);
}

#[test]
fn names_and_defaults_are_those_of_the_library() {
    let schema = schema("config");
    let list = |place: &str| schema.pointer(place).unwrap().clone();
    assert_eq!(list("/properties/modes/items/enum"), json!(MODES));
    let every = |key: &str, names: &[&str]| {
        let text = format!("command = ['x']\n{key} = {}", json!(names));
        check(&schema, Config::parse, &text, true);
    };
    every("systems", &SYSTEMS);
    every("levels", &operation::table().levels.iter().map(|level| level.name.as_str()).collect::<Vec<_>>());
    assert_eq!(list("/properties/environment/items/not/enum"), json!(OWN_ENVIRONMENT));
    let limits = list("/properties/limits/properties");
    let defaults = limits.as_object().unwrap().iter().map(|(name, limit)| (name.clone(), limit["default"].clone()));
    assert_eq!(Value::Object(defaults.collect()), serde_json::to_value(Limits::default()).unwrap());
    let classes = self::schema("expectations").pointer("/$defs/Failure/properties/outcome/enum").unwrap().clone();
    assert_eq!(classes, json!(CLASSES));
}

#[test]
fn expectations() {
    let schema = schema("expectations");
    let check = |text: &str, sound: bool| check(&schema, Expectations::parse, text, sound);
    check("", true);
    check("failure = []", true);
    check("failure = {}", false);
    check("failure = [1]", false);
    check("failures = []", false);
    let entry = |changed: &str, value: Option<&str>| {
        let sound = [("cases", "['a/b/c']"), ("outcome", "'CRASH'"), ("reason", "'r'"), ("link", "'l'")];
        let line = |(key, sound): (&str, &str)| match value {
            _ if key != changed => format!("{key} = {sound}\n"),
            Some(value) => format!("{key} = {value}\n"),
            None => String::new(),
        };
        format!("[[failure]]\n{}", sound.map(line).concat())
    };
    check(&entry("", None), true);
    check(&format!("{}note = 'n'", entry("", None)), false);
    for key in ["cases", "outcome", "reason", "link"] {
        check(&entry(key, None), false);
        check(&entry(key, Some("1")), false);
        check(&entry(key, Some("''")), false);
    }
    for (key, value, sound) in [
        ("cases", "['a/b/c', 'a/*', '?']", true),
        ("cases", "[]", false),
        ("cases", "['']", false),
        ("cases", "[' ']", false),
        ("cases", "['a', 'a']", false),
        ("cases", "[['a']]", false),
        ("outcome", "'WRONG-OUTPUT'", true),
        ("outcome", "'PASS'", false),
        ("outcome", "'NOT-RUN'", false),
        ("outcome", "'crash'", false),
        ("outcome", "['CRASH']", false),
        ("reason", r#"" \t\n""#, false),
        ("reason", "' why '", true),
        ("link", "' '", false),
        ("link", "'notes.md#a'", true),
    ] {
        check(&entry(key, Some(value)), sound);
    }
}
