//! Numbers of variable length: seven bits per byte, the lowest first, the top bit set in all but the last byte.

use crate::Damaged;

/// Bytes that are being written.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Writes a number.
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Writes a number that may be negative; those near zero are short.
    pub fn signed(&mut self, value: i64) {
        self.number(((value << 1) ^ (value >> 63)) as u64);
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Bytes that are being read.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'b> {
    left: &'b [u8],
}

impl<'b> Reader<'b> {
    /// Reads from the beginning.
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { left: bytes }
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Reads a number.
    pub fn number(&mut self) -> Result<u64, Damaged> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.left.split_first().ok_or("it ends in the middle")?;
            self.left = rest;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a number is too long".into())
    }

    /// Reads a number below a limit.
    pub fn below(&mut self, limit: usize, what: &str) -> Result<usize, Damaged> {
        let value = self.number()?;
        let small = usize::try_from(value).ok().filter(|&value| value < limit);
        small.ok_or_else(|| Damaged(format!("there is no {what} {value}, only {limit}")))
    }

    /// Reads how many things follow, each of which takes a byte at least.
    pub fn count(&mut self) -> Result<usize, Damaged> {
        let value = self.number()?;
        let fits = usize::try_from(value).ok().filter(|&count| count <= self.left.len());
        fits.ok_or_else(|| Damaged(format!("it ends before {value} more things")))
    }

    /// Reads a number that may be negative.
    pub fn signed(&mut self) -> Result<i64, Damaged> {
        let value = self.number()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Reads bytes as they are.
    pub fn raw(&mut self, count: usize) -> Result<&'b [u8], Damaged> {
        let (bytes, rest) = self.left.split_at_checked(count).ok_or("it ends in the middle")?;
        self.left = rest;
        Ok(bytes)
    }

    /// Refuses bytes that nothing asks for.
    pub fn end(&self) -> Result<(), Damaged> {
        if self.is_empty() { Ok(()) } else { Err("there are bytes after its end".into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::MAX - 1, u64::MAX];
        let signed = [0, -1, 1, 63, -64, 64, i64::MIN, i64::MAX];
        let mut writer = Writer::default();
        numbers.iter().for_each(|&n| writer.number(n));
        signed.iter().for_each(|&n| writer.signed(n));
        let bytes = writer.into_bytes();
        let mut reader = Reader::new(&bytes);
        assert!(numbers.iter().all(|&n| reader.number() == Ok(n)));
        assert!(signed.iter().all(|&n| reader.signed() == Ok(n)));
        assert_eq!(reader.end(), Ok(()));
    }

    #[test]
    fn damage_is_told() {
        assert!(Reader::new(&[0x80]).number().is_err());
        assert!(Reader::new(&[0xff; 11]).number().is_err());
        assert!(Reader::new(&[3, 0]).count().is_err());
        assert!(Reader::new(&[3]).below(3, "part").is_err());
        assert!(Reader::new(&[0]).end().is_err());
    }
}
