//! What the command and its workers tell each other: frames of a length, a kind and bytes.

use std::io::{self, Read, Write};

/// Longest frame. A program of this size would not be read in the first place.
const LONGEST: usize = 1 << 30;

/// What is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// To a worker: its number, and the addresses of all workers.
    Setup(u32, Vec<String>),
    /// To a worker: a search ([`crate::order`]).
    Order(Vec<u8>),
    /// To a worker: end the search.
    Interrupt,
    /// Of a worker: it is connected to all others.
    Ready,
    /// Of a worker: how far it has come ([`Report::numbers`](crate::pool::Report)). Also the sign of life.
    Progress(Vec<u64>),
    /// Of a worker: the search has ended. The first worker tells the result.
    Done(Vec<u8>),
    /// Of a worker: the link to another worker is lost, and why.
    Lost(u32, String),
}

impl Frame {
    fn kind(&self) -> u8 {
        match self {
            Frame::Setup(..) => 0,
            Frame::Order(_) => 1,
            Frame::Interrupt => 2,
            Frame::Ready => 3,
            Frame::Progress(_) => 4,
            Frame::Done(_) => 5,
            Frame::Lost(..) => 6,
        }
    }

    /// Writes the frame.
    pub(crate) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let numbers = |all: &[u64]| all.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
        let body = match self {
            Frame::Setup(index, addresses) => {
                [&index.to_le_bytes()[..], addresses.join("\n").as_bytes()].concat()
            }
            Frame::Order(bytes) | Frame::Done(bytes) => bytes.clone(),
            Frame::Interrupt | Frame::Ready => Vec::new(),
            Frame::Progress(all) => numbers(all),
            Frame::Lost(peer, why) => [&peer.to_le_bytes()[..], why.as_bytes()].concat(),
        };
        let length = u32::try_from(body.len()).map_err(|_| wrong("a frame is too long"))?;
        let mut frame = Vec::with_capacity(body.len() + 5);
        frame.extend_from_slice(&length.to_le_bytes());
        frame.push(self.kind());
        frame.extend_from_slice(&body);
        to.write_all(&frame)
    }

    /// Reads a frame; an error at the end of the connection, too.
    pub(crate) fn read(from: &mut impl Read) -> io::Result<Frame> {
        let mut head = [0; 5];
        from.read_exact(&mut head)?;
        let [a, b, c, d, kind] = head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if length > LONGEST {
            return Err(wrong("a frame is too long"));
        }
        let mut body = Vec::new();
        from.take(length as u64).read_to_end(&mut body)?;
        if body.len() < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let numbered = || -> io::Result<(u32, String)> {
            let (number, text) =
                body.split_first_chunk().ok_or_else(|| wrong("a frame is short"))?;
            let text = String::from_utf8(text.to_vec()).map_err(|_| wrong("a text is none"))?;
            Ok((u32::from_le_bytes(*number), text))
        };
        Ok(match kind {
            0 => {
                let (index, text) = numbered()?;
                Frame::Setup(index, text.lines().map(str::to_owned).collect())
            }
            1 => Frame::Order(body),
            2 => Frame::Interrupt,
            3 => Frame::Ready,
            4 => {
                let numbers = body.chunks_exact(8).filter_map(|n| n.try_into().ok());
                Frame::Progress(numbers.map(u64::from_le_bytes).collect())
            }
            5 => Frame::Done(body),
            6 => {
                let (peer, why) = numbered()?;
                Frame::Lost(peer, why)
            }
            _ => return Err(wrong("a frame is of an unknown kind")),
        })
    }
}

fn wrong(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let frames = [
            Frame::Setup(3, vec!["127.0.0.1:1".into(), "[::1]:2".into()]),
            Frame::Order(vec![1, 2, 3]),
            Frame::Interrupt,
            Frame::Ready,
            Frame::Progress(vec![0, u64::MAX]),
            Frame::Done(Vec::new()),
            Frame::Lost(1, "reset".into()),
        ];
        for frame in frames {
            let mut bytes = Vec::new();
            frame.write(&mut bytes).expect("memory");
            assert_eq!(Frame::read(&mut bytes.as_slice()).expect("whole"), frame);
            assert!(Frame::read(&mut &bytes[..bytes.len() - 1]).is_err());
        }
        assert!(Frame::read(&mut &[255, 255, 255, 255, 1][..]).is_err());
    }
}
