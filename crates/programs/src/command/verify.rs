//! `croupier verify`: checks that boards follow from a key whose commitment was published before play.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::cards::Deal;
use croupier::engine::mixture::MixtureError;
use croupier::formats::Board;
use croupier::session::{FileLoader, Job, Key, Supply};
use croupier::shuffle::tournament;

use crate::failure::{Failure, ShownPath};
use crate::given;
use crate::scripts;

/// Verify the boards of a tournament with their key.
///
/// Prints OK, or names the first board that is wrong. The script that selected the deals comes from the file of boards
/// or from --script. With a script the command also checks that no deal which satisfies it was left out, and, for
/// boards dealt with --level, that each board belongs to the class whose turn it was. Exit status: 0 if all boards are
/// right, 1 if one is wrong, 2 for an error.
#[derive(clap::Args)]
pub struct Args {
    /// File of boards that dealer --tournament wrote.
    boards: PathBuf,
    /// Key file, or the key itself.
    key: PathBuf,
    /// Script that selected the deals; overrides the one in the file of boards.
    #[arg(long, value_name = "SCRIPT")]
    script: Option<PathBuf>,
    /// Commitment that was published before play [default: the one in the boards and the key file].
    #[arg(long, value_name = "HEX")]
    commitment: Option<String>,
}

