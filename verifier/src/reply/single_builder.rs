//! One builder makes the replies of an invocation.
//!
//! Spec: Canonical Reply System Architecture (Final), 9 and 12; rulings RE-10 to RE-12, RE-35, RE-37.

/// The builder of an invocation, once there is one.
#[derive(Default)]
pub(super) struct Made<'d>(Option<&'d str>);

impl<'d> Made<'d> {
    /// Makes a builder; false if there is one already, whose freeze the second would escape.
    pub(super) fn make(&mut self, builder: &'d str) -> bool {
        self.0.replace(builder).is_none()
    }

    pub(super) fn is(&self, builder: &str) -> bool {
        self.0 == Some(builder)
    }
}

/// Whether a call site makes a reply without a method of the builder.
pub(super) fn is_direct(method: Option<&[u8]>) -> bool {
    method.is_none()
}
