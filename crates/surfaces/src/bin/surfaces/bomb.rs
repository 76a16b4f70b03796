//! Runs scripts with huge demands in the program `dealer`, within its limits.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time limits in seconds, one of them for each script. Most are short, because then many scripts can be tried;
/// whether a
/// limit works does not depend on its length.
const TIMES: [f64; 8] = [0.02, 0.02, 0.02, 0.02, 0.05, 0.05, 0.1, 0.5];
/// Megabytes that the program may take.
const MEMORY: u64 = 256;
/// Allowance beyond the limits: seconds of CPU time, and megabytes.
const GRACE: f64 = 0.5;
const EXCESS: u64 = 64;
/// Wall-clock time after which a program counts as hanging, even on a busy machine.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// CPU time and memory that a program has used.
#[derive(Clone, Copy, Default)]
struct Used {
    /// CPU time in seconds.
    work: f64,
    /// Seconds of processor time beyond the limit.
    late: f64,
    /// Peak memory in megabytes.
    memory: u64,
}

/// Runs scripts in the program for `seconds` seconds.
pub fn against(dealer: &str, seconds: &str, seed: &str) -> Result<(), String> {
    let wrong = |text: &str| format!("{text:?} is not a number");
    let time = Duration::from_secs(seconds.parse().map_err(|_| wrong(seconds))?);
    let mut state: u64 = seed.parse().map_err(|_| wrong(seed))?;
    let script = std::env::temp_dir().join(format!("bomb-{}.dl", std::process::id()));
    let start = Instant::now();
    let (mut count, mut most) = (0, Used::default());
    while start.elapsed() < time {
        let recipe: Vec<u8> = (0..24).map(|_| (next(&mut state) >> 40) as u8).collect();
        fs::write(&script, croupier_surfaces::bomb(&recipe)).map_err(|error| error.to_string())?;
        let dialect = ["native", "v1", "v2"][(next(&mut state) >> 40) as usize % 3];
        let limit = TIMES[(next(&mut state) >> 40) as usize % TIMES.len()];
        let used =
            run(dealer, dialect, limit, &script.display().to_string()).map_err(|message| {
                format!(
                    "--compat {dialect} --time {limit} {}: {message}",
                    script.display()
                )
            })?;
        count += 1;
        most.late = most.late.max(used.work - limit);
        most.work = most.work.max(used.work);
        most.memory = most.memory.max(used.memory);
    }
    let _ = fs::remove_file(script);
    println!(
        "{count} scripts; at most {:.2} s of work, {:.2} s beyond the limit, and {} MB",
        most.work, most.late, most.memory
    );
    Ok(())
}

/// Returns the next pseudorandom number (SplitMix64).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Runs the program on the script. Returns the resources that it used, or the limit that it exceeded.
fn run(dealer: &str, dialect: &str, limit: f64, script: &str) -> Result<Used, String> {
    let mut command = Command::new(dealer);
    if dialect != "native" {
        command.args(["--compat", dialect]);
    }
    command.args(["-s", "1", "--time", &limit.to_string()]);
    command.args(["--memory", &MEMORY.to_string(), script]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let start = Instant::now();
    let mut used = Used::default();
    loop {
        let now = so_far(child.id());
        used.work = used.work.max(now.work);
        used.memory = used.memory.max(now.memory);
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return match status.code() {
                // 101 is the status of a panic; the classic programs have further ones for scripts with errors.
                Some(code) if code != 101 => Ok(used),
                _ => Err(status.to_string()),
            };
        }
        let broken = if used.work > limit + GRACE {
            format!("{:.2} s of work", used.work)
        } else if used.memory > MEMORY + EXCESS {
            format!("{} MB", used.memory)
        } else if start.elapsed() > ANSWER_TIMEOUT {
            "it hangs".to_owned()
        } else {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        let _ = child.kill();
        let _ = child.wait();
        return Err(broken);
    }
}

/// Returns the CPU time and memory of a process so far, where the system reports them.
fn so_far(process: u32) -> Used {
    let read = |name: &str| fs::read_to_string(format!("/proc/{process}/{name}"));
    let stat = read("stat").unwrap_or_default();
    // The name of the program may have blanks; the 12th and 13th entries after it are hundredths of a second.
    let behind = stat.rsplit(')').next().unwrap_or_default();
    let times = behind.split_whitespace().skip(11).take(2);
    let status = read("status").unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let most = most.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    Used {
        work: times.filter_map(|it| it.parse::<f64>().ok()).sum::<f64>() / 100.0,
        late: 0.0,
        memory: most.unwrap_or(0) / 1024,
    }
}
