//! Which members of unions are in use, and by which functions.
//!
//! All members of a union begin at the same cell. That is right as long as only one of them is ever used; if functions that the program can reach use
//! several, the later ones are refused.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use taut_source::{Diagnostic, Span};

use crate::hir::{Constant, FunctionId, GlobalId};
use crate::types::{StructDef, StructId};

use super::{Sema, codes};

/// What is being analysed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum User {
    /// Nothing that can be refused.
    #[default]
    File,
    /// A function.
    Function(FunctionId),
    /// A global.
    Global(GlobalId),
}

/// Uses of functions, globals and members of unions.
#[derive(Default)]
pub(super) struct Uses {
    /// What is being analysed now.
    pub(super) user: User,
    /// Number of expressions around the place that are not evaluated: what stands in them is no use.
    pub(super) quiet: u32,
    /// The functions and globals that each one mentions.
    mentions: HashMap<User, HashSet<User>>,
    /// The members in use of each union, with the first place in each function.
    members: BTreeMap<(StructId, usize), Vec<(User, Span)>>,
}

impl Uses {
    /// Notes that what is being analysed mentions something.
    pub(super) fn mention(&mut self, what: User) {
        if self.quiet > 0 {
            return;
        }
        self.mentions.entry(self.user).or_default().insert(what);
    }

    /// Notes a use of a member, if it is one of a union.
    pub(super) fn member(&mut self, structs: &[StructDef], of: StructId, index: usize, span: Span) {
        if self.quiet > 0 || !structs[of.0 as usize].union {
            return;
        }
        let users = self.members.entry((of, index)).or_default();
        if users.iter().all(|(user, _)| *user != self.user) {
            users.push((self.user, span));
        }
    }

    /// All that is reached from somewhere.
    fn reached(&self, from: User) -> HashSet<User> {
        let mut reached = HashSet::from([User::File, from]);
        let mut work = vec![User::File, from];
        while let Some(user) = work.pop() {
            taut_budget::tick();
            for &next in self.mentions.get(&user).into_iter().flatten() {
                if reached.insert(next) {
                    work.push(next);
                }
            }
        }
        reached
    }
}

impl Sema<'_> {
    /// Refuses functions that use another member of a union than the first in use, and puts the member in use first.
    pub(super) fn settle_unions(&mut self) {
        let Some(main) = self.unit.functions.iter().position(|f| f.name == "main") else { return };
        let reached = self.uses.reached(User::Function(FunctionId(main as u32)));
        let members = std::mem::take(&mut self.uses.members);
        let ids: BTreeSet<_> = members.keys().map(|(id, _)| *id).collect();
        for id in ids {
            let mut used: Vec<_> = members.range((id, 0)..=(id, usize::MAX)).collect();
            let first_place = |users: &[(User, Span)]| {
                users.iter().filter(|(u, _)| reached.contains(u)).map(|(_, s)| *s).min()
            };
            used.retain(|(_, users)| first_place(users).is_some());
            used.sort_by_key(|(_, users)| first_place(users));
            let Some(((_, kept), users)) = used.first() else { continue };
            let at = first_place(users).unwrap_or(Span::NONE);
            for ((_, other), users) in &used[1..] {
                for (user, span) in users.iter() {
                    self.refuse_member(id, (*kept, at), (*other, *span), *user);
                }
            }
            self.put_first(id, *kept);
        }
    }

    /// Refuses the use of a second member of a union.
    fn refuse_member(
        &mut self,
        id: StructId,
        (kept, first): (usize, Span),
        (other, span): (usize, Span),
        user: User,
    ) {
        let def = &self.unit.structs[id.0 as usize];
        let name = |index: usize| def.fields.as_ref().map_or("", |f| &f[index].name).to_string();
        let (a, b) = (name(kept), name(other));
        let message = format!("members `{a}` and `{b}` of one union are both in use");
        let diagnostic = Diagnostic::error(codes::UNION, message, span)
            .label(format!("`{b}` shares its memory with `{a}`"))
            .related(first, format!("`{a}` is used here"))
            .help("Taut has no bytes, only whole values: use one member only, or a structure");
        let refused = match user {
            User::Function(f) => &mut self.unit.functions[f.0 as usize].refused,
            User::Global(g) => &mut self.unit.globals[g.0 as usize].refused,
            User::File => return,
        };
        refused.get_or_insert(Box::new(diagnostic));
    }

    /// Moves the member in use to the front, so that the cells of the union have its types.
    fn put_first(&mut self, id: StructId, index: usize) {
        if let Some(fields) = &mut self.unit.structs[id.0 as usize].fields {
            fields[..=index].rotate_right(1);
        }
    }

    /// Notes what the initialiser of a global mentions.
    pub(super) fn mention_constants(&mut self, constants: &[(u32, Constant)]) {
        for (_, constant) in constants {
            match constant {
                Constant::Address(g, _) => self.uses.mention(User::Global(*g)),
                Constant::Function(f) => self.uses.mention(User::Function(*f)),
                Constant::Int(_) => {}
            }
        }
    }
}
