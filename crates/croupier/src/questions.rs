//! Functions that answer one question: the probability of a condition, the solution of a deal, the boards of a file.

#[cfg(feature = "scripts")]
use session::{DefaultSettings, Error, Job};

/// Deals on which [`probability`] tries a condition that cannot be counted.
#[cfg(feature = "scripts")]
pub const PROBABILITY_SAMPLES: u64 = 1_000_000;

/// Returns how often a condition holds: counted exactly where that is possible, else estimated on
/// [`PROBABILITY_SAMPLES`] deals, whose seed is 1 unless the job has another.
///
/// The condition is an [`Expression`](crate::Expression), a script, or a [`Job`] with predealt cards or a time limit.
///
/// ```
/// use croupier::{Job, Seat, north, probability};
///
/// let balanced = probability(north().hcp().between(15, 17) & north().balanced())?;
/// assert!(balanced.is_exact());
/// assert_eq!(balanced.bound.decimal(4, 2), "4.866");
///
/// let text = probability("spades(north) == 7")?;
/// assert_eq!(text.bound.hits() * 1_334_062_100, text.bound.out_of() * 11_761_893);
///
/// let with_ace = Job::new(north().aces().at_least(2)).predeal(Seat::North, "SA");
/// assert!(probability(with_ace)?.probability() > 0.5);
/// # Ok::<(), croupier::Error>(())
/// ```
///
/// # Errors
/// If the script has errors, no deal has the predealt cards, or an expression fails on a deal.
#[cfg(feature = "scripts")]
pub fn probability(condition: impl Into<Job>) -> Result<engine::Probability, Error> {
    let job: Job = condition.into();
    let usual = DefaultSettings {
        seed: job.spec().defaults.seed.or(Some(1)),
        ..job.spec().defaults
    };
    job.defaults(usual)
        .prepare()?
        .probability(PROBABILITY_SAMPLES)
}

/// Returns the double-dummy tricks of all declarers in all strains, solved on this thread.
///
/// For many deals keep a [`Solver`](crate::Solver) for each thread, or use a [`Team`](crate::Team) for each deal.
///
/// ```
/// use croupier::{Deal, Seat, Strain, solve};
///
/// let deal: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432".parse()?;
/// assert_eq!(solve(&deal).tricks(Seat::South, Strain::Notrump), 13);
/// # Ok::<(), croupier::NotationError>(())
/// ```
#[cfg(feature = "solver")]
#[must_use]
pub fn solve(deal: &cards::Deal) -> cards::TrickTable {
    solver::Solver::new().table(deal)
}

/// Reads all boards of a file of deals, whose format is detected.
///
/// For large files use [`Reader`](crate::Reader), which continues after a bad board.
///
/// ```
/// use croupier::{Seat, read_boards};
///
/// let pbn = "[Board \"7\"]\n[Deal \"N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7\"]\n";
/// let boards = read_boards(pbn.as_bytes())?;
/// assert_eq!((boards.len(), boards[0].number), (1, Some(7)));
/// assert_eq!(boards[0].deal().unwrap()[Seat::South].len(), 13);
/// assert!(read_boards(&b"[Deal \"N:AKJ\"]"[..]).is_err());
/// # Ok::<(), croupier::ReadBoardsError>(())
/// ```
///
/// # Errors
/// If the input cannot be read, or a board has an error.
#[cfg(feature = "formats")]
pub fn read_boards(input: impl std::io::Read) -> Result<Vec<formats::Board>, ReadBoardsError> {
    let reader = formats::Reader::new(input).map_err(ReadBoardsError::Input)?;
    reader
        .collect::<Result<_, _>>()
        .map_err(ReadBoardsError::Board)
}

/// An error of [`read_boards`].
#[cfg(feature = "formats")]
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadBoardsError {
    /// The input cannot be read.
    Input(std::io::Error),
    /// A board has an error.
    Board(formats::BoardReadError),
}

#[cfg(feature = "formats")]
impl std::fmt::Display for ReadBoardsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadBoardsError::Input(error) => error.fmt(f),
            ReadBoardsError::Board(problem) => problem.fmt(f),
        }
    }
}

#[cfg(feature = "formats")]
impl std::error::Error for ReadBoardsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadBoardsError::Input(error) => Some(error),
            ReadBoardsError::Board(problem) => Some(problem),
        }
    }
}
