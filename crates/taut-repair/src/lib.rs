//! The cheapest fences and atomic writes that make a property hold.
//!
//! A [`RepairProblem`] is a program with *places*: where a fence may be put, and which writes may be made atomic. A set
//! of places makes a *variant* of the program. [`minimal`] finds a cheapest set whose variant has no
//! counterexample, [`greedy`] is the loop of Havel's thesis.
//!
//! # Why the result is a cheapest one
//!
//! The loop keeps *clauses*. A clause says: every set that fixes the program has one of these places (or lacks one
//! of those). A cheapest set that satisfies all clauses is found by a MaxSAT search (`hitting`), and the variant
//! is checked. If it has a counterexample, that gives a new clause ([`clause`]), which the set does not satisfy,
//! so that no set comes twice and the loop ends. If it has none, the set is a cheapest one that fixes the program:
//! whatever fixes it satisfies all clauses, and nothing that satisfies all clauses is cheaper. (This is the
//! implicit hitting set loop: Chandrasekaran, Karp, Moreno-Centeno and Vempala, *Algorithms for implicit hitting
//! set problems*, 2011; for fences in the same way, Abdulla, Atig, Chen, Leonardsson and Rezine,
//! *Counter-example guided fence insertion under TSO*, 2012.)
//!
//! All depends on the clauses being true. [`clause`] shows for each kind of place that a run of one variant, if none
//! of the places in its clause is chosen, is a run of the other variant, too, up to what the property cannot tell.
//!
//! Of several cheapest sets the one of the least [`Rank`] is found, and of all of them the least comes first. The
//! argument is the same with "cheaper" read as "of lesser rank": whatever fixes the program satisfies all clauses, and
//! the set is the least that does.
//!
//! The result is relative to the places, to what they cost, to the memory model and to what the check covers: with
//! a bound on buffers, to runs within it.

pub mod clause;
mod conflict;
mod contract;
mod delay;
#[cfg(any(test, target_family = "wasm", not(feature = "maxsat")))]
mod exact;
mod expand;
pub mod greedy;
#[cfg(all(feature = "maxsat", not(target_family = "wasm")))]
mod hitting;
mod kind;
pub mod learned;
mod loops;
pub mod lost;
pub mod minimal;
mod problem;
mod rank;
mod site;
mod standing;
mod stutter;
mod surplus;
mod tighten;

pub use clause::Clause;
pub use kind::RepairKind;
pub use problem::{Counterexample, Oracle, OracleAnswer, RepairProblem};
pub use rank::Rank;
pub use site::{RepairSite, Set, SiteId};
pub use standing::{Standing, Standings};
