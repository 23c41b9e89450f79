//! A second maker of packs answers every vector as the vector expects, and signs as RFC 8032 says.

use std::collections::BTreeSet;

use assize_corpus::store::Store;
use assize_corpus::vector::{Case, Corpus, Entry};
use assize_oracle::authority::OracleAnswer;
use assize_oracle::episode::{Files, Question, make, signature};
use serde_json::Value;

fn files(case: &Case) -> Files {
    let file = |entry: &Entry| match entry {
        Entry::File(document) => Some(document.bytes()),
        _ => None,
    };
    case.files.iter().map(|(path, entry)| (path.clone(), file(entry))).collect()
}

fn expected(case: &Case, name: &str) -> Value {
    serde_json::from_str(case.expect.out[name].raw.get()).unwrap()
}

#[test]
fn the_second_source_passes_every_vector_of_a_maker() {
    let corpus = Corpus::load(&Store::embedded());
    let cases: Vec<_> = corpus.cases.values().filter(|case| case.op == "episode.pack").collect();
    assert!(cases.len() >= 60, "{} vectors alone", cases.len());
    for case in cases {
        let request = case.request(None);
        let text = |name: &str| request.args[name].as_str().unwrap();
        let (now, private_key) = (text("now"), text("private_key"));
        let question = Question { contract: &request.docs["contract"], files: &files(case), now, private_key };
        let made = make(&question, None).unwrap();
        let codes: BTreeSet<_> = case.expect.codes.iter().cloned().collect();
        match made.answer {
            OracleAnswer::Reject(found) => assert_eq!(found, codes, "{}", case.id),
            OracleAnswer::Accept(out) => {
                assert!(codes.is_empty(), "{} is refused", case.id);
                for (name, text) in out {
                    assert_eq!(
                        serde_json::from_str::<Value>(&text).unwrap(),
                        expected(case, &name),
                        "{}: {name}",
                        case.id
                    );
                }
                let (statuses, hashes) = made.steps.unwrap();
                let pack = expected(case, "pack");
                assert_eq!(serde_json::from_str::<Value>(&statuses).unwrap(), pack["statuses"], "{}", case.id);
                assert_eq!(serde_json::from_str::<Value>(&hashes).unwrap(), pack["output_hashes"], "{}", case.id);
                assert_eq!(made.faults[0], [""; 0], "{}", case.id);
            }
        }
    }
}

/// The first three tests of RFC 8032, 7.1.
#[test]
fn signatures_are_those_of_the_standard() {
    for (seed, message, public, signed) in [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "72",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "af82",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ] {
        let hex = |octets: &[u8]| octets.iter().map(|octet| format!("{octet:02x}")).collect::<String>();
        let octets = |hex: &str| -> Vec<u8> {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
        };
        let (key, signature) = signature(&octets(seed).try_into().unwrap(), &octets(message)).unwrap();
        assert_eq!((hex(&key).as_str(), hex(&signature).as_str()), (public, signed));
    }
}
