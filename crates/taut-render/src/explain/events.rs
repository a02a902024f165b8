//! Explanations of trace assertions: the event that is not allowed, and the events that are.

use taut_ir::{EventState, EventTrace, Expr};

use super::{Explanation, Teller, inside};

impl Teller<'_> {
    /// The explanation of a violation of the trace assertion, if that is the property's name.
    pub(super) fn event(&self, property: &str) -> Option<Explanation> {
        let trace = self.program.event_trace.as_ref().filter(|t| t.word == property)?;
        let (row, process, id, step) = self.failed_step()?;
        let shown = self.names.step(process, id);
        let word = &trace.word;
        let headline = match word.as_str() {
            "notrace" => {
                format!("`{word}` assertion violated: `{shown}` is the last of its events")
            }
            _ => format!("`{word}` assertion violated: `{shown}` is not allowed here"),
        };
        let message = row.record.message.as_ref().map(|message| {
            let values: Vec<String> = message.values.iter().map(i64::to_string).collect();
            format!(" with the message {}", values.join(", "))
        });
        let place = self.place(process, step);
        let mut details = vec![format!("{place}: {shown}{}", message.unwrap_or_default())];
        let number = self.machine().value_in(inside(row), process, &Expr::Var(trace.state)).ok()?;
        let state = trace.states.get(usize::try_from(number).ok()?)?;
        if word != "notrace" {
            details.push(format!("allowed here: {}", self.expected(trace, state)));
        }
        Some(Explanation { headline, details })
    }

    /// The sentence about a trace assertion that may not end where the run stops.
    pub(super) fn unfinished_trace(&self) -> Option<String> {
        let (trace, state) = self.machine().unfinished_trace(self.run.last())?;
        let expected = self.expected(trace, state);
        Some(format!("the `{}` assertion is not finished: it waits for {expected}", trace.word))
    }

    /// "`q!1` (line 3) or `q?1` (line 4)".
    fn expected(&self, trace: &EventTrace, state: &EventState) -> String {
        let mut all: Vec<String> = Vec::new();
        for (event, span) in &state.expects {
            let line = self.names.line(*span);
            let line = line.map_or(String::new(), |line| format!(" (line {line})"));
            let one = format!("`{event}`{line}");
            if !all.contains(&one) {
                all.push(one);
            }
        }
        match all.is_empty() {
            true => format!("no event, the `{}` assertion is finished", trace.word),
            false => all.join(" or "),
        }
    }
}
