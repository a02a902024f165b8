//! The tests of this crate in one executable. Lanes, stories and trace files are also tested where runs are made, in
//! `taut-witness`.

mod folds;
mod view;
