//! Control of programs that tests interrupt. Their progress is read from the system and not derived from the clock,
//! since a busy machine may take seconds for the work of a moment.

// Not every test file uses all functions.
#![allow(dead_code)]

use std::fs;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// Time after which a test counts as hanging.
pub const HANG_TIMEOUT: Duration = Duration::from_secs(600);

/// Interval at which the state of the program is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Returns a command that reacts to Ctrl-C and similar signals, even if the tests were started with these signals
/// ignored, as in the background of a script or by nohup.
pub fn command_with_signals(program: &str) -> Command {
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

/// Waits until a condition holds or the program has ended. Returns whether the condition holds.
pub fn until(child: &mut Child, mut so: impl FnMut(&Child) -> bool) -> bool {
    let began = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if so(child) {
            return true;
        }
        assert!(began.elapsed() < HANG_TIMEOUT, "nothing happens");
        thread::sleep(POLL_INTERVAL);
    }
    false
}

/// Waits until the program handles the signal that requests an end, or has ended. Returns whether it still runs.
pub fn wait_for_signal_handler(child: &mut Child) -> bool {
    const SIGTERM: u32 = 15;
    until(child, |child| {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        // Only Linux reports the handled signals; on other systems wait as long as a quiet machine needs.
        let Ok(status) = status else {
            thread::sleep(Duration::from_secs(2));
            return true;
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        caught.is_some_and(|mask| mask >> (SIGTERM - 1) & 1 == 1)
    })
}

/// Waits until the program has used this much CPU time or has ended. Returns whether it still runs.
pub fn wait_for_cpu_time(child: &mut Child, time: Duration) -> bool {
    /// Unit of CPU time on every Linux.
    const TICKS: f64 = 100.0;
    let began = Instant::now();
    until(child, |child| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id()));
        let Ok(stat) = stat else {
            return began.elapsed() >= time;
        };
        // Fields 14 and 15, counted after the name, which may contain any character.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let ticks = fields.split_whitespace().skip(11).take(2);
        let ticks: f64 = ticks.filter_map(|field| field.parse::<f64>().ok()).sum();
        ticks / TICKS >= time.as_secs_f64()
    })
}
