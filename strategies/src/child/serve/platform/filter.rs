//! A filter of system calls that stops a subject, and all processes that it starts, from sending signals to the tool.
//!
//! It checks the calls that take a process id (`kill`, `ptrace`, `pidfd_open` ..), and fails with EPERM for the ids of
//! the tool, the guard, the fork server, their groups, and "everybody". All other calls and ids pass. It protects against accidents
//! only: a malicious subject runs as the same user and has other means.

use std::ffi::c_void;

/// One instruction of the kernel's filter machine (classic BPF).
#[repr(C)]
#[derive(Clone, Copy)]
struct Instruction {
    code: u16,
    if_true: u8,
    if_false: u8,
    operand: u32,
}

#[repr(C)]
struct Program {
    len: u16,
    instructions: *const Instruction,
}

unsafe extern "C" {
    fn syscall(number: i64, ...) -> i64;
    fn prctl(option: i32, ...) -> i32;
    fn getpgid(pid: i32) -> i32;
}

/// `AUDIT_ARCH_X86_64`
#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
/// `AUDIT_ARCH_AARCH64`
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;

/// The calls that take a process id, and the index of that argument: kill, tkill, tgkill, rt_sigqueueinfo,
/// rt_tgsigqueueinfo, pidfd_open, prlimit64, process_vm_writev, ptrace.
#[cfg(target_arch = "x86_64")]
const CALLS: [(u32, u32); 9] =
    [(62, 0), (200, 0), (234, 0), (129, 0), (297, 0), (434, 0), (302, 0), (311, 0), (101, 1)];
#[cfg(target_arch = "aarch64")]
const CALLS: [(u32, u32); 9] =
    [(129, 0), (130, 0), (131, 0), (138, 0), (240, 0), (434, 0), (261, 0), (271, 0), (117, 1)];

/// The call that installs a filter.
const SECCOMP: i64 = if cfg!(target_arch = "x86_64") { 317 } else { 277 };

/// Load a word of what the filter is shown: the number of the call at 0, the architecture at 4, arguments from 16.
const LOAD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;
const ALLOW: u32 = 0x7FFF_0000;
/// The call fails with EPERM.
const DENY: u32 = 0x0005_0001;

/// Installs the filter, for the tool and others that lead groups. Where the kernel has no filters, or forbids them,
/// there is none.
pub(crate) fn protect(tool: u32, leaders: &[u32]) {
    // SAFETY: asks about a process, by number.
    let group = unsafe { getpgid(tool as i32) };
    let mut protected = vec![-1, tool as i32];
    protected.extend(leaders.iter().flat_map(|&leader| [leader as i32, -(leader as i32)]));
    if group > 1 {
        protected.push(-group);
    }
    let instructions = instructions(&protected);
    let program = Program { len: instructions.len() as u16, instructions: instructions.as_ptr() };
    if !install(&program) {
        const SET_NO_NEW_PRIVILEGES: i32 = 38;
        // Who isn't root may install filters only where no program gains privileges by being executed.
        // SAFETY: this option takes four numbers.
        unsafe { prctl(SET_NO_NEW_PRIVILEGES, 1_u64, 0_u64, 0_u64, 0_u64) };
        install(&program);
    }
}

fn install(program: &Program) -> bool {
    const SET_FILTER: u64 = 1;
    /// Without it some kernels slow down all code of a process that has a filter.
    const ALLOW_SPECULATION: u64 = 4;
    // SAFETY: the program and its instructions live through the call, which copies them.
    let result = unsafe {
        syscall(SECCOMP, SET_FILTER, ALLOW_SPECULATION, (program as *const Program).cast::<c_void>())
    };
    result == 0
}

/// The filter that protects processes of those numbers; negative numbers are groups, and -1 is everybody.
fn instructions(protected: &[i32]) -> Vec<Instruction> {
    let load = |at| Instruction { code: LOAD, if_true: 0, if_false: 0, operand: at };
    let give = |answer| Instruction { code: RETURN, if_true: 0, if_false: 0, operand: answer };
    let skip_unless = |operand, n| Instruction { code: JUMP_IF_EQUAL, if_true: 0, if_false: n, operand };
    let mut out = vec![load(4), skip_unless(ARCHITECTURE, 1), load(0)];
    // Programs of another architecture have other numbers; for them the word loaded is no call's.
    for (call, argument) in CALLS {
        let len = 2 + 2 * protected.len() as u8;
        out.extend([skip_unless(call, len), load(16 + 8 * argument)]);
        for &number in protected {
            out.extend([skip_unless(number as u32, 1), give(DENY)]);
        }
        out.push(give(ALLOW));
    }
    out.push(give(ALLOW));
    out
}
