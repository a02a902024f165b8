//! Guards of edges: boolean conditions on the atoms, as disjunctions of cubes.
//!
//! A *cube* is a conjunction of literals; a valuation of at most 64 atoms is a word, so a cube is
//! two words and asking whether it holds is two operations. Guards in property automata are small,
//! and what is asked of them most, once for each edge of the product, is whether they hold.

/// A conjunction of literals: the atoms that must be true and those that must be false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// Bit *i*: atom *i* must be true.
    pub yes: u64,
    /// Bit *i*: atom *i* must be false.
    pub no: u64,
}

impl Cube {
    /// The cube without literals, which always holds.
    pub const TRUE: Cube = Cube { yes: 0, no: 0 };

    /// One literal. The atom must be below 64.
    pub fn literal(atom: u32, positive: bool) -> Cube {
        let bit = 1 << atom;
        if positive { Cube { yes: bit, no: 0 } } else { Cube { yes: 0, no: bit } }
    }

    /// Whether a valuation satisfies all literals.
    pub fn is_satisfied(self, valuation: u64) -> bool {
        valuation & self.yes == self.yes && valuation & self.no == 0
    }

    /// Whether no valuation satisfies it.
    pub fn is_false(self) -> bool {
        self.yes & self.no != 0
    }

    /// Both; `None` if they contradict each other.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube { yes: self.yes | other.yes, no: self.no | other.no };
        (!both.is_false()).then_some(both)
    }

    /// Whether every valuation that satisfies this one satisfies the other: it has the other's
    /// literals.
    pub fn implies(self, other: Cube) -> bool {
        self.yes & other.yes == other.yes && self.no & other.no == other.no
    }

    /// How many literals it has.
    pub fn literals(self) -> u32 {
        self.yes.count_ones() + self.no.count_ones()
    }

    /// Whether every valuation of this cube satisfies one of the others.
    ///
    /// What is left outside the first cube that meets this one is asked again of the cubes after
    /// it. A question about a piece has more literals, so they nest at most 64 deep; in the worst
    /// case there are exponentially many pieces, for guards as they occur a handful.
    pub fn is_covered(self, others: &[Cube]) -> bool {
        if others.iter().any(|other| self.implies(*other)) {
            return true;
        }
        match others.iter().position(|other| self.and(*other).is_some()) {
            Some(i) => self.without(others[i]).all(|piece| piece.is_covered(&others[i + 1..])),
            None => false,
        }
    }

    /// What is left of the cube outside another one that meets it: disjoint cubes, one for each
    /// literal that the other one adds.
    pub(crate) fn without(self, other: Cube) -> impl Iterator<Item = Cube> {
        let (yes, no) = (other.yes & !self.yes, other.no & !self.no);
        let mut inside = self;
        bits(yes).map(|b| (b, true)).chain(bits(no).map(|b| (b, false))).map(
            move |(bit, positive)| {
                let outside = inside.and(Cube::literal(bit, !positive)).unwrap_or(inside);
                inside = inside.and(Cube::literal(bit, positive)).unwrap_or(inside);
                outside
            },
        )
    }

    /// The cube without its literal of an atom.
    fn dropping(self, atom: u32) -> Cube {
        let mask = !(1 << atom);
        Cube { yes: self.yes & mask, no: self.no & mask }
    }
}

/// The numbers of the bits that are set.
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// A disjunction of cubes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guard {
    /// The cubes. None: no valuation satisfies the guard.
    pub cubes: Vec<Cube>,
}

impl From<Cube> for Guard {
    fn from(cube: Cube) -> Guard {
        Guard::new([cube])
    }
}

impl Guard {
    /// The guard of some cubes, made irredundant: no cube contradicts itself, none is covered by
    /// the others, and no literal can be dropped. Of very many cubes only those inside another one
    /// are left out.
    pub fn new(cubes: impl IntoIterator<Item = Cube>) -> Guard {
        let mut cubes: Vec<Cube> = cubes.into_iter().filter(|c| !c.is_false()).collect();
        cubes.sort_by_key(|c| (c.literals(), *c));
        cubes.dedup();
        let mut kept: Vec<Cube> = vec![];
        for cube in cubes {
            if !kept.iter().any(|other| cube.implies(*other)) {
                kept.push(cube);
            }
        }
        if kept.len() > 1 && kept.len() <= MOST_IRREDUNDANT {
            make_irredundant(&mut kept);
        }
        kept.sort();
        Guard { cubes: kept }
    }

    /// The guard that every valuation satisfies.
    pub fn always() -> Guard {
        Guard { cubes: vec![Cube::TRUE] }
    }

    /// The guard that no valuation satisfies.
    pub fn never() -> Guard {
        Guard { cubes: vec![] }
    }

    /// Whether a valuation satisfies it.
    pub fn is_satisfied(&self, valuation: u64) -> bool {
        self.cubes.iter().any(|cube| cube.is_satisfied(valuation))
    }

    /// Whether every valuation satisfies it.
    pub fn is_true(&self) -> bool {
        Cube::TRUE.is_covered(&self.cubes)
    }

    /// Whether no valuation satisfies it.
    pub fn is_false(&self) -> bool {
        self.cubes.iter().all(|cube| cube.is_false())
    }

    /// Whether every valuation that satisfies this one satisfies the other.
    pub fn implies(&self, other: &Guard) -> bool {
        self.cubes.iter().all(|cube| cube.is_covered(&other.cubes))
    }

    /// Both.
    pub fn and(&self, other: &Guard) -> Guard {
        let pairs = self.cubes.iter().flat_map(|a| other.cubes.iter().map(|b| a.and(*b)));
        Guard::new(pairs.flatten())
    }

    /// At least one.
    pub fn or(&self, other: &Guard) -> Guard {
        Guard::new(self.cubes.iter().chain(&other.cubes).copied())
    }

    /// The negation.
    pub fn negated(&self) -> Guard {
        let mut rest = vec![Cube::TRUE];
        for cube in &self.cubes {
            rest = subtract(&rest, *cube);
        }
        Guard::new(rest)
    }
}

/// Up to so many cubes a guard is made irredundant.
const MOST_IRREDUNDANT: usize = 64;

/// Drops literals and cubes that are not needed.
fn make_irredundant(cubes: &mut Vec<Cube>) {
    for i in 0..cubes.len() {
        cubes[i] = widened(cubes[i], cubes);
    }
    for i in (0..cubes.len()).rev() {
        let cube = cubes.remove(i);
        if !cube.is_covered(cubes) {
            cubes.insert(i, cube);
        }
    }
}

/// Some cubes without the valuations of one.
pub(crate) fn subtract(from: &[Cube], cube: Cube) -> Vec<Cube> {
    let mut left = vec![];
    for piece in from {
        match piece.and(cube) {
            None => left.push(*piece),
            Some(_) => left.extend(piece.without(cube)),
        }
    }
    left
}

/// The cube without the literals that the whole does not need.
fn widened(mut cube: Cube, whole: &[Cube]) -> Cube {
    for atom in bits(cube.yes | cube.no) {
        let wider = cube.dropping(atom);
        if wider.is_covered(whole) {
            cube = wider;
        }
    }
    cube
}
