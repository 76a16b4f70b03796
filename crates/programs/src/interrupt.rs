//! Ctrl-C: the first one asks for an end with what is complete, the second one enforces it.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status after Ctrl-C: 128 and the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// Makes the first Ctrl-C set this.
pub fn catch(cancel: &Arc<AtomicBool>) {
    use signal_hook::consts::SIGINT;
    // Without a handler Ctrl-C still ends the program, only less politely.
    let _ = signal_hook::flag::register_conditional_shutdown(
        SIGINT,
        i32::from(INTERRUPTED),
        Arc::clone(cancel),
    );
    let _ = signal_hook::flag::register(SIGINT, Arc::clone(cancel));
}

/// Whether the user has had enough.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Watches from now on.
    #[must_use]
    pub fn watch() -> Interrupt {
        let interrupt = Interrupt::default();
        catch(&interrupt.0);
        interrupt
    }

    /// What becomes true, for those who look themselves.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether Ctrl-C has been pressed.
    #[must_use]
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// How a program ends that has written what was complete.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        match self.came() {
            true => ExitCode::from(INTERRUPTED),
            false => ExitCode::SUCCESS,
        }
    }
}
