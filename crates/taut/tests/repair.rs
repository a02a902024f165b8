//! `taut repair` as a user types it: the cheapest sets are those that are known, every patch applies with the
//! `patch` program, what comes of it is read and checked anew, and what cannot be mended is refused.

mod command;
mod repair_support;
