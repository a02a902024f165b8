//! The address of the page: where it listens, and the token without which it is not there.

use std::fmt;
use std::net::SocketAddr;

/// Random bytes in a token: as many as nobody guesses.
const RANDOM_BYTES: usize = 20;

/// The address of a server.
#[derive(Clone, Debug)]
pub struct Address {
    socket: SocketAddr,
    token: String,
}

impl Address {
    /// An address with a token that nobody has seen.
    pub(crate) fn new(socket: SocketAddr) -> std::io::Result<Address> {
        let mut random = [0; RANDOM_BYTES];
        getrandom::fill(&mut random).map_err(std::io::Error::other)?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Address { socket, token })
    }

    /// Where it listens.
    pub fn socket(&self) -> SocketAddr {
        self.socket
    }

    /// What comes after `/TOKEN` in a path; none if it does not begin so.
    pub(crate) fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        let path = path.strip_prefix('/')?;
        let (token, rest) = path.split_at_checked(self.token.len())?;
        let is_whole = rest.is_empty() || rest.starts_with('/');
        (equal(token.as_bytes(), self.token.as_bytes()) && is_whole).then_some(rest)
    }

    /// The path of the page.
    pub(crate) fn root(&self) -> String {
        format!("/{}/", self.token)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.socket, self.root())
    }
}

/// Whether two texts of equal length are equal, in a time that does not tell where they differ.
fn equal(ours: &[u8], theirs: &[u8]) -> bool {
    let differences = ours.iter().zip(theirs).fold(0, |all, (a, b)| all | (a ^ b));
    ours.len() == theirs.len() && std::hint::black_box(differences) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address() -> Address {
        Address::new(([127, 0, 0, 1], 80).into()).expect("a token")
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let (one, other) = (address().token, address().token);
        assert_eq!(one.len(), 40);
        assert_ne!(one, other);
    }

    #[test]
    fn only_paths_with_the_token_are_below() {
        let address = address();
        let token = &address.token;
        assert_eq!(address.below(&format!("/{token}")), Some(""));
        assert_eq!(address.below(&format!("/{token}/")), Some("/"));
        assert_eq!(address.below(&format!("/{token}/jobs")), Some("/jobs"));
        for path in ["", "/", "/jobs", "//", "/é"] {
            assert_eq!(address.below(path), None, "{path}");
        }
        assert_eq!(address.below(&format!("/{token}x/")), None);
        assert_eq!(address.below(&format!("/{}/", &token[1..])), None);
        assert_eq!(address.below(&format!("/{}0/", &token[..39])).is_some(), token.ends_with('0'));
        assert_eq!(address.below(&format!("{token}/")), None);
    }
}
