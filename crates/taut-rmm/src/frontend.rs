//! RMM as a front end.

use taut_ir::frontend::{
    FenceWords, Formatter, Frontend, LoadContext, Model, OptionKind, OptionSpec, OptionValues,
    ReadModel, Update,
};
use taut_source::{Diagnostic, Diagnostics, EditSites, FileId, SourceMap, Span, Weakenings};

use crate::lower::Asked;
use crate::{FENCE, STORE_FENCE, codes, lexer};

/// The values of domains without bounds.
pub const INTEGERS: OptionSpec = OptionSpec::new(
    "integers",
    "what the domain `Z`, which has no bounds, stands for; a value outside blocks",
    OptionKind::Words { value: "LOW..HIGH", delimiter: None },
)
.in_headers();

/// The most values that `Z` can stand for.
const MOST_INTEGERS: i64 = 65_536;

/// RMM, the language of memorax and Dual-TSO, `.rmm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rmm;

impl Frontend for Rmm {
    fn name(&self) -> &'static str {
        "rmm"
    }

    fn title(&self) -> &'static str {
        "RMM"
    }

    fn noun(&self) -> &'static str {
        "RMM program"
    }

    fn about(&self) -> &'static str {
        "RMM, the language of memorax and Dual-TSO"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["rmm"]
    }

    fn keywords(&self) -> &'static [&'static str] {
        lexer::KEYWORDS
    }

    fn codes(&self) -> &'static [(&'static str, &'static str)] {
        crate::CODES
    }

    fn options(&self) -> &'static [OptionSpec] {
        &[INTEGERS]
    }

    /// Processes of these programs block for ever wherever the author stopped caring. Only labels are meant.
    fn asks_deadlock(&self) -> bool {
        false
    }

    fn fences(&self) -> Option<FenceWords<'static>> {
        Some(FenceWords::new(FENCE, STORE_FENCE))
    }

    fn locked(&self, update: &Update, location: &str) -> String {
        match update {
            Update::Swap(old, new) => format!("`cas({location}, {old}, {new})`"),
            Update::Add(_) | Update::Other => "`locked { … }` around both".into(),
        }
    }

    fn load(&self, cx: &mut LoadContext<'_>) -> Result<ReadModel, Diagnostics> {
        let integers = integers(cx.options)?;
        let asked = Asked { integers, all_registers: !cx.claims.is_empty() };
        let (program, warnings) = crate::read(cx.sources, cx.file, asked)?;
        Ok(ReadModel::new(RmmModel, program).warn(warnings, Diagnostics::new()))
    }

    fn formatter(&self) -> Option<Formatter> {
        Some(crate::format)
    }
}

/// The range of `--integers`.
fn integers(options: &OptionValues) -> Result<Option<(i64, i64)>, Diagnostics> {
    let Some(words) = options.given(&INTEGERS) else { return Ok(None) };
    let bounds = words.split_once("..").and_then(|(low, high)| {
        let (low, high): (i32, i32) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        Some((i64::from(low), i64::from(high)))
    });
    match bounds {
        Some((low, high)) if low <= high && high - low < MOST_INTEGERS => Ok(Some((low, high))),
        _ => {
            let message =
                format!("`--integers {words}` is no range of at most {MOST_INTEGERS} numbers");
            let found = Diagnostic::error(codes::BAD_BOUNDS, message, Span::NONE);
            Err(found.help("write the smallest and the largest number: `--integers 0..4`").into())
        }
    }
}

/// A program that was read. Its tree is not kept: the text is read again where repairs look for places.
#[derive(Clone, Copy, Debug)]
struct RmmModel;

impl Model for RmmModel {
    fn edit_sites(&self, sources: &SourceMap, file: FileId) -> Result<EditSites, Diagnostics> {
        crate::places(sources, file)
    }

    fn weakenings(
        &self,
        sources: &SourceMap,
        file: FileId,
    ) -> Option<Result<Weakenings, Diagnostics>> {
        Some(crate::weakenings(sources, file))
    }
}
