//! The stages in their order.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.1, stage-order-v1.json.

use std::sync::{Arc, LazyLock};

use crate::contracts;
use crate::json::{Dialect, Document};
use crate::rejection::Rejection;

/// The stages in their order.
#[derive(Clone, Debug)]
pub(crate) struct StageOrder(Arc<[String]>);

impl StageOrder {
    /// Takes the given stage order, or the sealed one.
    pub(crate) fn load(text: Option<&[u8]>) -> Result<Self, Rejection> {
        /// Read once a process: most runs are under it.
        static SEALED: LazyLock<Result<StageOrder, Rejection>> =
            LazyLock::new(|| StageOrder::read(contracts::STAGE_ORDER.as_bytes()));
        text.map_or_else(|| SEALED.clone(), Self::read)
    }

    fn read(text: &[u8]) -> Result<Self, Rejection> {
        let document = Document::parse(text, &Dialect::STRICT)?;
        let order = document.root().get("stage_order").filter(|order| order.is_array());
        let Some(order) = order else {
            return Err(Rejection::input_at("/stage_order", "a stage order has an array `stage_order`"));
        };
        let mut stages: Vec<String> = Vec::new();
        for (index, stage) in order.elements().enumerate() {
            let wrong = |message: &str| Rejection::input_at(format!("/stage_order/{index}"), message);
            match stage.as_string().and_then(|name| name.to_str().map(str::to_owned)) {
                Some(name) if !stages.contains(&name) => stages.push(name),
                Some(_) => return Err(wrong("a stage is listed once")),
                None => return Err(wrong("a stage is a string")),
            }
        }
        Ok(Self(stages.into()))
    }

    /// The index of a stage.
    pub(crate) fn index(&self, stage: &str) -> Option<usize> {
        self.0.iter().position(|known| known == stage)
    }
}
