//! From TSO to SC by translation: a program that under SC does what another does under TSO.
//!
//! *The paper* is Atig, Bouajjani and Parlato, "Getting Rid of Store-Buffers in TSO Analysis" (CAV 2011).
//! [`translate`] is its code-to-code translation, from program model to program model; its size is linear in the
//! program and in the bound. [`map_back`] turns a run of the translation into a TSO run of the original.
//! Departures from the paper carry the mark `DIVERGENCE`.
//!
//! ```
//! use taut_ir::{build::ProgramBuilder, Type};
//! use taut_rounds::{translate, Scope};
//!
//! let mut b = ProgramBuilder::new("one store");
//! let x = b.shared("x", Type::INT, 0);
//! let mut p = b.process("p");
//! p.store(x, 1);
//! p.finish();
//! let translation = translate(&b.build().unwrap(), Scope::Rounds(1)).unwrap();
//! assert_eq!(translation.program.name, "one store (2 rounds)");
//! ```
//!
//! # Rounds
//!
//! A *round* of a process is a longest piece of a run in which only it takes steps and only stores of its own
//! buffer reach memory. Every run is a sequence of rounds. Inside of a round nobody else looks at memory, so
//! it does not matter when exactly a store reaches memory, only in which round of its process: its
//! *destination*. All stores for a round can be written when it begins, those made in it at once, and of
//! several to one variable only the last one counts. So a buffer of any length is, for each later round and
//! each variable, whether a store waits and the last value that does.
//!
//! A [`Scope`] says how many destinations there are. [`Scope::Rounds`]: each process has rounds 0 to `k`. What
//! is spawned is a process of its own, also in a slot that another has left. [`Scope::Age`]: there
//! is any number of rounds, and a store made in round `j` reaches memory in round `j + k` at the latest, so that
//! numbers modulo `k + 1` tell all destinations apart. The *age* of a store is the number of rounds that its
//! process has begun since it was made; rounds of others do not count.
//!
//! # Variables, and what is always true of them
//!
//! The translation has the variables of the original and for each process the registers below, which only
//! exist for variables that the process stores to through its buffer (of others its view is memory). Shared
//! arrays have one copy for each element.
//!
//! | register | invariant |
//! | --- | --- |
//! | `x` (shared) | between rounds: memory of the original |
//! | `view_x` | in a round: what the process sees, its newest store that waits, else memory |
//! | `mask_x[j]` | a store to x waits for round j; for `j = k + 1`, one that never reaches memory |
//! | `queue_x[j]` | if `mask_x[j]`, the last value that waits for round j |
//! | `r_SC` | the round that the process is in or was in last; before the first -1; for ages 0 between rounds |
//! | `r_TSO` | the destination of the newest store, but not before `r_SC`; `k + 1` if it never reaches memory |
//! | `sim` | 0 between rounds, 1 in a round in which nothing has happened, else 2 |
//! | `held` | the last step of the round holds the others ([`taut_ir::Step::holds`]) |
//! | `left` (ages) | how many rounds may begin; means something once `r_TSO` is `k + 1` |
//! | `r_TSO_2` … | destinations of further stores of one step, while it is being taken |
//! | `back` | while a round begins or ends, the program point it does that at |
//!
//! The buffer is empty exactly if `r_TSO == r_SC`: `r_TSO` only moves on for a store, which then waits. So
//! the paper's `fence` asks for that, and blocks the run if not, because the guess was wrong: the same run
//! with a right guess is another one.
//!
//! # What each procedure of the paper has become
//!
//! - `init_thread`: the initial values of the registers. The view needs none, as every round rebuilds it.
//! - `is_init_round`, `init_round`: `round.rs`. `is_end_round`: there, too.
//! - `memory_update_x`, `fence`, and the map of statements (Fig. 6): `step.rs`.
//! - Atomic sections: inside of a round all program points are atomic, and every step *holds* ([`taut_ir::Step::holds`]),
//!   so that an explorer passes through a round without storing what is inside. [`Translation::portable`]
//!   leaves the holding out, for languages that cannot say it.
//!
//! # Which runs and which properties are carried over
//!
//! Exactly all: the configurations (memory, ghosts, program points, registers, open calls) that the translation has
//! between rounds are those that the original reaches within the scope. Every prefix of a run is a run, so the
//! end of a round can be put after any step, and every state of the original is one between rounds.
//! - Assertions and faults are those of the steps, which are the same steps.
//! - `forbid` and `invariant` are looked at only where no process is in a round (`sim`), or at atomic
//!   program points of the original, where nothing of the process waits. ProgramPoint `l` of the original is program point
//!   `l` there. `view(p, x)` is `view_x` if something waits, else memory; `drained(p)` is `r_TSO == r_SC`.
//! - Deadlocks are not: where the rounds are used up, or a guess was wrong, the translation stops, and the
//!   original need not. All its program points may be ends, so that nobody takes that for a finding.
//! - Properties of runs are refused, as a round is a single transition.
//!
//! What else is refused stands in `refuse.rs`, with the reasons.
//!
//! # Where the text had to be read with care
//!
//! DIVERGENCE: stores may *never* reach memory. The paper assumes without loss of generality that all buffers
//! are empty in the end, and for its question, which shared states are reachable, nothing is lost. For
//! properties that ask about program points, registers and ghosts much is: two processes that both pass each
//! other's flags in one round each are one of its examples. So there is one more destination, `k + 1`, with
//! masks and no queue. For ages, a store that never reaches memory lets its process begin `k` more rounds.
//!
//! DIVERGENCE: a process may begin a round at every program point, also where it has finished, to let stores reach
//! memory; in the paper every round runs a statement. A round in which nothing at all happens is cut off.
//!
//! DIVERGENCE: the line `[+]` for ages asks for masks `l` to `k`. With numbers that wrap around, rounds still to
//! come may be numbered below `l`; the view of x is rebuilt only if *no* mask of x is set.
//!
//! DIVERGENCE: the paper's text for ages speaks of `k` vectors "modulo k", its code of `k + 1`. A store made in
//! round `j` may have any of the destinations `j` to `j + k`, so `k + 1` it is. And between rounds the numbers
//! are turned until `r_SC` is 0, since where the circle begins means nothing.
//!
//! DIVERGENCE: atomic sections are those of the program model: nothing commits inside, and stores act at once.
//! So the round goes on through a section, and what is asked for at its beginning is an empty buffer.
//!
//! DIVERGENCE: one step may store several times, and read what it likes.
//!
//! DIVERGENCE: a step may *hold* the others, as in SPIN's `atomic`: while the process can go on, nobody else
//! moves and nothing commits. Here it then cannot end its round; where it is stuck it can. That what it stores
//! meanwhile commits later, and not at once, makes no difference, since nobody looks; but a step that waits for
//! an empty buffer would see it, and is refused there unless the buffer is empty for sure. A spawn that
//! finds no room counts as one that can be taken. A step may *yield* to others, as SPIN's `else` does: it
//! does so here, too, and those others must not wait for an empty buffer, since stores for this round count as
//! done here and may wait in the original.

mod copies;
mod engine;
mod error;
mod expr;
mod layout;
mod map;
mod map_back;
mod plain;
mod refuse;
mod round;
mod scope;
mod states;
mod step;
mod translate;

pub use engine::{MOST_AUTOMATIC, Rounds, Scopes};
pub use error::{NotARun, TranslateError};
pub use map::{Map, Role};
pub use map_back::map_back;
pub use scope::{MOST_ROUNDS, Scope};
pub use states::{states_only, translate_states};
pub use translate::{Translation, translate};

use taut_ir::{Atomics, Buffers, MemoryModel};

/// Whether the translation is about a memory model: one queue per process, which an atomic write finds empty.
pub fn supports(model: MemoryModel) -> bool {
    model.buffers() == Buffers::PerProcess && model.atomics() == Atomics::Drain
}
