//! Programs that are ended by tests: how far they have come is asked of the system, not guessed from the clock, since a
//! busy machine may take seconds for what a quiet one does in a moment.

// Two packages use it, each a part.
#![allow(dead_code)]

use std::fs;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// Far longer than anything here takes on any machine: a test that gets there hangs.
pub const FOR_EVER: Duration = Duration::from_secs(600);

/// How often the system is asked.
const GLANCE: Duration = Duration::from_millis(5);

/// A command that hears Ctrl-C and its like even if the tests themselves were started without, as in the background of a
/// script or by nohup.
pub fn hearing(program: &str) -> Command {
    if cfg!(target_os = "linux") {
        let mut command = Command::new("env");
        command.args(["--default-signal=INT,TERM,HUP", program]);
        command
    } else {
        Command::new(program)
    }
}

/// Sends a signal, `-TERM` for example.
pub fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(sent.success(), "{signal}");
}

/// Waits until something is so, or the program has ended. Says which.
pub fn until(child: &mut Child, mut so: impl FnMut(&Child) -> bool) -> bool {
    let began = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if so(child) {
            return true;
        }
        assert!(began.elapsed() < FOR_EVER, "nothing happens");
        thread::sleep(GLANCE);
    }
    false
}

/// Waits until the program listens to the signal that asks for an end, or has ended. Says which.
pub fn until_it_listens(child: &mut Child) -> bool {
    const SIGTERM: u32 = 15;
    until(child, |child| {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        // Elsewhere than on Linux there is nothing to ask: as long as it takes on a quiet machine.
        let Ok(status) = status else {
            thread::sleep(Duration::from_secs(2));
            return true;
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        caught.is_some_and(|mask| mask >> (SIGTERM - 1) & 1 == 1)
    })
}

/// Waits until the program has worked for so long, by the processor's time, or has ended. Says which.
pub fn until_it_worked(child: &mut Child, time: Duration) -> bool {
    /// What the system counts in, on every Linux.
    const TICKS: f64 = 100.0;
    let began = Instant::now();
    until(child, |child| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id()));
        let Ok(stat) = stat else {
            return began.elapsed() >= time;
        };
        // Behind the name, which may hold anything: the 14th and 15th field of the line.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let ticks = fields.split_whitespace().skip(11).take(2);
        let ticks: f64 = ticks.filter_map(|field| field.parse::<f64>().ok()).sum();
        ticks / TICKS >= time.as_secs_f64()
    })
}
