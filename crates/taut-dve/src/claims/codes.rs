//! The codes of the messages about properties from outside of a model.

/// A property without a text, or a line that is nearly a property.
pub(crate) const BAD_CLAIM: &str = "D0501";
/// A formula that is malformed.
pub(crate) const BAD_FORMULA: &str = "D0502";
/// A proposition that is not defined.
pub(crate) const UNKNOWN_PROPOSITION: &str = "D0503";
/// Two propositions or two properties of one name.
pub(crate) const DEFINED_TWICE: &str = "D0504";
/// A definition without a name or a condition, or one that becomes too long.
pub(crate) const BAD_DEFINITION: &str = "D0505";
/// A negation before a comparison, where DVE and formulas read differently.
pub(crate) const UNCLEAR_NOT: &str = "D0506";
/// Operators without parentheses that DiVinE groups from left to right.
pub(crate) const UNCLEAR_ORDER: &str = "D0507";
/// A formula with too many different conditions, or too many operators deep.
pub(crate) const TOO_LARGE: &str = "D0508";
/// An automaton with more or fewer texts than propositions.
pub(crate) const BAD_AUTOMATON: &str = "D0509";
