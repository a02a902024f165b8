//! Register names of both dialects.
//!
//! A part of a register is another name of the whole register: `%eax`, `%ax` and `%al` are all `rax`.
//! The tests of the field use one width throughout, where the two cannot be told apart. The high bytes
//! (`%ah`) are not among the names, because there they could.

use crate::ast::Arch;

/// A general register: its 64-bit name, its 32-bit name in capitals, and its parts.
struct Register {
    wide: &'static str,
    intel: &'static str,
    parts: [&'static str; 3],
}

const fn register(wide: &'static str, intel: &'static str, parts: [&'static str; 3]) -> Register {
    Register { wide, intel, parts }
}

/// How many of [`REGISTERS`] the 32-bit dialect has.
const INTEL: usize = 8;

const REGISTERS: [Register; 16] = [
    register("rax", "EAX", ["eax", "ax", "al"]),
    register("rbx", "EBX", ["ebx", "bx", "bl"]),
    register("rcx", "ECX", ["ecx", "cx", "cl"]),
    register("rdx", "EDX", ["edx", "dx", "dl"]),
    register("rsi", "ESI", ["esi", "si", "sil"]),
    register("rdi", "EDI", ["edi", "di", "dil"]),
    register("rbp", "EBP", ["ebp", "bp", "bpl"]),
    register("rsp", "ESP", ["esp", "sp", "spl"]),
    register("r8", "", ["r8d", "r8w", "r8b"]),
    register("r9", "", ["r9d", "r9w", "r9b"]),
    register("r10", "", ["r10d", "r10w", "r10b"]),
    register("r11", "", ["r11d", "r11w", "r11b"]),
    register("r12", "", ["r12d", "r12w", "r12b"]),
    register("r13", "", ["r13d", "r13w", "r13b"]),
    register("r14", "", ["r14d", "r14w", "r14b"]),
    register("r15", "", ["r15d", "r15w", "r15b"]),
];

/// The name in output of the register that `cmpxchg` compares with.
pub(crate) fn accumulator(arch: Arch) -> &'static str {
    match arch {
        Arch::X86_64 | Arch::C => "rax",
        Arch::X86 => "EAX",
    }
}

/// The name in output of the register that an instruction calls `name`, in any case.
pub(crate) fn in_code(arch: Arch, name: &str) -> Option<&'static str> {
    // Most words that are asked about are locations such as `x` and mnemonics such as `movq`.
    if !(2..=4).contains(&name.len()) {
        return None;
    }
    let part = |r: &&Register| r.parts.iter().any(|p| p.eq_ignore_ascii_case(name));
    match arch {
        Arch::X86_64 | Arch::C => {
            let is = |r: &&Register| r.wide.eq_ignore_ascii_case(name) || part(r);
            REGISTERS.iter().find(is).map(|r| r.wide)
        }
        Arch::X86 => REGISTERS[..INTEL].iter().find(part).map(|r| r.intel),
    }
}

/// The name in output of the register that an initial block or a condition calls `name`: there only
/// the name of the whole register is allowed, and in the 32-bit dialect only in capitals.
pub(crate) fn in_state(arch: Arch, name: &str) -> Option<&'static str> {
    in_code(arch, name).filter(|&shown| match arch {
        Arch::X86_64 | Arch::C => shown.eq_ignore_ascii_case(name),
        Arch::X86 => shown == name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole_register_in_code_and_refused_in_states() {
        assert_eq!(in_code(Arch::X86_64, "eax"), Some("rax"));
        assert_eq!(in_code(Arch::X86_64, "R10D"), Some("r10"));
        assert_eq!(in_code(Arch::X86, "eax"), Some("EAX"));
        assert_eq!(in_code(Arch::X86, "r8d"), None);
        assert_eq!(in_code(Arch::X86, "rax"), None);
        assert_eq!(in_state(Arch::X86_64, "RAX"), Some("rax"));
        assert_eq!(in_state(Arch::X86_64, "eax"), None);
        assert_eq!(in_state(Arch::X86, "eax"), None);
        assert_eq!(in_state(Arch::X86, "EAX"), Some("EAX"));
    }
}
