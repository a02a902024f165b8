//! The codes of the messages about properties from outside of a model.

pub(crate) use crate::codes::{
    BAD_AUTOMATON, BAD_CLAIM, BAD_DEFINITION, BAD_FORMULA, DEFINED_TWICE,
    FORMULA_TOO_LARGE as TOO_LARGE, UNCLEAR_NOT, UNCLEAR_ORDER, UNKNOWN_PROPOSITION,
};
