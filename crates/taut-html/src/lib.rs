//! Reports to look at: what a check found, as one HTML file that needs nothing else.
//!
//! A [`Document`] is plain data, made by the `taut` crate from verdicts, runs and stories. [`html`] puts it
//! into a page together with the view, which is the plain JavaScript and CSS in `assets/`. The page asks
//! nobody for anything: it has no addresses in it, and its content security policy refuses all that is not
//! in it (`page`). A program is untrusted text; how it gets into the page without being taken for a part of
//! it is in `embed`.
//!
//! # The view elsewhere
//!
//! [`SCRIPT`] defines one function, `mountReport(element, data)`, which draws a document into an element
//! and returns an object with
//!
//! | member | what it does |
//! | --- | --- |
//! | `go(position)` | shows the state after so many rows; 0 is the start |
//! | `position()`, `length()` | where the view is, and how many rows the run has |
//! | `run(index)` | shows another run |
//! | `unmount()` | takes the view out of the element, with everything that listens |
//!
//! In a page that [`html`] made, that object is `window.tautReport`. A third argument `{ part: true }` says
//! that the report is a part of a page that has a main element, a choice of colours and a foot of its own.
//!
//! [`VIEW`] is the same without a scope around it: a page that puts it into its own has the helpers of the
//! view as well (`element`, `badge`, `themeButton`, …), and looks like it.
//!
//! [`STYLE`] is the style sheet that goes with it; all of its rules are below the class `taut-report`,
//! which the element is given.
//!
//! # The JSON
//!
//! One object, a [`Document`]; the fields of each part are documented at its type. What an absent field
//! means is said there, too: lists that are empty and things that are not there are left out.
//!
//! ```text
//! Document
//! ├─ models: [Model]            a column of the table of verdicts each
//! │  ├─ answers: [Answer]       a property: its verdict, its coverage, the number of its run
//! │  └─ vacuity: [Vacuous]      what never happens
//! ├─ runs: [Run]                the counterexamples
//! │  ├─ processes, cells, channels    what is drawn, with the values at the start
//! │  ├─ rows: [Row]             what happens, and what it changes
//! │  └─ story: [Sentence], late: [Late]    why it is possible
//! └─ sources: [Source]          the texts that places point into
//! ```
//!
//! A run is given by its start and, for each row, by what changed: a [`Row`] lists the memory cells,
//! buffers, channels, registers and positions that are not what they were. So a document grows with what
//! happens and not with the size of the program, and a view can step both ways by keeping what it replaces.
//! Processes, cells, channels, sources and runs are numbered from 0 in the order of their lists; rows and
//! lines are numbered from 1, as they are shown to people.

mod document;
mod embed;
mod graph;
mod page;
mod run;

pub use document::{Answer, Counts, Document, FORMAT, Model, Source, VERSION, Vacuous};
pub use graph::graph_page;
pub use page::{SCRIPT, STYLE, VIEW, html};
pub use run::{
    Access, Buffered, Buffers, Cell, Channel, Entry, Finding, Lasso, Late, Part, Place, Process,
    Register, Row, Run, Sentence, Set, SetRegister,
};
