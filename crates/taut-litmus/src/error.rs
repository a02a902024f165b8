//! The codes of this front end's messages, in one list, and the marker of a message already given.

/// A message has been given; the caller skips to where it can go on.
#[derive(Debug)]
pub(crate) struct Failed;

/// The result of reading one thing.
pub(crate) type Parsed<T> = Result<T, Failed>;

macro_rules! codes {
    ($($name:ident = $code:literal, $doc:literal;)*) => {
        $(#[doc = $doc] pub(crate) const $name: &str = $code;)*

        /// All codes with what each is about.
        pub(crate) const CODES: &[(&str, &str)] = &[$(($code, $doc)),*];
    };
}

codes! {
    ARCHITECTURE = "L0001", "the header does not start with a known architecture";
    NAME = "L0002", "the test has no name or a name with forbidden characters";
    NO_INIT = "L0003", "there is no initial block";
    COMMENT = "L0004", "a comment does not end";
    UNEXPECTED = "L0005", "something else was expected here";
    NUMBER = "L0006", "not a number, or one that needs more than 64 bits";
    THREADS = "L0007", "the first row of the table does not name the threads";
    CELLS = "L0008", "a row with too few or too many cells";
    MNEMONIC = "L0009", "not an instruction";
    UNSUPPORTED = "L0010", "an instruction that exists and is not modelled";
    OPERANDS = "L0011", "operands that an instruction does not take";
    LOCK = "L0012", "a lock prefix where there can be none";
    REGISTER = "L0013", "not a register, or a name of it that cannot stand here";
    LOCATION = "L0014", "a memory location with the name of a register or an instruction";
    ADDRESS = "L0015", "an address used as a value, or memory addressed through a register";
    NO_LABEL = "L0016", "a jump to a label that the thread does not have";
    LABEL_TWICE = "L0017", "a label twice in one thread";
    NO_THREAD = "L0018", "a thread that the test does not have";
    INIT_TWICE = "L0019", "two initial values for one thing";
    DEPTH = "L0020", "a condition nested too deeply";
    LIMIT = "L0021", "more of something than a test may have";
    ARRAY = "L0022", "arrays and pointers in the initial block";
    TRAILING = "L0023", "text after the condition";
    QUANTIFIER = "L0024", "a quantifier that is not one";
    LOCAL = "L0025", "a local that its thread does not have, or one in the initial block";
    NO_LOCATION = "L0026", "a location that a C test does not declare";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_sorted_and_differ() {
        assert!(super::CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
