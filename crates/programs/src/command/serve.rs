//! `croupier serve`: the page, with all cores of this computer behind it.

use std::io::{self, Write};
use std::net::{IpAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;

use croupier::usermetrics::{Limits, UserMetrics};
use serve::Config;

use crate::failure::Failure;
use crate::system;

/// Serve the page: write a script, see the deals, in any browser.
///
/// Everything runs on this computer: scripts with messages as you type, diagrams, charts, exact
/// probabilities, double dummy, scenarios, lead and contract studies, poker. Only this computer can
/// reach it unless --bind says otherwise. Other programs can use it too: /api/openapi.json describes
/// how. With --memory the requests that are being answered end when more memory is in use; the server
/// goes on. Ctrl-C ends it.
#[derive(clap::Args)]
pub struct Args {
    /// The port; 0 takes a free one.
    #[arg(long, value_name = "N", default_value_t = 8270)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// The address to listen at. Any other than this computer's own lets others in: then name the
    /// server with --host.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// A name, with its port, by which browsers may ask for the page, as in cards.example:8270. Can
    /// be given several times.
    #[arg(long = "host", value_name = "NAME:PORT")]
    hosts: Vec<String>,
    /// Threads of one run; 0 means one for each core.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Runs at once; more wait for their turn [default: one for each core].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Seconds after which a run ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    time: f64,
    /// Deals that one run may show.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    deals: u64,
    /// Megabytes of one double-dummy solver.
    #[arg(long, value_name = "MB", default_value_t = 128)]
    solver_memory: u32,
    /// A WebAssembly module that answers usereval in everybody's scripts, bounded in steps and memory. Without it there
    /// are the built-in metrics; programs are never started.
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

/// Serves until the program is ended. When more than `memory` megabytes are in use, the requests that are being
/// answered are ended.
///
/// # Errors
/// If the port is taken.
pub fn run(args: Args, memory: Option<u64>) -> Result<ExitCode, Failure> {
    let usual = Config::default();
    let module = args.module.map(|path| {
        UserMetrics::open_module(path, Limits::default())
            .map_err(|error| Failure::runtime(format!("--module {error}")))
    });
    let config = Config {
        threads: match args.threads {
            0 => usual.threads,
            threads => threads,
        },
        jobs: args.jobs.unwrap_or(usual.jobs).clamp(1, 1024),
        time: Duration::from_secs_f64(args.time.clamp(0.1, 86_400.0)),
        deals: args.deals,
        solver_memory: args.solver_memory,
        memory: memory.map(|megabytes| (megabytes, system::megabytes_in_use as fn() -> f64)),
        hosts: args.hosts.into_iter().collect(),
        metrics: module.transpose()?.map(Arc::new),
        ..usual
    };
    let listener = TcpListener::bind((args.bind, args.port)).map_err(|error| {
        Failure::runtime(format!(
            "cannot listen at {}, port {}: {error}; --port takes another",
            args.bind, args.port
        ))
    })?;
    let address = format!("http://{}/", listener.local_addr()?);
    {
        let mut out = io::stdout().lock();
        writeln!(out, "croupier is at {address} (Ctrl-C ends it)")?;
        out.flush()?;
    }
    if args.open {
        open(&address);
    }
    serve::serve(listener, config)?;
    Ok(ExitCode::SUCCESS)
}

/// Asks the system to show an address. If it cannot, the reader has the address before his eyes.
fn open(address: &str) {
    let programs: &[&[&str]] = match std::env::consts::OS {
        "macos" => &[&["open"]],
        "windows" => &[&["cmd", "/c", "start", ""]],
        _ => &[&["xdg-open"], &["gio", "open"], &["sensible-browser"]],
    };
    for words in programs {
        let [program, first @ ..] = words else {
            continue;
        };
        let started = Command::new(program)
            .args(first)
            .arg(address)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        if started.is_ok() {
            return;
        }
    }
    let _ = writeln!(
        io::stderr(),
        "croupier: no browser could be started; open {address}"
    );
}
