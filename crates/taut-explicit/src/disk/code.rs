//! A state as its difference from the state before it in sorted order.
//!
//! Sorted states that lie next to each other have most of their bytes in common. A state is written as a mask of the
//! words that differ, and for each of these a mask of the bytes that differ, and these bytes. Decoding is a few
//! instructions per word, so reading a file of states is faster than computing them.

/// Writes the difference of a state from another.
pub(super) fn encode(previous: &[u64], state: &[u64], out: &mut Vec<u8>) {
    debug_assert_eq!(previous.len(), state.len());
    for (before, after) in previous.chunks(8).zip(state.chunks(8)) {
        let at = out.len();
        out.push(0);
        for (i, (before, after)) in before.iter().zip(after).enumerate() {
            if before != after {
                out[at] |= 1 << i;
                encode_word(before ^ after, out);
            }
        }
    }
}

fn encode_word(difference: u64, out: &mut Vec<u8>) {
    let at = out.len();
    out.push(0);
    for (i, byte) in difference.to_le_bytes().into_iter().enumerate() {
        if byte != 0 {
            out[at] |= 1 << i;
            out.push(byte);
        }
    }
}

/// Makes the state before into the state that was written; the bytes after it. None if the bytes are no state.
#[inline]
pub(super) fn decode<'b>(mut bytes: &'b [u8], state: &mut [u64]) -> Option<&'b [u8]> {
    for words in state.chunks_mut(8) {
        let (mut mask, rest) = take(bytes)?;
        bytes = rest;
        while mask != 0 {
            let word = words.get_mut(mask.trailing_zeros() as usize)?;
            mask &= mask - 1;
            let (difference, rest) = decode_word(bytes)?;
            *word ^= difference;
            bytes = rest;
        }
    }
    Some(bytes)
}

#[inline]
fn decode_word(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (mut mask, mut bytes) = take(bytes)?;
    let mut difference = 0;
    while mask != 0 {
        let (byte, rest) = take(bytes)?;
        difference |= u64::from(byte) << (8 * mask.trailing_zeros());
        mask &= mask - 1;
        bytes = rest;
    }
    Some((difference, bytes))
}

#[inline]
fn take(bytes: &[u8]) -> Option<(u8, &[u8])> {
    bytes.split_first().map(|(first, rest)| (*first, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read_again(
            states in (1_usize..20).prop_flat_map(|words| {
                let word = prop_oneof![0_u64..4, any::<u64>(), any::<u8>().prop_map(|b| u64::from(b) << 40)];
                prop::collection::vec(prop::collection::vec(word, words), 1..20)
            })
        ) {
            let mut out = Vec::new();
            let mut previous = vec![0; states[0].len()];
            for state in &states {
                encode(&previous, state, &mut out);
                previous.clone_from(state);
            }
            let mut bytes = out.as_slice();
            let mut state = vec![0; states[0].len()];
            for expected in &states {
                bytes = decode(bytes, &mut state).expect("a state");
                prop_assert_eq!(&state, expected);
            }
            prop_assert!(bytes.is_empty());
        }

        #[test]
        fn any_bytes_are_a_state_or_none(bytes in prop::collection::vec(any::<u8>(), 0..40), words in 1_usize..12) {
            let _ = decode(&bytes, &mut vec![0; words]);
        }
    }
}
