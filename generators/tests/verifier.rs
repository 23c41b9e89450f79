//! Packages that verify: their faces follow from the operations, and no template knows one of them.

use std::collections::BTreeMap;

use assize_corpus::operation::{self, Operation, Table};
use assize_generators::{
    files::Owner,
    language::Language,
    plan::{self, Plan, PlanError, Start, Wanted},
};
use serde_json::json;

use crate::support;

const LAWS: [&str; 2] = ["sovereign/deny-precedence", "canon/i-json"];

const CORE: &[u8] = b"\0asm\x01\0\0\0";

fn with_a_package() -> Vec<Language> {
    let all = Language::names().into_iter().map(|name| Language::built_in(&name).unwrap());
    let found: Vec<Language> = all.filter(|language| language.config.verifier.is_some()).collect();
    assert!(!found.is_empty());
    found
}

fn plan_of(language: &Language, table: &Table) -> Plan {
    let mut collection = support::collection(&LAWS, 2);
    collection.operations.extend(table.operations.iter().map(|operation| operation.name.clone()));
    plan::verifier(language, &language.config.package.default, CORE, &collection, table).unwrap()
}

/// The text of what the generator keeps and some template may have made.
fn text(plan: &Plan) -> BTreeMap<&str, String> {
    let generated =
        plan.files.iter().filter(|(path, file)| file.owner == Owner::Generator && !path.starts_with("vectors/"));
    generated.map(|(path, file)| (path, String::from_utf8_lossy(&file.bytes).into_owned())).collect()
}

/// An operation that no template has seen.
fn toy() -> Operation {
    let out = |name: &str, kind: &str| json!({"name": name, "kind": kind, "type": "string", "description": "What it weighs."});
    let mut toy: Operation = serde_json::from_value(json!({
        "name": "canon.weigh_feathers",
        "summary": "Weigh feathers by the dozen.",
        "args": [{"name": "plumage_kind", "type": "string", "required": true, "values": ["down", "quill"], "description": "Which."}],
        "in": [{"name": "bird_song", "required": true, "form": "json", "description": "The bird."}],
        "root": true,
        "root_description": "The nest.",
        "accept": [out("gram_weight", "value")],
        "reject": {"common": true, "codes": [{"code": "E_TOO_HEAVY"}], "out": []},
        "laws": "canon/",
        "levels": []
    }))
    .unwrap();
    toy.system = "canon".to_owned();
    toy
}

#[test]
fn a_new_operation_a_changed_sentence_and_a_law_appear_with_no_template_edited() {
    let before = operation::table().clone();
    let mut after = before.clone();
    after.operations.push(toy());
    let changed = after.operations.iter_mut().find(|operation| operation.name == "canon.bytes").unwrap();
    changed.summary = "Spell a document in a sentence that is new.".to_owned();
    for language in with_a_package() {
        let (name, path) = (&language.config.name, language.config.verifier.as_ref().unwrap().core.clone());
        let (earlier, later) = (plan_of(&language, &before), plan_of(&language, &after));
        let (earlier, later) = (text(&earlier), text(&later));
        let all = |files: &BTreeMap<&str, String>| files.values().cloned().collect::<Vec<_>>().join("\n");
        let (old, new) = (all(&earlier), all(&later));
        for word in [
            "canon.weigh_feathers",
            "Weigh feathers by the dozen.",
            "The bird.",
            "The nest.",
            "What it weighs.",
            "quill",
        ] {
            assert!(!old.contains(word), "{name}: {word}");
            assert!(new.contains(word), "{name}: {word}");
        }
        // A comment is folded anywhere, at a hyphen too.
        let unfolded =
            |text: &str| text.split_whitespace().filter(|word| !matches!(*word, "*" | "//" | "#")).collect::<String>();
        let says = |text: &str| unfolded(&new).contains(&unfolded(text));
        assert!(says("Spell a document in a sentence that is new."), "{name}");
        let law = &support::collection(&LAWS, 1).laws[0].law;
        assert!(says(&format!("{}: {} ({})", law.slug, law.statement, law.spec)), "{name}: {}", law.slug);
        assert_eq!(later[path.as_str()].as_bytes(), CORE, "{name}");
        assert!(later["LICENSE"].contains("Apache License"), "{name}");
    }
}

#[test]
fn a_package_that_verifies_holds_nothing_of_an_implementer() {
    for language in with_a_package() {
        let plan = plan_of(&language, operation::table());
        let offered: Vec<&str> =
            plan.files.iter().filter(|(_, file)| file.owner == Owner::Implementer).map(|(path, _)| path).collect();
        assert!(offered.is_empty(), "{}: {offered:?}", language.config.name);
        let wanted = Wanted { suite: true, kit: true, start: Start::Stubs };
        let (package, collection) = (&language.config.package.default, support::collection(&LAWS, 2));
        let project = plan::project(&language, package, wanted, &collection, operation::table()).unwrap();
        let core = &language.config.verifier.as_ref().unwrap().core;
        assert!(project.files.find(core).is_none() && plan.files.find(core).is_some());
    }
}

#[test]
fn a_language_without_such_a_package_says_so() {
    let mut language = with_a_package().remove(0);
    language.config.verifier = None;
    let collection = support::collection(&LAWS, 1);
    let refused = plan::verifier(&language, &language.config.package.default, CORE, &collection, operation::table());
    assert!(matches!(refused, Err(PlanError::NoVerifier { .. })), "{refused:?}");
}
