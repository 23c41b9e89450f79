//! Large input. No time is asserted, but what grew with the square of its input would be felt here.

use assize_verifier::reply;

use super::laws;

/// Distinct lawful-looking codes; the areas are declared.
fn code(number: usize) -> String {
    let letter = |place: u32| char::from(b'A' + u8::try_from((number / 1000) / 26_usize.pow(place) % 26).unwrap());
    format!("WA-X{}{}-I-{:03}", letter(0), letter(1), number % 1000)
}

#[test]
fn a_registry_of_a_hundred_thousand_codes_and_a_thousand_revisions() {
    let row = |number: usize| format!(r#"{{"code":"{}","message_key":"k{number}"}}"#, code(number));
    let rows: Vec<_> = (0..100_000).map(row).collect();
    let areas: Vec<_> = (0..100)
        .map(|family| format!(r#"{{"area":"{}","document":"d"}}"#, code(family * 1000).split('-').nth(1).unwrap()))
        .collect();
    let revision = |number: usize| {
        let codes: Vec<_> = (number * 100..(number + 1) * 100).map(|n| format!(r#""{}":"k{n}""#, code(n))).collect();
        format!(r#"{{"codes":{{{}}}}}"#, codes.join(","))
    };
    let earlier: Vec<_> = (0..1000).map(revision).collect();
    let used: Vec<_> = (0..100_000).map(|number| format!("{:?}", code(number))).collect();
    let document = format!(
        r#"{{"registries":[{{"active":[{}],"areas":[{}]}}],"earlier":[{}],"used":[{}]}}"#,
        rows.join(","),
        areas.join(","),
        earlier.join(","),
        used.join(",")
    );
    let found = reply::registry(document.as_bytes()).unwrap();
    // Every revision drops the codes of the one before it, and the registry brings all but the newest back.
    assert_eq!((laws(&found), found.findings.len()), (vec!["code-never-reused"], 99_900));
}

#[test]
fn a_trace_of_a_million_events() {
    let mut document = r#"{"steps":[{"op":"new","b":1}"#.to_owned();
    let call = r#",{"op":"call","b":1,"method":"success","code":"WA-RES-S-001","data":{},"got":"reply"}"#;
    document.push_str(&call.repeat(999_997));
    document.push_str(r#",{"op":"return","of":999997},{"op":"emit","reply_type":"S"}]}"#);
    let found = reply::trace(document.as_bytes()).unwrap();
    assert_eq!((found.first_illegal, found.steps), (None, 1_000_000));
}

#[test]
fn a_schema_that_doubles_forty_times() {
    let defs: Vec<_> = (0..40)
        .map(|n| {
            format!(
                r##""d{n}":{{"properties":{{"a":{{"$ref":"#/$defs/d{0}"}},"b":{{"$ref":"#/$defs/d{0}"}}}}}}"##,
                n + 1
            )
        })
        .collect();
    let document = format!(
        r##"{{"protocol_version":"2025-11-25","tool":{{"name":"t","outputSchema":{{"$ref":"#/$defs/d0","$defs":{{{},"d40":{{}}}}}}}},
            "response":{{"result":{{"content":[],"isError":false}}}}}}"##,
        defs.join(",")
    );
    let found = reply::tool_result(document.as_bytes()).unwrap();
    assert_eq!(laws(&found.judgement), ["envelope-carried"]);
}
