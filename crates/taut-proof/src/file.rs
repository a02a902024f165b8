//! The file as a whole: a magic word, the header, the bodies.

use crate::Damaged;
use crate::header::{Claim, Header, VERSION};

/// The first bytes of every certificate.
pub const MAGIC: &[u8] = b"tautproof\n";

/// A certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What is claimed.
    pub header: Header,
    /// The evidence for each claim, in their order.
    pub bodies: Vec<Vec<u8>>,
}

impl Certificate {
    /// A certificate of some claims with their bodies.
    pub fn new(header: Header, claims: Vec<(Claim, Vec<u8>)>) -> Certificate {
        let (mut all, mut bodies) = (Vec::new(), Vec::new());
        for (claim, body) in claims {
            all.push(Claim { bytes: body.len() as u64, ..claim });
            bodies.push(body);
        }
        Certificate { header: Header { claims: all, ..header }, bodies }
    }

    /// The certificate as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        // A header of strings and numbers is always valid JSON.
        let header = serde_json::to_string(&self.header).unwrap_or_default();
        [MAGIC, header.as_bytes(), b"\n", &self.bodies.concat()].concat()
    }

    /// Reads a certificate.
    pub fn from_bytes(bytes: &[u8]) -> Result<Certificate, Damaged> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("it is no certificate of Taut")?;
        let end = rest.iter().position(|&b| b == b'\n').ok_or("it ends in its header")?;
        let (line, mut rest) = (&rest[..end], &rest[end + 1..]);
        check_version(line)?;
        let header: Header = serde_json::from_slice(line)
            .map_err(|error| Damaged(format!("its header is not understood: {error}")))?;
        let mut bodies = Vec::new();
        for claim in &header.claims {
            let length = usize::try_from(claim.bytes).unwrap_or(usize::MAX);
            let (body, after) =
                rest.split_at_checked(length).ok_or("it ends before its last claim does")?;
            bodies.push(body.to_vec());
            rest = after;
        }
        if !rest.is_empty() {
            return Err("there are bytes after its end".into());
        }
        Ok(Certificate { header, bodies })
    }
}

/// Refuses other versions before anything else is read: their headers may have other fields.
fn check_version(line: &[u8]) -> Result<(), Damaged> {
    #[derive(serde::Deserialize)]
    struct Versioned {
        version: u32,
    }
    match serde_json::from_slice::<Versioned>(line) {
        Ok(Versioned { version: VERSION }) => Ok(()),
        Ok(Versioned { version }) => Err(Damaged(format!(
            "it has version {version} of the format, and this checker reads version {VERSION}"
        ))),
        Err(error) => Err(Damaged(format!("its header is not understood: {error}"))),
    }
}
