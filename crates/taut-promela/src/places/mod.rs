//! Where a fence or an atomic write can be put into the text of a model: see [`taut_source::EditSites`].
//!
//! A fence can stand after every statement that control goes on from and at the start of every block. It is left
//! out where it would change more than it adds:
//!
//! - *In `atomic`, `d_step` and `LOCKED`.* A fence waits, and who waits in them is no longer atomic.
//! - *Before a guard.* An option that begins with a fence cannot be chosen while stores wait, and `else` could.
//!   The same goes for the first statement after `unless`, and for a block or an inline in either place.
//! - *Between a label and its statement*, and after `goto` and `break`.
//! - *In claims.*
//!
//! Text is edited, not trees, and the preprocessor stands in between. A gap between two statements can be edited
//! if the words around it come from different pieces of text ([`crate::ast::Gap`]); both out of one use of a
//! macro is the case that cannot. The body of an inline is text that every call copies: a point in it must be
//! allowed in all of its calls.

mod edit;
mod flow;
mod stores;
mod walk;
mod write;

use taut_source::{EditSites, SourceMap};

use crate::Parsed;

/// A fence as a statement.
pub const FENCE: &str = "FENCE()";
/// A store fence as a statement.
pub const STORE_FENCE: &str = "SFENCE()";
/// A statement that takes a step and does nothing else.
pub const NOTHING: &str = "skip";

/// The places of a model in which a fence can be put, and the stores that can be made atomic. The map is the one
/// that the model was read with.
///
/// ```
/// use taut_promela::{FENCE, Headers, Options};
///
/// let mut map = taut_source::SourceMap::new();
/// let text = "bool x; byte r\nactive proctype p() {\n\tx = 1;\n\tif\n\t:: r == 0\n\t:: else\n\tfi\n}\n";
/// let file = map.add("p.pml", text);
/// let options = Options::default();
/// let parsed = taut_promela::parse(&mut map, file, &options, &mut Headers::none()).unwrap();
/// let places = taut_promela::places(&map, &parsed);
/// let (text, _) = taut_source::Point::fill(&map, file, &places.points[1..4], FENCE);
/// let expected = "\tx = 1;\n\tFENCE();\n\tif\n\t:: r == 0 -> FENCE()\n\t:: else -> FENCE()\n\tfi\n}\n";
/// assert!(text.ends_with(expected));
/// ```
pub fn places(map: &SourceMap, parsed: &Parsed) -> EditSites {
    walk::Walk::new(map, parsed).run()
}
