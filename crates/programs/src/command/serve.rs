//! `croupier serve`: serves the web page and computes on this computer's cores.

use std::io::{self, Write};
use std::net::{IpAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;

use croupier::usermetrics::{ProgramLimits, UserMetrics};
use serve::Config;

use crate::failure::Failure;
use crate::system;

/// Open croupier in your browser: write scripts, see deals, charts and studies.
///
/// Everything runs on this computer: scripts with messages as you type, diagrams, charts, exact probabilities, double
/// dummy, scenarios, lead and contract studies, poker. Only this computer can open the page unless you give --bind.
/// Other programs can use the server too: /api/openapi.json describes its interface. If the server needs more memory
/// than --memory, it stops the requests in progress and keeps running. Press Ctrl-C to end it.
#[derive(clap::Args)]
pub struct Args {
    /// Port to listen on; 0 chooses a free one.
    #[arg(long, value_name = "N", default_value_t = 8270)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Address to listen on. Any other than the default lets other computers open the page: then give the name of the
    /// server with --host.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// Name and port under which browsers may open the page, as in cards.example:8270. May be repeated.
    #[arg(long = "host", value_name = "NAME:PORT")]
    hosts: Vec<String>,
    /// Address of a static page of croupier, for links that you share: others cannot open this computer's page.
    #[arg(long, value_name = "ADDRESS")]
    public_page: Option<String>,
    /// Threads for one run; 0 means one for each core.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Number of runs at the same time; others wait [default: one for each core].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Seconds after which a run ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    time: f64,
    /// Maximum number of deals that one run shows.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    deals: u64,
    /// Memory of one double-dummy solver, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 128)]
    solver_memory: u32,
    /// WebAssembly module that answers usereval in all scripts, with limits on steps and memory. Without it only the
    /// built-in metrics are available; the server never starts other programs.
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

/// Serves until the program is ended. When more than `memory` megabytes are in use, it ends the requests in progress.
///
/// # Errors
/// If the port is in use.
pub fn run(args: Args, memory: Option<u64>) -> Result<ExitCode, Failure> {
    let usual = Config::default();
    let module = args.module.map(|path| {
        UserMetrics::open_module(path, ProgramLimits::default())
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
        public_page: args.public_page,
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

/// Opens an address in the system's browser. A failure is ignored: the address is printed as well.
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
