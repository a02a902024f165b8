//! Names of files as addresses.

/// The address of a file: relative where its name is, else with the scheme `file`.
pub(super) fn of(name: &str) -> String {
    let name = name.strip_prefix("./").unwrap_or(name);
    let scheme = if name.starts_with('/') { "file://" } else { "" };
    let mut address = String::from(scheme);
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                address.push(char::from(byte));
            }
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_addresses() {
        assert_eq!(of("a/b_c-1.taut"), "a/b_c-1.taut");
        assert_eq!(of("./a.taut"), "a.taut");
        assert_eq!(of("/tmp/a b.taut"), "file:///tmp/a%20b.taut");
        assert_eq!(of("ä:\n%#?.taut"), "%C3%A4%3A%0A%25%23%3F.taut");
    }
}
