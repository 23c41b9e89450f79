/// Why an input is refused.
#[derive(Debug)]
pub(crate) enum Error {
    /// The text is not JSON.
    Syntax,
    /// A limit is exceeded.
    Limit,
    /// A value has no canonical form.
    Value,
    /// An input lies outside an operation's domain.
    Input,
    /// None of a turn's paths can be read.
    Missing,
    /// A law is broken.
    Law(&'static str),
}
