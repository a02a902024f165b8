//! How a step is said in Promela, for reports.

use super::flow::{Basic, Element, Jump, Kind};
use crate::ast::Initial;
use crate::print::{expression, reference, statement};

/// The statement of an element.
pub(super) fn of(element: &Element<'_>) -> String {
    match &element.kind {
        Kind::Basic(basic) => of_basic(*basic),
        Kind::Goto(Jump::Break(_)) => "break".into(),
        Kind::Goto(Jump::Label(_, name)) => format!("goto {name}"),
        Kind::Stop => "-end-".into(),
        Kind::If(_)
        | Kind::Do(_)
        | Kind::Unless(..)
        | Kind::Atomic(_)
        | Kind::DStep(..)
        | Kind::Block(_)
        | Kind::Dot
        | Kind::Break => ".(goto)".into(),
    }
}

fn of_basic(basic: Basic<'_>) -> String {
    match basic {
        Basic::Statement(s) => statement(s),
        Basic::Condition(e) => expression(e),
        Basic::Assign(to, value) => format!("{} = {}", reference(to), expression(value)),
        Basic::Set(to, value) => format!("{} = {value}", reference(to)),
        Basic::Increment(to) => format!("{}++", reference(to)),
        Basic::AtMost(r, high) => format!("{} <= {}", reference(r), expression(high)),
        Basic::Below(r, high) => format!("{} < {}", reference(r), expression(high)),
        Basic::AtMostNumber(r, high) => format!("{} <= {high}", reference(r)),
        Basic::Declare(_, d) => match &d.initial {
            Some(Initial::Value(e)) => format!("{} = {}", d.name.text, expression(e)),
            _ => format!("{} = 0", d.name.text),
        },
        Basic::ResetCounter(_) => "counter = 0".into(),
        Basic::CounterBelow(_, channel) => format!("counter < len({})", reference(channel)),
        Basic::IncrementCounter(_) => "counter++".into(),
        Basic::Rotate(channel, variable) => {
            format!("{}?{}", reference(channel), reference(variable))
        }
        Basic::RotateBack(channel, variable) => {
            format!("{}!{}", reference(channel), reference(variable))
        }
        Basic::Else => "else".into(),
        Basic::Skip => "skip".into(),
    }
}
