//! The layers of `contracts/reply/tables/layers.json`, which no configuration adds to.
//!
//! Spec: Canonical Reply System Architecture (Final), 4; ruling RE-16.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::code::Layer;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/layer-closed");

impl Layer {
    /// The layer of this name.
    #[must_use]
    pub fn from_name(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.name() == text)
    }
}

/// Reads the layer of a code and objects to any other name.
pub(crate) fn judge(name: &str, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) -> Option<Layer> {
    let layer = Layer::from_name(name);
    if layer.is_none() {
        let message = format!(
            "{} is not a layer: {} are all there are",
            quoted(name.as_bytes()),
            Layer::ALL.map(Layer::name).join(", ")
        );
        found.meaning(LAW, at(), message);
    }
    layer
}
