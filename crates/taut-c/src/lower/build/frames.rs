//! The lives of locals whose address is a value.
//!
//! Such a local is an object in memory, one copy per thread. It lives from the call of its function to the return; a
//! pointer to it that is followed later is a fault. A ghost per object says whether a copy lives. The locals of `main`
//! live as long as the program does and have none.
//!
//! *Why life and death are local steps* (`Op::is_local`), though other threads ask for them: a run in which another thread
//! follows a pointer between the last access of a function and its return has a neighbour in which the return comes
//! first. There it is a fault. So joining the return with the access before it hides no fault.

use super::{Builder, Built, Frame};
use crate::hir::{FunctionId, LocalId};
use crate::lower::mir::{Mode, ObjectId, Op, Point, Storage};

impl Builder<'_> {
    /// The locals of a function that are in memory begin to live; what they are.
    pub(super) fn enter_frame(&mut self, id: FunctionId) -> Built<Vec<ObjectId>> {
        let is_main = self.templates[0].0 == id && self.t.id == 0;
        let mut locals: Vec<LocalId> = self
            .found
            .in_memory
            .iter()
            .filter(|(f, _)| *f == id)
            .map(|(_, local)| *local)
            .collect();
        locals.sort();
        if is_main || locals.is_empty() {
            return Ok(Vec::new());
        }
        let mut objects = Vec::new();
        self.t.frames.push(Frame::new(id, Point(0), None, None));
        for local in locals {
            let ty = self.function(id).locals[local.0 as usize].ty.clone();
            let object = self.local_object((id, local), &ty);
            objects.push(object?);
        }
        self.t.frames.pop();
        for &object in &objects {
            debug_assert!(matches!(self.mir.objects[object.0 as usize].storage, Storage::Frame(_)));
            if !self.mir.frames.iter().any(|(known, _)| *known == object) {
                let name = format!("'{} lives", self.mir.objects[object.0 as usize].name);
                let lives = self.ghost(&name, 1);
                self.mir.frames.push((object, lives));
            }
        }
        self.step(Mode::Plain, objects.iter().map(|&o| Op::Live(o, true)).collect())?;
        Ok(objects)
    }

    /// The function returns: its locals end.
    pub(super) fn leave_frame(&mut self, objects: Vec<ObjectId>) -> Built<()> {
        if objects.is_empty() {
            return Ok(());
        }
        self.step(Mode::Plain, objects.iter().map(|&o| Op::Live(o, false)).collect())
    }
}
