//! Sends and receives.

use super::declare::constant;
use super::expression::Expressions;
use super::features::Feature;
use super::scope::{CARRIED, Channel, Kind};

impl Expressions<'_> {
    /// A send or receive on some channel; none if there is no channel. In `d_step` on one that has room.
    pub(super) fn channel_statement(&mut self, rendezvous: bool, repeated: bool) -> Option<String> {
        let mut channels = self.scope.channels.clone();
        channels.extend(self.scope.holders.iter().map(|text| Channel {
            text: text.clone(),
            capacity: self.scope.carried_capacity,
            fields: CARRIED.to_vec(),
        }));
        channels.retain(|c| rendezvous || c.capacity > 0);
        if channels.is_empty() {
            return None;
        }
        let channel = self.random.pick(&channels).clone();
        if channel.fields.is_empty() {
            return self.carry(&channel);
        }
        let send = self.random.chance(50);
        Some(if send { self.send(&channel, repeated) } else { self.receive(&channel) })
    }

    /// Passes a channel through a channel.
    fn carry(&mut self, channel: &Channel) -> Option<String> {
        let values = self.scope.carried();
        if self.random.chance(50) && !self.scope.holders.is_empty() {
            return Some(format!("{}?{};", channel.text, self.random.pick(&self.scope.holders)));
        }
        (!values.is_empty()).then(|| format!("{}!{};", channel.text, self.random.pick(&values)))
    }

    fn send(&mut self, channel: &Channel, repeated: bool) -> String {
        let sorted = self.features.has(Feature::RichReceive) && self.random.chance(25);
        let op = if sorted { "!!" } else { "!" };
        let values: Vec<_> =
            channel.fields.iter().map(|&kind| self.message_value(kind, repeated)).collect();
        if channel.fields[0] == Kind::Mtype && values.len() > 1 && self.random.chance(50) {
            return format!("{}{op}{}({});", channel.text, values[0], values[1..].join(", "));
        }
        format!("{}{op}{};", channel.text, values.join(", "))
    }

    fn message_value(&mut self, kind: Kind, repeated: bool) -> String {
        match kind {
            Kind::Mtype if self.random.chance(30) => self.place(true),
            Kind::Mtype => constant(self.random, kind),
            _ if self.random.chance(50) => constant(self.random, kind),
            _ if repeated => format!("({}) % 3", self.number(1)),
            _ => self.number(1),
        }
    }

    fn receive(&mut self, channel: &Channel) -> String {
        let rich = self.features.has(Feature::RichReceive);
        let op = if rich && self.random.chance(30) { "??" } else { "?" };
        let mut fields: Vec<String> = Vec::new();
        for &kind in &channel.fields {
            let field = self.receive_field(kind, channel.fields.len() == 1, rich);
            let alone = fields.iter().all(|other| self.go_together(other, &field));
            fields.push(if alone { field } else { "_".into() });
        }
        if rich && channel.capacity > 0 && self.random.chance(20) {
            return format!("{}{op}<{}>;", channel.text, fields.join(", "));
        }
        if channel.fields[0] == Kind::Mtype && fields.len() > 1 && self.random.chance(40) {
            return format!("{}{op}{}({});", channel.text, fields[0], fields[1..].join(", "));
        }
        format!("{}{op}{};", channel.text, fields.join(", "))
    }

    /// Whether two fields of a receive go together. SPIN refuses to assign two of them to one variable. And
    /// it takes back a receive by computing its fields anew, which corrupts its search if one of them depends
    /// on what another one assigns: two elements that are one, an element and its index, a variable and an
    /// `eval` of it.
    fn go_together(&self, one: &str, other: &str) -> bool {
        let assigns = |field: &str| self.scope.places.iter().any(|place| place.text == field);
        let depends = |field: &str| field.contains('[') || field.starts_with("eval(");
        let clash = |a: &str, b: &str| assigns(a) && (a == b || depends(a) || depends(b));
        one == "_" || other == "_" || !(clash(one, other) || clash(other, one))
    }

    fn receive_field(&mut self, kind: Kind, only: bool, rich: bool) -> String {
        // SPIN gives a field that is the only one of its message at least a byte.
        let stored = match kind {
            Kind::Bit | Kind::Bool if only => Kind::Byte,
            other => other,
        };
        let places: Vec<_> = self.scope.places.iter().filter(|p| p.kind.holds(stored)).collect();
        match self.random.below(10) {
            0..=5 if !places.is_empty() => self.random.pick(&places).text.clone(),
            6 | 7 => "_".into(),
            8 if rich => self.pattern(kind),
            _ => constant(self.random, kind),
        }
    }
}
