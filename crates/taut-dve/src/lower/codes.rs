//! The codes of the messages of the lowering: `D04xx` for models, `D055x` for lists of atomic writes.

pub(crate) use crate::codes::{
    ASKS_THE_WATCHER, BROKEN_TREE, ENTRY, FAR_INDEX, IGNORED, MANY_COMMITTED,
    NO_SUCH_PROCESS as NO_PROCESS, NO_TRANSITION, NO_VARIABLE, NOT_WRITTEN, OTHER_ROUTE,
    TOO_MANY_CONDITIONS, WATCHER_ACTS,
};
