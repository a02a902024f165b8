//! The text of steps: the statement as it stands in the source, and what became of it.
//!
//! Every step has the span of the statement that it is a part of, or of the head of that statement. Its text is what stands
//! there, on one line and without comments, so constants have their names, fields and parentheses are as they were written. A
//! step that decides a condition also says which way it goes (`if (ok) → taken`), and a compare-and-swap whether it
//! succeeds (`cas(x, 0, 1) → success`). [`Told`] notes where the ways lead while statements are lowered. That is safe, because
//! program points keep their numbers until [`super::tidy`]. A step inside of a condition that decides nothing has
//! no outcome, and neither has one that both ways share.

use std::collections::HashMap;

use taut_ir::{Control, Effect, Expr, Lvalue, Mode, PointId, ProcessDef, Step};
use taut_source::{SourceMap, Span};

/// Most characters of a text.
const LONGEST: usize = 160;
/// Most bytes of the source that are looked at for one text: a statement can be as long as the file, and have as many steps.
const LOOKED_AT: usize = 4 * LONGEST;
/// Statements that a step without any effect may be called by. Others name what comes after it.
const WITHOUT_EFFECT: [&str; 8] =
    ["skip", "goto", "break", "continue", "return", "for", "loop", "atomic"];
/// Statements with a block, of which only the head is shown.
const WITH_BLOCK: [&str; 8] = ["if", "elif", "while", "for", "do", "loop", "switch", "choose"];

/// The texts of spans that were asked for; none where there is nothing to show.
pub(super) type Snippets = HashMap<Span, Option<String>>;

/// What is known of the ways that conditions and read-modify-writes can go.
#[derive(Default)]
pub(super) struct Told {
    /// By the head of a statement: where it goes if its condition is true, and if not.
    decisions: HashMap<Span, Vec<(PointId, PointId)>>,
    /// Read-modify-writes, each with the head of its statement; for a compare-and-swap also its location.
    instructions: HashMap<Span, (Span, Option<Lvalue>)>,
}

impl Told {
    /// Notes where a condition leads.
    pub(super) fn decision(&mut self, head: Span, ways: (PointId, PointId)) {
        self.decisions.entry(head).or_default().push(ways);
    }

    /// Notes a read-modify-write; the location is that of a compare-and-swap.
    pub(super) fn instruction(&mut self, span: Span, head: Span, swapped: Option<Lvalue>) {
        self.instructions.insert(span, (head, swapped));
    }

    /// Gives the steps of a definition their texts.
    pub(super) fn rewrite(&self, map: &SourceMap, known: &mut Snippets, def: &mut ProcessDef) {
        for step in &mut def.steps {
            taut_budget::tick();
            if let Some(text) = self.text(map, known, step) {
                step.text = Some(text);
            }
        }
    }

    fn text(&self, map: &SourceMap, known: &mut Snippets, step: &Step) -> Option<String> {
        let waits = step.text.as_ref().is_some_and(|text| text.ends_with("again"));
        let (span, outcome) = match waits {
            true => (step.span, Some("again")),
            false => self.outcome(step),
        };
        let words = known.entry(span).or_insert_with(|| snippet(map, span)).as_ref()?;
        let first = words.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        if words.starts_with('}') || is_idle(step) && !WITHOUT_EFFECT.contains(&first) {
            return None;
        }
        // A wait goes on, or does not: there is nothing to take.
        let outcome = match (first, outcome) {
            ("await" | "assume", Some("taken")) => None,
            ("await" | "assume", Some(_)) => Some("again"),
            _ => outcome,
        };
        Some(match outcome {
            Some(outcome) => format!("{words} → {outcome}"),
            None => words.clone(),
        })
    }

    /// What is shown of a step, and what became of it.
    fn outcome(&self, step: &Step) -> (Span, Option<&'static str>) {
        // The loads before the instruction and the store of its result are other steps.
        let instruction = self.instructions.get(&step.span);
        match instruction.filter(|_| step.mode == Mode::Locked) {
            Some((_, Some(place))) => {
                let swaps = step.assignments().any(|a| a.place == *place);
                (step.span, Some(if swaps { "success" } else { "failure" }))
            }
            Some((head, None)) => match self.way(*head, step) {
                Some(way) => (*head, Some(way)),
                None => (step.span, None),
            },
            None => (step.span, self.way(step.span, step)),
        }
    }

    fn way(&self, head: Span, step: &Step) -> Option<&'static str> {
        let Control::Goto(to) = step.target else { return None };
        let mut ways = self.decisions.get(&head)?.iter().filter(|(yes, no)| yes != no);
        ways.find_map(|&(yes, no)| match to {
            _ if to == yes => Some("taken"),
            _ if to == no => Some("not taken"),
            _ => None,
        })
    }
}

/// Whether a step only moves on.
fn is_idle(step: &Step) -> bool {
    let moves = matches!(step.target, Control::Goto(_));
    let acts = |effect: &Effect| !matches!(effect, Effect::Assign(list) if list.is_empty());
    let plain = matches!(step.mode, Mode::Plain | Mode::Locked);
    moves && plain && step.guard == Expr::TRUE && !step.effects.iter().any(acts)
}

/// The source at a span: on one line, without comments, and of a statement with a block only the head.
fn snippet(map: &SourceMap, span: Span) -> Option<String> {
    if span.is_none() {
        return None;
    }
    let text = map.file(span.file).text().get(span.start as usize..span.end as usize)?;
    let mut end = text.len().min(LOOKED_AT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut words = without_comments(&text[..end]);
    if WITH_BLOCK.iter().any(|word| words.starts_with(word))
        && let Some(block) = words.find('{')
    {
        words.truncate(block);
    }
    let words = words.trim_end_matches([';', ' ']);
    let cut = words.char_indices().nth(LONGEST).map_or(words.len(), |(at, _)| at);
    let dots = if cut < words.len() || end < text.len() { "…" } else { "" };
    (cut > 0).then(|| format!("{}{dots}", &words[..cut]))
}

/// A text on one line, without comments.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        kept.push_str(&rest[..at]);
        let (close, length) = if rest[at..].starts_with("//") { ("\n", 0) } else { ("*/", 2) };
        rest = rest[at + 2..].find(close).map_or("", |end| &rest[at + 2 + end + length..]);
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line_without_comments() {
        let text = "x  := /* the\n old */ y + // one\n  1";
        assert_eq!(without_comments(text), "x := y + 1");
        assert_eq!(without_comments("x := 1 // unfinished"), "x := 1");
        assert_eq!(without_comments("x /* unfinished"), "x");
    }

    #[test]
    fn of_a_statement_with_a_block_the_head_is_shown() {
        let mut map = SourceMap::new();
        let text = "switch (a[i]) { case 0: skip; }";
        let file = map.add("a.taut", text);
        let span = Span::new(file, 0..text.len());
        assert_eq!(snippet(&map, span).as_deref(), Some("switch (a[i])"));
        assert_eq!(snippet(&map, Span::NONE), None);
    }

    #[test]
    fn a_statement_as_long_as_the_file_is_cut() {
        let mut map = SourceMap::new();
        let text = format!("x := {}", "ä + ".repeat(10_000));
        let file = map.add("a.taut", &text);
        let shown = snippet(&map, Span::new(file, 0..text.len())).expect("a text");
        assert!(shown.ends_with('…') && shown.chars().count() == LONGEST + 1, "{shown}");
    }
}
