//! What was seen on the real processor, in tables.

use anstyle::{AnsiColor, Style};

use crate::formats::Page;
use crate::formats::columns::{Cell, render, thousands};
use crate::formats::style::{paint, printable, verdict_style};
use crate::json::RunDocument;
use crate::verdict::VerdictKind;

/// Most final states that are listed.
const MOST_STATES: usize = 40;

pub(super) fn text(page: &Page, run: &RunDocument) -> String {
    let mut text = format!("{}\n  {}\n", printable(&run.file), headline(run));
    if !run.states.is_empty() {
        text.push_str(&states(page, run));
    }
    if run.others > 0 {
        text.push_str(&format!("  {} rounds ended in further states\n", thousands(run.others)));
    }
    if let Some(condition) = &run.condition {
        text.push_str(&format!(
            "  {}: seen in {} of {}\n",
            condition.text,
            counted(condition.seen, "round"),
            thousands(run.finished)
        ));
    }
    if !run.properties.is_empty() {
        text.push_str(&properties(page, run));
    }
    for note in &run.notes {
        text.push_str(&format!("  note: {}\n", printable(note)));
    }
    text + &contradictions(page, run)
}

/// A number of things.
fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number))
}

fn headline(run: &RunDocument) -> String {
    let mut text = format!(
        "{} in {} s: {} on {} ({})",
        counted(run.rounds, "round"),
        run.seconds,
        counted(run.threads, "thread"),
        counted(run.processors, "processor"),
        run.processor
    );
    if run.cut > 0 {
        text.push_str(&format!("; {} cut", thousands(run.cut)));
    }
    if run.assumed > 0 {
        text.push_str(&format!("; {} assumed away", thousands(run.assumed)));
    }
    text
}

fn models(run: &RunDocument) -> impl Iterator<Item = Cell> {
    run.models.iter().map(|model| Cell::new(model.to_uppercase()))
}

fn states(page: &Page, run: &RunDocument) -> String {
    let mut header: Vec<Cell> = run.watched.iter().map(Cell::new).collect();
    header.push(Cell::right("seen"));
    header.extend(models(run));
    let mut rows = vec![header];
    for state in run.states.iter().take(MOST_STATES) {
        let mut row: Vec<Cell> = state.values.iter().map(|v| Cell::new(v.to_string())).collect();
        row.push(Cell::right(thousands(state.seen)));
        row.extend(state.allowed.iter().map(|allowed| match allowed {
            Some(true) => Cell::new("allowed"),
            Some(false) => Cell::new("–"),
            None => Cell::new("unknown"),
        }));
        rows.push(row);
    }
    let mut text = render(&rows, page.styled);
    if run.states.len() > MOST_STATES {
        let more = counted((run.states.len() - MOST_STATES) as u64, "state");
        text.push_str(&format!("  … and {more} more (all with --format json)\n"));
    }
    text
}

fn properties(page: &Page, run: &RunDocument) -> String {
    let mut header = vec![Cell::new("property"), Cell::new("line"), Cell::right("seen violated")];
    header.extend(models(run));
    let mut rows = vec![header];
    for property in &run.properties {
        let line = property.line.map_or_else(|| "–".into(), |line| line.to_string());
        let mut row = vec![
            Cell::new(printable(&property.name)),
            Cell::new(line),
            Cell::right(thousands(property.seen)),
        ];
        row.extend(property.verdicts.iter().map(|word| verdict(word)));
        rows.push(row);
    }
    render(&rows, page.styled)
}

fn verdict(word: &str) -> Cell {
    let kind = match word {
        "holds" => VerdictKind::Holds,
        "violated" => VerdictKind::Violated,
        "unknown" => VerdictKind::Unknown,
        _ => return Cell::new("–"),
    };
    Cell::new(word).styled(verdict_style(kind))
}

/// What cannot be, as loudly as text can say it.
fn contradictions(page: &Page, run: &RunDocument) -> String {
    if run.contradictions.is_empty() {
        return String::new();
    }
    let style: Style = AnsiColor::Red.on_default().bold();
    let title = "*** THE PROCESSOR DID WHAT TSO FORBIDS ***";
    let mut text = format!("\n  {}\n", paint(title, style, page.styled));
    for sentence in &run.contradictions {
        text.push_str(&format!("  {}\n", printable(sentence)));
    }
    text.push_str(
        "  This is a fault of Taut, of the harness, of the compiler or of the processor. None of them is expected.\n  \
         Please report it with the program, the processor and the compiler; --keep DIR writes the harness.\n",
    );
    text
}
