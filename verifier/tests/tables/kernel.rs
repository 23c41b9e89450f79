//! `contracts/kernel/tables`, and the stages.

use assize_verifier::kernel::{Candidate, Stage, validate_triplet};
use serde_json::{Value, json};

use super::{document, lists, rows, text, texts};

/// The codes of the issues of a triplet of this type.
fn codes(of: &str, body: &Value, links: &Value) -> Vec<&'static str> {
    let mut body = body.clone();
    body["dto_type"] = of.into();
    let (body, links) = (body.to_string(), links.to_string());
    let candidate = Candidate { stem: "one", body: body.as_bytes(), links: links.as_bytes(), manifest: b"{}" };
    validate_triplet(&candidate).as_slice().iter().map(|issue| issue.code).collect()
}

#[test]
fn stages_are_those_of_the_stage_order() {
    let order = document("sovereign/stage-order-v1.json");
    assert_eq!(json!(Stage::ALL.map(Stage::name)), order["stage_order"]);
}

#[test]
fn keys_of_links_have_their_types_and_containers() {
    let types = texts("kernel", "dto-types", "type");
    assert!(codes("unheard", &json!({}), &json!({})).contains(&"E_DTO_LINKS_UNKNOWN_KEY"));
    for row in rows("kernel", "link-keys") {
        let reference = json!({"type": row["target"], "id": "i"});
        for of in &types {
            let one = json!({text(&row, "key"): reference});
            let many = json!({text(&row, "key"): [reference]});
            let (fits, other) = if row["many"] == true { (many, one) } else { (one, many) };
            let known = lists(&row, "types", of);
            assert_eq!(codes(of, &json!({}), &fits).is_empty(), known, "{row} {of}");
            let wrong = codes(of, &json!({}), &other).contains(&"E_DTO_LINKS_WRONG_CONTAINER_SHAPE");
            assert_eq!(wrong, known, "{row} {of}");
        }
    }
}

#[test]
fn relationships_lead_where_their_rows_say() {
    let keys = rows("kernel", "link-keys");
    for row in rows("kernel", "relationships") {
        for (key, of) in keys.iter().flat_map(|key| key["types"].as_array().unwrap().iter().map(move |of| (key, of))) {
            let (of, target) = (of.as_str().unwrap(), text(key, "target"));
            let reference = json!({"type": target, "id": "i", "relationship": row["relationship"]});
            let links = |count: usize| match key["many"] == true {
                true => json!({text(key, "key"): vec![reference.clone(); count]}),
                false => json!({text(key, "key"): reference}),
            };
            let may = lists(&row, "sources", of) && lists(&row, "targets", &target);
            let refused = codes(of, &json!({}), &links(1)).contains(&"E_RELATIONSHIP_INCOMPATIBLE");
            assert_eq!(refused, !may, "{row} {key}");
            if key["many"] == true {
                let twice = codes(of, &json!({}), &links(2)).contains(&"E_RELATIONSHIP_CARDINALITY_VIOLATION");
                assert_eq!(twice, row["once"], "{row} {key}");
            }
        }
    }
}

#[test]
fn raw_ids_are_told_by_their_ends() {
    let of = &texts("kernel", "dto-types", "type")[0];
    for token in texts("kernel", "raw-ids", "token") {
        for name in [token.clone(), format!("my_{token}")] {
            assert!(codes(of, &json!({name: 1}), &json!({})).contains(&"E_POLICY_RAW_ID_FORBIDDEN"), "{token}");
        }
        assert!(codes(of, &json!({format!("my{token}"): 1}), &json!({})).is_empty(), "{token}");
    }
}
