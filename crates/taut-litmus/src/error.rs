//! The codes of this front end's messages, in one list, and the marker of a message already given.

/// A message has been given; the caller skips to where it can go on.
#[derive(Debug)]
pub(crate) struct Failed;

/// The result of reading one thing.
pub(crate) type Parsed<T> = Result<T, Failed>;

/// The header does not start with a known architecture.
pub(crate) const ARCHITECTURE: &str = "L0001";
/// The test has no name or a name with forbidden characters.
pub(crate) const NAME: &str = "L0002";
/// There is no initial block.
pub(crate) const NO_INIT: &str = "L0003";
/// A comment does not end.
pub(crate) const COMMENT: &str = "L0004";
/// Something else was expected here.
pub(crate) const UNEXPECTED: &str = "L0005";
/// Not a number, or one that needs more than 64 bits.
pub(crate) const NUMBER: &str = "L0006";
/// The first row of the table does not name the threads.
pub(crate) const THREADS: &str = "L0007";
/// A row with too few or too many cells.
pub(crate) const CELLS: &str = "L0008";
/// Not an instruction.
pub(crate) const MNEMONIC: &str = "L0009";
/// An instruction that exists and is not modelled.
pub(crate) const UNSUPPORTED: &str = "L0010";
/// Operands that an instruction does not take.
pub(crate) const OPERANDS: &str = "L0011";
/// A lock prefix where there can be none.
pub(crate) const LOCK: &str = "L0012";
/// Not a register, or a name of it that cannot stand here.
pub(crate) const REGISTER: &str = "L0013";
/// A memory location with the name of a register or an instruction.
pub(crate) const LOCATION: &str = "L0014";
/// An address used as a value, or memory addressed through a register.
pub(crate) const ADDRESS: &str = "L0015";
/// A jump to a label that the thread does not have.
pub(crate) const NO_LABEL: &str = "L0016";
/// A label twice in one thread.
pub(crate) const LABEL_TWICE: &str = "L0017";
/// A thread that the test does not have.
pub(crate) const NO_THREAD: &str = "L0018";
/// Two initial values for one thing.
pub(crate) const INIT_TWICE: &str = "L0019";
/// A condition nested too deeply.
pub(crate) const DEPTH: &str = "L0020";
/// More of something than a test may have.
pub(crate) const LIMIT: &str = "L0021";
/// Arrays and pointers in the initial block.
pub(crate) const ARRAY: &str = "L0022";
/// Text after the condition.
pub(crate) const TRAILING: &str = "L0023";
/// A quantifier that is not one.
pub(crate) const QUANTIFIER: &str = "L0024";
