//! The mode of floating-point arithmetic: rounding, and the treatment of subnormal numbers.
//!
//! A subject may change it and return. Its outcome must not be judged in that mode.

/// The control word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloatMode(u64);

impl FloatMode {
    /// The current mode.
    pub(crate) fn current() -> FloatMode {
        #[cfg(target_arch = "x86_64")]
        {
            /// The bits of exceptions raised so far, which are not part of the mode.
            const MET: u32 = 0x3F;
            let mut word = 0_u32;
            // SAFETY: writes the word it is given, and nothing else.
            unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut word, options(nostack, preserves_flags)) };
            FloatMode(u64::from(word & !MET))
        }
        #[cfg(target_arch = "aarch64")]
        {
            let word: u64;
            // SAFETY: reads a register.
            unsafe {
                std::arch::asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags))
            };
            FloatMode(word)
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        FloatMode(0)
    }

    /// Sets this mode, if it isn't the current one.
    pub(crate) fn restore(self) {
        if FloatMode::current() == self {
            return;
        }
        #[cfg(target_arch = "x86_64")]
        {
            let word = self.0 as u32;
            // SAFETY: the mode is the one that the process began with.
            unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &word, options(nostack, preserves_flags)) };
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: the mode is the one that the process began with.
        unsafe {
            std::arch::asm!("msr fpcr, {}", in(reg) self.0, options(nomem, nostack, preserves_flags));
        }
    }
}
