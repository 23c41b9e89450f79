//! Every row of the profile, with the values that stand on either side of it.

use super::*;

/// A triplet that every stage lets pass.
const LAWFUL: Candidate<'static> = Candidate {
    stem: "data/one",
    body: br#"{"dto_type": "invocation", "id": "inv:one"}"#,
    links: br#"{"skill": {"type": "skill", "id": "s", "relationship": "declares"}}"#,
    manifest: b"{}",
};

fn found(candidate: &Candidate<'_>) -> Vec<(Stage, &'static str, String)> {
    let issues = validate_triplet(candidate);
    issues.as_slice().iter().map(|issue| (issue.stage, issue.code, issue.location.as_str().to_owned())).collect()
}

fn expect(candidate: &Candidate<'_>, expected: &[(Stage, &'static str, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(stage, code, place)| (*stage, *code, (*place).to_owned())).collect();
    assert_eq!(found(candidate), expected);
}

fn links(text: &'static str) -> Candidate<'static> {
    Candidate { links: text.as_bytes(), ..LAWFUL }
}

fn body(text: &'static str) -> Candidate<'static> {
    Candidate { body: text.as_bytes(), ..LAWFUL }
}

fn manifest(text: &'static str) -> Candidate<'static> {
    Candidate { manifest: text.as_bytes(), ..LAWFUL }
}

#[test]
fn a_lawful_triplet_passes() {
    expect(&LAWFUL, &[]);
    expect(
        &Candidate {
            body: br#"{"dto_type": "validation_result"}"#,
            links: br#"{
                "skill": {"type": "skill", "id": "s"}, "entrypoint": {"type": "entrypoint", "id": "e"},
                "tool_profile": {"type": "tool_profile", "id": "t", "relationship": "declares"},
                "invocation": {"type": "invocation", "id": "i", "relationship": "validates"},
                "artifacts": [{"type": "artifact", "id": "a", "relationship": "derives_from"},
                              {"type": "artifact", "id": "b", "relationship": "derives_from"},
                              {"type": "artifact", "id": "c", "relationship": "causes"}],
                "trace_events": [{"type": "trace_event", "id": "t", "relationship": "produces"},
                                 {"type": "trace_event", "id": "u", "relationship": "causes"}]}"#,
            ..LAWFUL
        },
        &[],
    );
}

#[test]
fn a_text_that_is_no_json_ends_the_validation() {
    let code = "E_BASE_SHAPE_INVALID_JSON";
    expect(&Candidate { links: b"[]", ..body("{") }, &[(Stage::BaseShape, code, "/body")]);
    expect(&links("{]"), &[(Stage::BaseShape, code, "/links")]);
    expect(&Candidate { body: b"[]", ..manifest("") }, &[(Stage::BaseShape, code, "/manifest")]);
}

#[test]
fn base_shape_wants_objects() {
    expect(
        &Candidate { stem: "invocation", ..body("[]") },
        &[(Stage::BaseShape, "E_BASE_SHAPE_INVALID_BODY_VALUE", "/body")],
    );
    expect(&manifest("[]"), &[(Stage::BaseShape, "E_BASE_SHAPE_INVALID_MANIFEST_VALUE", "/manifest")]);
    // Links that are not an object end the stage: the manifest is not looked at.
    let both = Candidate { links: b"[]", ..manifest("[]") };
    expect(&both, &[(Stage::BaseShape, "E_BASE_SHAPE_INVALID_LINKS_VALUE", "/links")]);
}

#[test]
fn base_shape_wants_references() {
    let code = "E_BASE_SHAPE_INVALID_LINKS_VALUE";
    let container = "E_DTO_LINKS_WRONG_CONTAINER_SHAPE";
    expect(
        &links(r#"{"skill": 1, "trace_events": [[], {"type": "trace_event", "id": "t"}]}"#),
        &[
            (Stage::BaseShape, code, "/links/skill"),
            (Stage::BaseShape, code, "/links/trace_events/0"),
            (Stage::DtoLinks, container, "/links/skill"),
        ],
    );
    let reference = "E_BASE_SHAPE_INVALID_REFERENCE";
    expect(
        &links(r#"{"trace_events": [{"type": "trace_event", "id": ""}, {"type": "trace_event"}, {"id": "x"}]}"#),
        &[
            (Stage::BaseShape, reference, "/links/trace_events/0/id"),
            (Stage::BaseShape, reference, "/links/trace_events/1/id"),
            (Stage::BaseShape, reference, "/links/trace_events/2/type"),
            (Stage::DtoLinks, "E_TYPED_REF_MISMATCH", "/links/trace_events/2/type"),
        ],
    );
}

#[test]
fn the_type_is_the_first_known_name() {
    let known = [
        (r#"{"dto_type": " Invocation\t"}"#, "{}", "x"),
        (r#"{"dto_type": "other", "type": "invocation"}"#, "{}", "x"),
        (r#"{"dto_type": 1}"#, r#"{"dto_type": "invocation"}"#, "x"),
        ("{}", r#"{"dto_type": "", "type": "INVOCATION"}"#, "x"),
        ("{}", "{}", "a/my-invocation.v1"),
    ];
    for (body, manifest, stem) in known {
        expect(&Candidate { stem, body: body.as_bytes(), manifest: manifest.as_bytes(), ..LAWFUL }, &[]);
    }
    let unknown = (Stage::DtoLinks, "E_DTO_LINKS_UNKNOWN_KEY", "/body/dto_type");
    // The profile's stem is its last part, and without a type no relationship has a lawful source.
    let source = (Stage::RelationshipVocabulary, "E_RELATIONSHIP_INCOMPATIBLE", "/links/skill");
    expect(&Candidate { stem: "invocation/x", ..body("{}") }, &[unknown, source]);
    // A known name of the body comes before the manifest's.
    let other = Candidate { manifest: br#"{"dto_type": "invocation"}"#, ..body(r#"{"type": "validation_result"}"#) };
    expect(
        &Candidate { links: br#"{"validation_result": {"type": "validation_result", "id": "v"}}"#, ..other },
        &[(Stage::DtoLinks, "E_DTO_LINKS_UNKNOWN_KEY", "/links/validation_result")],
    );
}

#[test]
fn dto_links_knows_keys_containers_and_types() {
    expect(
        &links(
            r#"{"a/b": {"type": "x", "id": "x"}, "skill": [{"type": "skill", "id": "s"}],
                "trace_events": {"type": "artifact", "id": "a"}, "entrypoint": {"type": "Entrypoint", "id": "e"}}"#,
        ),
        &[
            (Stage::DtoLinks, "E_DTO_LINKS_UNKNOWN_KEY", "/links/a~1b"),
            (Stage::DtoLinks, "E_TYPED_REF_MISMATCH", "/links/entrypoint/type"),
            (Stage::DtoLinks, "E_DTO_LINKS_WRONG_CONTAINER_SHAPE", "/links/skill"),
            (Stage::DtoLinks, "E_DTO_LINKS_WRONG_CONTAINER_SHAPE", "/links/trace_events"),
            (Stage::DtoLinks, "E_TYPED_REF_MISMATCH", "/links/trace_events/type"),
        ],
    );
    // Keys of the other type are unknown.
    for key in ["tool_profile", "invocation"] {
        let text = format!(r#"{{"{key}": {{"type": "{key}", "id": "x"}}}}"#);
        let found = found(&Candidate { links: text.as_bytes(), ..LAWFUL });
        assert_eq!(found, [(Stage::DtoLinks, "E_DTO_LINKS_UNKNOWN_KEY", format!("/links/{key}"))]);
    }
}

#[test]
fn relationships_have_sources_targets_and_a_number() {
    let code = "E_RELATIONSHIP_INCOMPATIBLE";
    let stage = Stage::RelationshipVocabulary;
    expect(
        &links(
            r#"{"skill": {"type": "skill", "id": "s", "relationship": "Declares"},
                "entrypoint": {"type": "entrypoint", "id": "e", "relationship": null},
                "trace_events": [{"type": "trace_event", "id": "t", "relationship": 1},
                                 {"type": "trace_event", "id": "t", "relationship": "declares"},
                                 {"type": "trace_event", "id": "t", "relationship": "derives_from"}]}"#,
        ),
        &[
            (stage, code, "/links/skill/relationship"),
            (stage, code, "/links/trace_events/0/relationship"),
            (stage, code, "/links/trace_events/1"),
            (stage, code, "/links/trace_events/2"),
        ],
    );
    expect(
        &links(
            r#"{"skill": {"type": "skill", "id": "s", "relationship": "declares"},
                "entrypoint": {"type": "entrypoint", "id": "e", "relationship": "declares"}}"#,
        ),
        &[(stage, "E_RELATIONSHIP_CARDINALITY_VIOLATION", "/links")],
    );
}

#[test]
fn policy_looks_for_raw_ids_at_every_depth() {
    let code = "E_POLICY_RAW_ID_FORBIDDEN";
    let nested = r#"{"dto_type": "invocation", "a": [{"the_skill_id": 1, "askill_id": 2}], "workspace_id": {}}"#;
    expect(
        &body(nested),
        &[(Stage::Policy, code, "/body/a/0/the_skill_id"), (Stage::Policy, code, "/body/workspace_id")],
    );
    expect(
        &Candidate { manifest: br#"{"policy": {"allowed_local_ids": ["the_skill_id", 1]}}"#, ..body(nested) },
        &[(Stage::Policy, code, "/body/workspace_id")],
    );
    let in_links = links(r#"{"skill": {"type": "skill", "id": "s", "artifact_id": "x"}}"#);
    expect(&in_links, &[(Stage::Policy, code, "/links/skill/artifact_id")]);
    let issues = validate_triplet(&in_links);
    assert_eq!(
        issues.as_slice().first().map(|issue| issue.details.as_slice()),
        Some(&br#"{"token":"artifact_id"}"#[..])
    );
    // The manifest is free.
    expect(&manifest(r#"{"skill_id": 1}"#), &[]);
}

#[test]
fn determinism_wants_keys_of_arrays() {
    let code = "E_DETERMINISM_VIOLATION";
    let place = "/manifest/order_insensitive";
    expect(&manifest(r#"{"order_insensitive": {}}"#), &[(Stage::Determinism, code, place)]);
    let nested = r#"{"determinism": {"order_insensitive": "trace_events"}}"#;
    expect(&manifest(nested), &[(Stage::Determinism, code, place)]);
    let items = Candidate {
        links: br#"{"skill": {"type": "skill", "id": "s"}, "trace_events": []}"#,
        ..manifest(
            r#"{"order_insensitive": ["trace_events", 1, "skill", "absent"], "determinism": {"order_insensitive": 1}}"#,
        )
    };
    expect(
        &items,
        &[
            (Stage::Determinism, code, "/manifest/order_insensitive/1"),
            (Stage::Determinism, code, "/manifest/order_insensitive/2"),
            (Stage::Determinism, code, "/manifest/order_insensitive/3"),
        ],
    );
}

#[test]
fn every_stage_runs_whatever_the_earlier_ones_found() {
    let all = Candidate {
        stem: "x",
        body: br#"{"dto_type": "unknown", "skill_id": 1}"#,
        links: br#"{"k": 1, "l": {"type": "skill", "id": "s", "relationship": "declares"}}"#,
        manifest: br#"{"order_insensitive": 1}"#,
    };
    let stages: Vec<_> = found(&all).into_iter().map(|(stage, ..)| stage).collect();
    assert_eq!(stages, Stage::ALL[..5]);
}
