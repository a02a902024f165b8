//! The token of a cluster, and how both ends of a connection show that they know it.
//!
//! Every connection begins with this exchange, before any other byte is looked at:
//!
//! ```text
//! listener  ─► magic, version, a random number a
//! connector ─► a random number c, its role, HMAC(token, "connects", a, c, role)
//! listener  ─► HMAC(token, "listens", a, c, role)
//! ```
//!
//! The token itself is never sent. An answer is of no use for another connection, because each has its own random numbers. Codes are
//! compared in a time that does not depend on them. The traffic after that is *not* encrypted: a cluster belongs on a private
//! network, or behind tunnels.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use hmac_sha256::HMAC;

const MAGIC: [u8; 8] = *b"TautWork";
/// Longest time that an end of a connection may take for its side of the exchange.
const PATIENCE: Duration = Duration::from_secs(10);
/// Shortest token, in bytes.
const SHORTEST: usize = 16;

/// The token of a cluster.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Vec<u8>);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The command that gives orders.
    Command,
    /// The worker with a number.
    Worker(u32),
}

impl Role {
    fn bytes(self) -> [u8; 5] {
        let (kind, number) = match self {
            Role::Command => (0, 0),
            Role::Worker(number) => (1, number),
        };
        let [a, b, c, d] = number.to_le_bytes();
        [kind, a, b, c, d]
    }

    fn of([kind, a, b, c, d]: [u8; 5]) -> io::Result<Role> {
        match kind {
            0 => Ok(Role::Command),
            1 => Ok(Role::Worker(u32::from_le_bytes([a, b, c, d]))),
            _ => Err(refused("its role is none")),
        }
    }
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

/// Random bytes from the system.
fn random() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

impl Token {
    /// A new random token.
    pub fn random() -> io::Result<Token> {
        random().map(|bytes| Token(hex(&bytes).into_bytes()))
    }

    /// A token as it was typed or read: spaces around it do not count.
    pub fn of(text: &str) -> io::Result<Token> {
        let text = text.trim();
        if text.len() < SHORTEST {
            let why = format!("a token has at least {SHORTEST} characters");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(Token(text.as_bytes().to_vec()))
    }

    /// The token in a file.
    pub fn read(path: &Path) -> io::Result<Token> {
        Token::of(&std::fs::read_to_string(path)?)
    }

    /// The token as one line of text, for a process that is started with it.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    fn code(&self, side: &str, (a, c): (&[u8; 32], &[u8; 32]), role: Role) -> HMAC {
        let mut code = HMAC::new(&self.0);
        code.update(side);
        code.update(a);
        code.update(c);
        code.update(role.bytes());
        code
    }

    /// Shows the token to a connector and asks for its own; the role of the connector.
    pub(crate) fn accept(&self, stream: &mut TcpStream) -> io::Result<Role> {
        patient(stream, |stream| {
            let a = random()?;
            let version = env!("CARGO_PKG_VERSION").as_bytes();
            stream.write_all(&MAGIC)?;
            stream.write_all(&[version.len() as u8])?;
            stream.write_all(version)?;
            stream.write_all(&a)?;
            let (c, role, code) = (read::<32>(stream)?, read::<5>(stream)?, read::<32>(stream)?);
            let role = Role::of(role)?;
            // Compares in constant time.
            if !self.code("connects", (&a, &c), role).finalize_verify(&code) {
                return Err(refused("its token is not that of this cluster"));
            }
            stream.write_all(&self.code("listens", (&a, &c), role).finalize())?;
            Ok(role)
        })
    }

    /// Shows the token to a listener and asks for its own.
    pub(crate) fn connect(&self, stream: &mut TcpStream, role: Role) -> io::Result<()> {
        patient(stream, |stream| {
            if read::<8>(stream)? != MAGIC {
                return Err(refused("it is no worker of Taut"));
            }
            let [length] = read::<1>(stream)?;
            let mut version = vec![0; usize::from(length)];
            stream.read_exact(&mut version)?;
            if version != env!("CARGO_PKG_VERSION").as_bytes() {
                let theirs = String::from_utf8_lossy(&version).into_owned();
                let ours = env!("CARGO_PKG_VERSION");
                return Err(refused(&format!("it is version {theirs} of Taut, this is {ours}")));
            }
            let (a, c) = (read::<32>(stream)?, random()?);
            stream.write_all(&c)?;
            stream.write_all(&role.bytes())?;
            stream.write_all(&self.code("connects", (&a, &c), role).finalize())?;
            let wrong = || refused("it does not take the token of this cluster");
            let code = read::<32>(stream).map_err(|_| wrong())?;
            let is_right = self.code("listens", (&a, &c), role).finalize_verify(&code);
            if is_right { Ok(()) } else { Err(wrong()) }
        })
    }
}

/// Does an exchange within [`PATIENCE`] per message.
fn patient<T>(
    stream: &mut TcpStream,
    exchange: impl FnOnce(&mut TcpStream) -> io::Result<T>,
) -> io::Result<T> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let done = exchange(stream)?;
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    Ok(done)
}

fn read<const N: usize>(stream: &mut TcpStream) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    fn exchange(ours: Token, theirs: Token) -> (io::Result<Role>, io::Result<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let address = listener.local_addr().expect("bound");
        let connector = thread::spawn(move || {
            let mut stream = TcpStream::connect(address).expect("loopback");
            theirs.connect(&mut stream, Role::Worker(7))
        });
        let (mut stream, _) = listener.accept().expect("a connection");
        let accepted = ours.accept(&mut stream);
        drop(stream);
        (accepted, connector.join().expect("no panic"))
    }

    #[test]
    fn both_ends_need_the_same_token() {
        let token = Token::random().expect("random bytes");
        let (accepted, connected) = exchange(token.clone(), token.clone());
        assert_eq!(accepted.expect("the same token"), Role::Worker(7));
        connected.expect("the same token");
        let (accepted, connected) = exchange(token, Token::random().expect("random bytes"));
        let refused = accepted.expect_err("another token").to_string();
        assert_eq!(refused, "its token is not that of this cluster");
        let refused = connected.expect_err("another token").to_string();
        assert_eq!(refused, "it does not take the token of this cluster");
    }

    /// A process that listens in the place of a worker learns nothing and is not believed.
    #[test]
    fn a_listener_that_says_anything_is_not_believed() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let address = listener.local_addr().expect("bound");
        let connector = thread::spawn(move || {
            let mut stream = TcpStream::connect(address).expect("loopback");
            let token = Token::random().expect("random bytes");
            let done = token.connect(&mut stream, Role::Command);
            (done, token)
        });
        let (mut stream, _) = listener.accept().expect("a connection");
        let version = env!("CARGO_PKG_VERSION").as_bytes();
        let hello = [&MAGIC[..], &[version.len() as u8], version, &[1; 32]].concat();
        stream.write_all(&hello).expect("sent");
        let (mut heard, _) = (vec![0; 69], stream.read_exact(&mut [0; 0]));
        stream.read_exact(&mut heard).expect("the connector's side");
        // The same bytes again are no proof.
        stream.write_all(&heard[37..]).expect("sent");
        let (done, token) = connector.join().expect("no panic");
        assert!(done.is_err());
        let token = token.text().into_bytes();
        assert!(!heard.windows(8).any(|bytes| token.windows(8).any(|t| t == bytes)));
    }

    #[test]
    fn short_tokens_are_refused() {
        assert!(Token::of("short\n").is_err());
        assert_eq!(
            Token::of(" 0123456789abcdef\n").expect("long enough").text(),
            "0123456789abcdef"
        );
    }
}
