//! Codes of the messages of the lowering.

/// The program has no `main`.
pub(crate) const NO_MAIN: &str = "C0201";
/// Something is not supported.
pub(crate) const UNSUPPORTED: &str = "C0202";
/// A function is neither defined nor known.
pub(crate) const UNKNOWN_FUNCTION: &str = "C0203";
/// The program is too large.
pub(crate) const TOO_LARGE: &str = "C0204";
/// Assembly that is not understood.
pub(crate) const ASSEMBLY: &str = "C0205";
/// An allocation whose type or size is not known.
pub(crate) const ALLOCATION: &str = "C0206";
/// A value from outside of which none can be tried.
pub(crate) const NONDETERMINISTIC: &str = "C0207";

/// Something that is not noticed for any number of threads.
pub(crate) const NOT_NOTICED: &str = "C0208";

/// All codes with what they are about.
pub(crate) const CODES: &[(&str, &str)] = &[
    (NO_MAIN, "a program without `main`"),
    (UNSUPPORTED, "a construct that is not supported"),
    (UNKNOWN_FUNCTION, "a function that is neither defined nor known"),
    (TOO_LARGE, "a program that is too large"),
    (ASSEMBLY, "assembly that is not understood"),
    (ALLOCATION, "an allocation whose type or size is not known"),
    (NONDETERMINISTIC, "a value from outside of which none can be tried"),
    (NOT_NOTICED, "what is not noticed for any number of threads"),
];
