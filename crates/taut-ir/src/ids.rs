//! 32-bit indices, one type for each kind of thing, so that none can be mistaken for another.

macro_rules! index {
    ($(#[$doc:meta] $name:ident)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the vector it indexes.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> $name {
                $name(u32::try_from(index).expect("fewer than 2^32 of anything in a program"))
            }
        }
    )*};
}

index! {
    /// A shared or ghost variable of a program.
    VarId
    /// A process definition of a program.
    DefId
    /// A process (an instance of a definition) of a program.
    ProcId
    /// A register of a process definition.
    RegId
    /// A control program point of a process definition.
    PointId
    /// A step of a process definition.
    StepId
    /// A procedure of a process definition.
    ProcedureId
    /// A property of a program.
    PropId
    /// A channel of a program.
    ChanId
}
