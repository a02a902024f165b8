//! Litmus tests as a front end.

use taut_ir::frontend::{
    CommentStyle, FenceWords, Frontend, LoadContext, Model, ReadModel, Update,
};
use taut_source::{Diagnostics, EditSites, FileId, SourceMap};

use crate::{FENCE, STORE_FENCE, Test, error, places, read};

/// x86 litmus tests, `.litmus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Litmus;

impl Frontend for Litmus {
    fn name(&self) -> &'static str {
        "litmus"
    }

    fn title(&self) -> &'static str {
        "x86 litmus test"
    }

    fn noun(&self) -> &'static str {
        "litmus test"
    }

    fn about(&self) -> &'static str {
        "litmus tests: x86 and C"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["litmus"]
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Litmus
    }

    fn keywords(&self) -> &'static [&'static str] {
        KEYWORDS
    }

    fn ignores_case(&self) -> bool {
        true
    }

    fn codes(&self) -> &'static [(&'static str, &'static str)] {
        error::CODES
    }

    fn is_specification(&self) -> bool {
        true
    }

    fn fences(&self) -> Option<FenceWords<'static>> {
        Some(FenceWords::new(FENCE, STORE_FENCE))
    }

    fn locked(&self, update: &Update, location: &str) -> String {
        match update {
            Update::Add(_) => format!("`lock add` or `lock xadd` on {location}"),
            Update::Swap(..) => format!("`lock cmpxchg` on {location}"),
            Update::Other => format!("an instruction with `lock` on {location}"),
        }
    }

    fn no_atomic_writes(&self) -> &'static str {
        "x86 has no store that is atomic and leaves all registers alone; use `--with fences`"
    }

    fn load(&self, cx: &mut LoadContext<'_>) -> Result<ReadModel, Diagnostics> {
        let test = read(cx.sources, cx.file)?;
        let program = test.program.clone();
        Ok(ReadModel::new(test, program))
    }
}

impl Model for Test {
    fn edit_sites(&self, sources: &SourceMap, file: FileId) -> Result<EditSites, Diagnostics> {
        match &self.sites {
            Some(sites) => Ok(sites.clone()),
            None => places(sources, file),
        }
    }

    fn fences(&self) -> Option<FenceWords<'_>> {
        self.sites.is_some().then_some(taut_c::threads::FENCES)
    }
}

/// The words that an editor colours: of the condition, architectures, and the common instructions.
const KEYWORDS: &[&str] = &[
    "exists",
    "forall",
    "filter",
    "locations",
    "final",
    "x86",
    "x86_64",
    "mov",
    "movb",
    "movw",
    "movl",
    "movq",
    "mfence",
    "sfence",
    "lfence",
    "xchg",
    "xchgb",
    "xchgw",
    "xchgl",
    "xchgq",
    "add",
    "addl",
    "addq",
    "sub",
    "subl",
    "subq",
    "inc",
    "incl",
    "incq",
    "dec",
    "decl",
    "decq",
    "and",
    "or",
    "xor",
    "cmp",
    "cmpl",
    "cmpq",
    "cmpxchg",
    "lock",
    "xadd",
    "xaddl",
    "xaddq",
    "jmp",
    "je",
    "jne",
    "jz",
    "jnz",
];