/// Creates a failure with status 2; status 1 means that a board is wrong.
fn error_failure(message: impl std::fmt::Display) -> Failure {
    Failure::usage(message)
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or has another content.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let verdict = verify_boards(&args)?;
    match verdict {
        Ok(text) => {
            writeln!(io::stdout(), "OK: {text}")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(text) => {
            writeln!(io::stdout(), "WRONG: {text}")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

type Verdict = Result<String, String>;

fn verify_boards(args: &Args) -> Result<Verdict, Failure> {
    let (key, promised) = read_key(&args.key)?;
    let claims = read_boards(&args.boards)?;
    if claims.is_empty() {
        return Err(error_failure(format!(
            "{}: there are no boards",
            args.boards.shown()
        )));
    }
    let commitment = key.commitment();
    let said = claims
        .iter()
        .filter_map(|claim| claim.commitment.as_deref());
    let promises = args
        .commitment
        .as_deref()
        .into_iter()
        .chain(promised.as_deref())
        .chain(said);
    for promise in promises {
        if !promise.trim().eq_ignore_ascii_case(&commitment) {
            return Ok(Err(format!(
                "the key is not the one that was promised: its commitment is {commitment}, not {promise}"
            )));
        }
    }
    let script = selecting_script(args)?;
    let levelled = script.as_ref().is_some_and(|script| script.level.is_some());
    if let Err(text) = check_cards(&key, &claims, levelled) {
        return Ok(Err(text));
    }
    let boards = match claims.len() {
        1 => "the board follows".to_owned(),
        n => format!("all {n} boards follow"),
    };
    let chosen = match script {
        Some(script) => match check_selection(&key, &claims, script)? {
            Err(text) => return Ok(Err(text)),
            Ok(()) if levelled => {
                "the classes come in the order of the key, and no deal of a class was left out"
            }
            Ok(()) => "no deal that satisfies the script was left out",
        },
        None if (0..)
            .zip(&claims)
            .all(|(place, claim)| claim.index == place) =>
        {
            "no deal was left out"
        }
        None => "which deals were left out is not known without the script (--script)",
    };
    Ok(Ok(format!(
        "{boards} from the key with commitment {commitment}; {chosen}"
    )))
}

/// A board with the number, dealer and key data that it claims.
struct ClaimedBoard {
    number: u64,
    deal: Deal,
    index: u64,
    turns: usize,
    commitment: Option<String>,
}

fn read_boards(path: &Path) -> Result<Vec<ClaimedBoard>, Failure> {
    let mut claims: Vec<ClaimedBoard> = Vec::new();
    for board in given::open(path)? {
        let board =
            board.map_err(|problem| error_failure(format!("{}: {problem}", path.shown())))?;
        let place = claims.len() as u64;
        claims.push(
            claim(&board, place)
                .map_err(|text| error_failure(format!("{}: {text}", path.shown())))?,
        );
    }
    Ok(claims)
}

fn claim(board: &Board, place: u64) -> Result<ClaimedBoard, String> {
    let number = board.number.unwrap_or(place + 1);
    let tag = |name: &str| board.extras.as_deref().and_then(|extras| extras.tag(name));
    let figure = |name: &str, default: u64| match tag(name) {
        None => Ok(default),
        Some(text) => text
            .trim()
            .parse()
            .map_err(|_| format!("board {number}: {name} {text:?} is no number")),
    };
    Ok(ClaimedBoard {
        number,
        deal: board
            .deal()
            .ok_or_else(|| format!("board {number} is not a whole deal"))?,
        index: figure("DealNumber", place)?,
        turns: (figure("DealTurned", 0)? % 4) as usize,
        commitment: tag("Commitment").map(str::to_owned),
    })
}

/// Checks that each board is the deal of its number, and that the numbers grow. With levelled classes each class has
/// its own order; then it only checks that no deal occurs twice.
fn check_cards(key: &Key, claims: &[ClaimedBoard], levelled: bool) -> Result<(), String> {
    let mut before: Option<&ClaimedBoard> = None;
    let mut seen = BTreeMap::new();
    for claim in claims {
        let ClaimedBoard { number, index, .. } = claim;
        if tournament::deal(key, *index).rotated(claim.turns) != claim.deal {
            return Err(format!("board {number} is not deal {index} of the key"));
        }
        if let Some(earlier) = seen.insert(*index, *number) {
            return Err(format!(
                "boards {earlier} and {number} are the same deal {index} of the key"
            ));
        }
        let before = before.replace(claim).filter(|_| !levelled);
        if let Some(earlier) = before.filter(|earlier| earlier.index >= *index) {
            return Err(format!(
                "board {number} is deal {index} of the key, but the board before it is deal {}: they must come in order",
                earlier.index
            ));
        }
    }
    Ok(())
}

/// Reads the key from a file or from the argument itself, and the commitment in the file.
fn read_key(given: &Path) -> Result<(Key, Option<String>), Failure> {
    let name = given.shown();
    let text = match std::fs::read_to_string(given) {
        Ok(text) => text,
        Err(error) => {
            let text = given.to_string_lossy().into_owned();
            let digits = text.strip_prefix("key:").unwrap_or(&text);
            if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
                return Err(error_failure(format!("{name}: {error}")));
            }
            format!("key:{digits}")
        }
    };
    let line = |word: &str| {
        let lines = text.lines().map(str::trim);
        lines
            .into_iter()
            .find_map(|line| line.strip_prefix(word))
            .map(str::trim)
    };
    let digits =
        line("key:").ok_or_else(|| error_failure(format!("{name}: no line begins with key:")))?;
    let key = format!("key:{digits}")
        .parse()
        .map_err(|error| error_failure(format!("{name}: {error}")))?;
    Ok((key, line("commitment:").map(str::to_owned)))
}

/// A script that selected deals, with the texts of its parameters.
struct SelectingScript {
    name: String,
    text: Vec<u8>,
    parameters: BTreeMap<usize, String>,
    level: Option<LevelParameters>,
}

/// Parameters of `--level`.
struct LevelParameters {
    boards: u64,
    even: bool,
    shares: String,
}

impl LevelParameters {
    /// Parses `36 shuffled Game=2,Slam=1`.
    fn read(text: &str) -> Option<LevelParameters> {
        let mut words = text.trim().splitn(3, ' ');
        Some(LevelParameters {
            boards: words.next()?.parse().ok()?,
            even: match words.next()? {
                "even" => true,
                "shuffled" => false,
                _ => return None,
            },
            shares: words.next().unwrap_or_default().trim().to_owned(),
        })
    }
}

fn selecting_script(args: &Args) -> Result<Option<SelectingScript>, Failure> {
    let bytes = std::fs::read(&args.boards).unwrap_or_default();
    let mut embedded = SelectingScript {
        name: format!("the script in {}", args.boards.display()),
        text: Vec::new(),
        parameters: BTreeMap::new(),
        level: None,
    };
    for line in bytes.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(more) = line.strip_prefix(b"%script+ ") {
            embedded.text.extend_from_slice(more);
        } else if let Some(text) = line
            .strip_prefix(b"%script ")
            .or_else(|| line.strip_prefix(b"%script"))
        {
            if !embedded.text.is_empty() {
                embedded.text.push(b'\n');
            }
            embedded.text.extend_from_slice(text);
        } else if let Some(level) = line.strip_prefix(b"%level ") {
            let level = String::from_utf8_lossy(level);
            let read = LevelParameters::read(&level).ok_or_else(|| {
                error_failure(format!(
                    "{}: {level:?} does not say how classes were levelled",
                    args.boards.shown()
                ))
            })?;
            embedded.level = Some(read);
        } else if let Some(parameter) = line.strip_prefix(b"%parameter ")
            && let Some((number, text)) = String::from_utf8_lossy(parameter).split_once('=')
            && let Some(number) = number.parse().ok().filter(|&number| number <= 9)
        {
            embedded.parameters.insert(number, text.to_owned());
        }
    }
    if let Some(path) = &args.script {
        let name = path.display().to_string();
        embedded.text =
            std::fs::read(path).map_err(|error| error_failure(format!("{name}: {error}")))?;
        embedded.name = name;
    }
    Ok((!embedded.text.trim_ascii().is_empty()).then_some(embedded))
}

/// Deals again and checks that the script selects these deals.
fn check_selection(
    key: &Key,
    claims: &[ClaimedBoard],
    script: SelectingScript,
) -> Result<Result<(), String>, Failure> {
    let last = claims.iter().map(|claim| claim.index).max().unwrap_or(0);
    let boards = claims.len() as u64;
    let mut job = Job::new(script.text)
        .name(script.name.clone())
        .imports(FileLoader)
        .supply(Supply::Tournament(Some(*key)))
        .generate(last + 1);
    job = match &script.level {
        None => job.as_dealt().produce(boards + 1),
        Some(level) if level.boards != boards => {
            return Ok(Err(format!(
                "there are {boards} of the {} boards whose classes were levelled",
                level.boards
            )));
        }
        Some(level) => job
            .level(level.shares.clone())
            .even(level.even)
            .produce(boards),
    };
    for (number, text) in script.parameters {
        job = job.variable(number, text);
    }
    let failed = |error: croupier::session::Error| match error {
        croupier::session::Error::Script(diagnostics) => {
            scripts::show(&diagnostics);
            Failure::Reported {
                status: crate::failure::USAGE,
            }
        }
        other => error_failure(format!("{}: {other}", script.name)),
    };
    let mut session = job.prepare().map_err(failed)?;
    session.retain_actions(|_| false);
    let mut chosen = Vec::new();
    let mut keep = |deal: &croupier::session::ProducedDeal<'_>| {
        chosen.push(deal.index);
        ControlFlow::Continue(())
    };
    let started = session.start();
    if let (Err(croupier::session::Error::Mixture(rare @ MixtureError::TooRare { .. })), true) =
        (&started, script.level.is_some())
    {
        return Ok(Err(format!("not all boards are of their classes: {rare}")));
    }
    let mut run = started.map_err(failed)?;
    run.finish(&mut keep).map_err(failed)?;
    if let Some(numbers) = run.tournament_numbers() {
        return Ok(check_order(claims, numbers));
    }
    for (place, claim) in claims.iter().enumerate() {
        let ClaimedBoard { number, index, .. } = claim;
        match chosen.get(place) {
            Some(deal) if deal == index => {}
            Some(deal) if deal < index => {
                return Ok(Err(format!(
                    "before board {number}, deal {deal} of the key satisfies the script and was left out"
                )));
            }
            _ => {
                return Ok(Err(format!(
                    "board {number} is deal {index} of the key, which does not satisfy the script"
                )));
            }
        }
    }
    Ok(Ok(()))
}

/// Checks that each board is the deal that the order of the classes requires.
fn check_order(claims: &[ClaimedBoard], numbers: &[u64]) -> Result<(), String> {
    for (claim, number) in claims.iter().zip(numbers) {
        if claim.index != *number {
            return Err(format!(
                "board {} is deal {} of the key, but the next deal of the class whose turn it is is deal {number}",
                claim.number, claim.index
            ));
        }
    }
    Ok(())
}
