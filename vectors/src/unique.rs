//! Objects in which no name comes twice: an ordinary map keeps the last of them in silence.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    marker::PhantomData,
};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor},
};

/// An object in which no name comes twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Once<V>(pub BTreeMap<String, V>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Once<V> {
    fn deserialize<D: Deserializer<'de>>(object: D) -> Result<Self, D::Error> {
        members(object, "an object", |name| format!("the name {name:?} comes twice")).map(Self)
    }
}

/// The first name that comes twice in one object of a JSON text, however deep that is; nothing where none does before the text ends,
/// or is no JSON any more.
#[must_use]
pub fn repeated(text: &str) -> Option<String> {
    let mut twice = None;
    // Whether it is JSON is for its reader to say.
    let _ = Look { twice: &mut twice }.deserialize(&mut serde_json::Deserializer::from_str(text));
    twice
}

/// Walks through a value and keeps nothing of it but the names of the objects that it is in.
struct Look<'t> {
    twice: &'t mut Option<String>,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Look { twice: &mut *self.twice })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut given: A) -> Result<(), A::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = given.next_key::<String>()? {
            if names.contains(&name) {
                *self.twice = Some(name);
                return Err(A::Error::custom("a name comes twice"));
            }
            names.insert(name);
            given.next_value_seed(Look { twice: &mut *self.twice })?;
        }
        Ok(())
    }
}

/// The members of an object, whose kind `expecting` tells in errors; `twice` says what is wrong with a name that comes again.
///
/// # Errors
/// It is no object, a member does not load, or a name comes twice.
pub fn members<'de, D, V>(
    object: D,
    expecting: &'static str,
    twice: fn(&str) -> String,
) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    object.deserialize_map(Members { expecting, twice, value: PhantomData })
}

struct Members<V> {
    expecting: &'static str,
    twice: fn(&str) -> String,
    value: PhantomData<V>,
}

impl<'de, V: Deserialize<'de>> Visitor<'de> for Members<V> {
    type Value = BTreeMap<String, V>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.expecting)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut given: A) -> Result<Self::Value, A::Error> {
        let mut members = BTreeMap::new();
        while let Some((name, value)) = given.next_entry::<String, V>()? {
            if members.contains_key(&name) {
                return Err(A::Error::custom((self.twice)(&name)));
            }
            members.insert(name, value);
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_comes_twice_is_found_however_deep_it_is() {
        for (text, twice) in [
            (r#"{"a":1,"a":1}"#, "a"),
            (r#"[0,-1,2.5,"x",null,true,{"b":[{"a":{},"a":{}}]}]"#, "a"),
            (r#"{"a":{"b":1},"c":{"b":1,"d":[],"\u0062":2}}"#, "b"),
            (r#"[{"":1,"":1},"#, ""),
        ] {
            assert_eq!(repeated(text).as_deref(), Some(twice), "{text}");
        }
        for text in [r#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#, "[1e999]", "{", "", "[] []"] {
            assert_eq!(repeated(text), None, "{text}");
        }
        assert!(serde_json::from_str::<Once<u8>>(r#"{"a":1,"b":2,"a":1}"#).unwrap_err().to_string().contains("\"a\""));
        assert!(serde_json::from_str::<Once<u8>>("[]").is_err());
        let once: Once<Once<u8>> = serde_json::from_str(r#"{"a":{"b":1}}"#).unwrap();
        assert_eq!(once.0["a"].0["b"], 1);
    }
}
