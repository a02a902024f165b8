//! Reductions: states that need not be visited because what happens in them happens in others as well.

pub mod simplify;
pub mod symmetry;
