//! Packages that verify: their faces follow from the operations, and no template knows one of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use assize_corpus::operation::{self, Operation, Table};
use assize_generators::{
    carried::Core,
    files::Owner,
    language::{Carries, Language},
    plan::{self, Plan, PlanError, Start, Wanted},
};
use serde_json::json;

use crate::support;

const LAWS: [&str; 2] = ["sovereign/deny-precedence", "canon/i-json"];

const CORE: &[u8] = b"\0asm\x01\0\0\0";

/// A core in the form that a language carries.
fn core(language: &Language) -> Core {
    match language.config.verifier.as_ref().map(|parts| parts.carries) {
        Some(Carries::Sources) => {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join("assize-core")).unwrap();
            fs::write(folder.path().join("assize-core/Cargo.toml"), CORE).unwrap();
            Core::sources(folder.path()).unwrap()
        }
        _ => Core::module(CORE.to_vec()).unwrap(),
    }
}

/// A file of it, where it lies in the package.
fn carried(language: &Language) -> String {
    let parts = language.config.verifier.as_ref().unwrap();
    match parts.carries {
        Carries::Module => parts.core.clone(),
        Carries::Sources => format!("{}/assize-core/Cargo.toml", parts.core),
    }
}

fn with_a_package() -> Vec<Language> {
    let all = Language::names().into_iter().map(|name| Language::built_in(&name).unwrap());
    let found: Vec<Language> = all.filter(|language| language.config.verifier.is_some()).collect();
    assert!(!found.is_empty());
    found
}

fn plan_of(language: &Language, table: &Table) -> Plan {
    let mut collection = support::collection(&LAWS, 2);
    collection.operations.extend(table.operations.iter().map(|operation| operation.name.clone()));
    plan::verifier(language, &language.config.package.default, &core(language), &collection, table).unwrap()
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
        let (name, path) = (&language.config.name, carried(&language));
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
        // Javadoc is markup.
        let marked = [("&lt;", "<"), ("&gt;", ">"), ("&#64;", "@"), ("&amp;", "&")];
        let plain = marked.iter().fold(new.clone(), |text, (markup, letter)| text.replace(markup, letter));
        let says = |text: &str| unfolded(&plain).contains(&unfolded(text));
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
        let core = carried(&language);
        assert!(project.files.find(&core).is_none() && plan.files.find(&core).is_some());
    }
}

#[test]
fn a_language_without_such_a_package_or_with_another_form_of_core_says_so() {
    let mut language = with_a_package().remove(0);
    let (core, collection) = (core(&language), support::collection(&LAWS, 1));
    let planned = |language: &Language| {
        plan::verifier(language, &language.config.package.default, &core, &collection, operation::table())
    };
    assert!(planned(&language).is_ok());
    let parts = language.config.verifier.as_mut().unwrap();
    parts.carries = if parts.carries == Carries::Module { Carries::Sources } else { Carries::Module };
    let refused = planned(&language);
    assert!(matches!(refused, Err(PlanError::OtherCore { .. })), "{refused:?}");
    language.config.verifier = None;
    let refused = planned(&language);
    assert!(matches!(refused, Err(PlanError::NoVerifier { .. })), "{refused:?}");
}

/// Packages of a lock file: name, version and digest; those of a folder have no digest.
fn locked(lock: &[u8]) -> BTreeSet<(String, String, Option<String>)> {
    let lock: toml::Table = toml::from_slice(lock).unwrap();
    let text = |package: &toml::Value, member: &str| Some(package.get(member)?.as_str()?.to_owned());
    let packages = lock["package"].as_array().unwrap().iter();
    let one =
        |package: &toml::Value| Some((text(package, "name")?, text(package, "version")?, text(package, "checksum")));
    packages.map(|package| one(package).unwrap()).collect()
}

/// Whoever reads what a package adds to the core has one short file in which a pointer of a caller is followed, if any.
#[test]
fn what_is_compiled_beside_the_core_is_unsafe_in_one_short_file_at_most() {
    for language in with_a_package() {
        let (name, core) = (&language.config.name, &language.config.verifier.as_ref().unwrap().core);
        let plan = plan_of(&language, operation::table());
        let beside: BTreeMap<&str, String> =
            text(&plan).into_iter().filter(|(path, _)| !path.starts_with(core.as_str())).collect();
        let unsafe_: Vec<_> = beside
            .iter()
            .filter(|(path, text)| path.ends_with(".rs") && text.contains("allow(unsafe_code"))
            .map(|(path, text)| (*path, text.lines().count()))
            .collect();
        assert!(unsafe_.len() <= 1 && unsafe_.iter().all(|(_, lines)| *lines < 150), "{name}: {unsafe_:?}");
        let manifests = beside.iter().filter(|(path, _)| path.ends_with("Cargo.toml"));
        for (path, manifest) in manifests {
            assert!(manifest.contains("unsafe_code = \"deny\""), "{name}: {path}");
        }
    }
}

/// Sources that a package compiles stand on what the repository is tested with.
#[test]
fn packages_that_compile_the_core_lock_what_the_repository_locks() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ours = locked(&fs::read(top.join("../Cargo.lock")).unwrap());
    for language in
        with_a_package().iter().filter(|found| found.config.verifier.as_ref().unwrap().carries == Carries::Sources)
    {
        let plan = plan_of(language, operation::table());
        let locks: Vec<&str> =
            plan.files.iter().map(|(path, _)| path).filter(|path| path.ends_with("Cargo.lock")).collect();
        assert_eq!(locks.len(), 1, "{}", language.config.name);
        let theirs = locked(&plan.files.find(locks[0]).unwrap().bytes);
        assert!(theirs.iter().any(|(name, ..)| name == "assize-verifier"), "{}", language.config.name);
        let stale: Vec<_> = theirs
            .iter()
            .filter(|found| match &found.2 {
                Some(_) => !ours.contains(*found),
                None => found.1 != env!("CARGO_PKG_VERSION"),
            })
            .collect();
        assert!(
            stale.is_empty(),
            "{}: {} is older than Cargo.lock at {stale:?}; emit the package, copy Cargo.lock in its place, and copy back what \
             `cargo metadata --offline` makes of it there",
            language.config.name,
            locks[0]
        );
    }
}
