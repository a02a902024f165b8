//! The translation from TSO to SC, for tools that know SC.
//!
//! *The paper* is Atig, Bouajjani and Parlato, "Getting Rid of Store-Buffers in TSO Analysis" (CAV 2011);
//! the crate `taut_rounds` has its translation, and the engine [`crate::engines::Rounds`] that explores it.

pub use taut_rounds::{
    MOST_ROUNDS, Rounds, Scope, Scopes, TranslateError, Translation, states_only, translate_states,
};
