//! From the name of a memory model to its memory system: the one place where the name decides.

use taut_ir::{Buffers, MemoryModel};

#[cfg(feature = "toy-model")]
use crate::Combining;
use crate::{Delayed, ModelSystem, Pso, Sc, Tso};

/// Code that is compiled for every memory system, and called with the one of a memory model.
pub trait SystemVisitor {
    /// The result.
    type Out;

    /// Called with the system of the model.
    fn visit<M: ModelSystem>(self) -> Self::Out;
}

/// Calls a visitor with the memory system of a memory model.
pub fn visit_system<V: SystemVisitor>(model: MemoryModel, visitor: V) -> V::Out {
    match model {
        MemoryModel::Sc => agreed::<Sc, V>(model, visitor),
        MemoryModel::Tso => agreed::<Tso, V>(model, visitor),
        MemoryModel::Pso => agreed::<Pso, V>(model, visitor),
        MemoryModel::Delayed => agreed::<Delayed, V>(model, visitor),
        #[cfg(feature = "toy-model")]
        MemoryModel::Combining => agreed::<Combining, V>(model, visitor),
    }
}

/// Calls a visitor with a memory system whose constants are the capabilities of its model.
fn agreed<M: ModelSystem, V: SystemVisitor>(model: MemoryModel, visitor: V) -> V::Out {
    debug_assert_eq!(M::OVERWRITES, model.overwrites(), "{model}");
    debug_assert_eq!(M::IN_ORDER, model.buffers() == Buffers::PerProcess, "{model}");
    visitor.visit::<M>()
}
