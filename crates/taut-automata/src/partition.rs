//! A refinable partition of `0..n`: sets that can only be split, each in time of the part that is
//! marked.
//!
//! The data structure of Valmari, "Fast brief practical DFA minimization" (2012). The members of a
//! set lie side by side in one array, the marked ones first, so splitting a set is drawing a line.

/// A partition of the numbers below some `n`. Sets are numbered from 0 and keep a part of their
/// members under their number when they are split.
pub(crate) struct Partition {
    members: Vec<u32>,
    place: Vec<u32>,
    set_of: Vec<u32>,
    /// For each set, where its members begin and end, and how many of them are marked.
    sets: Vec<Span>,
    touched: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Span {
    first: u32,
    past: u32,
    marked: u32,
}

impl Partition {
    /// Consecutive runs of `members` that have the same key become the sets.
    pub(crate) fn by_key<K: PartialEq>(members: Vec<u32>, key: impl Fn(u32) -> K) -> Self {
        let count = members.len();
        let (mut place, mut set_of) = (vec![0; count], vec![0; count]);
        let mut sets: Vec<Span> = Vec::new();
        for (at, &member) in members.iter().enumerate() {
            let here = at as u32;
            if at == 0 || key(members[at - 1]) != key(member) {
                sets.push(Span { first: here, past: here, marked: 0 });
            }
            let set = sets.len() - 1;
            sets[set].past = here + 1;
            place[member as usize] = here;
            set_of[member as usize] = set as u32;
        }
        Partition { members, place, set_of, sets, touched: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    pub(crate) fn set_of(&self, member: u32) -> u32 {
        self.set_of[member as usize]
    }

    pub(crate) fn size(&self, set: usize) -> usize {
        (self.sets[set].past - self.sets[set].first) as usize
    }

    /// The member at `index` of a set, in the order of the moment.
    pub(crate) fn member(&self, set: usize, index: usize) -> u32 {
        self.members[self.sets[set].first as usize + index]
    }

    /// Moves `member` to the marked part of its set.
    pub(crate) fn mark(&mut self, member: u32) {
        taut_budget::tick();
        let set = self.set_of(member);
        let span = &mut self.sets[set as usize];
        let (from, to) = (self.place[member as usize], span.first + span.marked);
        if from < to {
            return;
        }
        if span.marked == 0 {
            self.touched.push(set);
        }
        span.marked += 1;
        self.members.swap(from as usize, to as usize);
        self.place[self.members[from as usize] as usize] = from;
        self.place[member as usize] = to;
    }

    /// Splits every set of which some but not all members are marked; the smaller part gets a new
    /// number. Removes all marks.
    pub(crate) fn split(&mut self) {
        while let Some(set) = self.touched.pop() {
            let span = self.sets[set as usize];
            let middle = span.first + span.marked;
            self.sets[set as usize].marked = 0;
            if middle == span.past {
                continue;
            }
            let new = self.sets.len() as u32;
            let (first, past) = if span.marked <= span.past - middle {
                self.sets[set as usize].first = middle;
                (span.first, middle)
            } else {
                self.sets[set as usize].past = middle;
                (middle, span.past)
            };
            self.sets.push(Span { first, past, marked: 0 });
            for &member in &self.members[first as usize..past as usize] {
                self.set_of[member as usize] = new;
            }
        }
    }
}
