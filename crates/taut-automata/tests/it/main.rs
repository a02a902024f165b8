//! Every operation on languages against definitions over words, laws, interning, expressions,
//! limits.

mod brute;
mod build;
mod inspect;
mod interning;
mod laws;
mod limit;
mod readable;
mod spec;
mod take;
