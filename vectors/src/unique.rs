//! Objects in which no name comes twice: an ordinary map keeps the last of them in silence.

use std::{collections::BTreeMap, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor},
};

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
