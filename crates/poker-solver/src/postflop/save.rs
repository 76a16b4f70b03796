//! Saved games: the spot as text, then the storage.
//!
//! The file is a line with the format's name, the length of the text in decimal and a newline, the text (`key = value`
//! lines), the storage in little-endian numbers, and a checksum (64-bit FNV-1a) of everything before it.

use std::fmt;
use std::io::{self, Read, Write};

use cards::CardSet;
use poker::{Game as PokerGame, Range, format_cards, parse_cards};

use super::bets::SizeTable;
use super::solver::{PostflopSolver, SolverOptions};
use super::spot::{LockedNode, Spot, SpotError, range_text};
use super::storage::{Storage, StoragePrecision};

const HEADER: &str = "croupier poker solution 1\n";
/// Maximum length of the text of a spot: two ranges and locked decisions, with each hand listed.
const LONGEST_TEXT: usize = 1 << 24;

/// A saved game that cannot be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum GameFileError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file is no saved game, or is damaged. Holds the reason.
    Format(&'static str),
    /// The saved spot cannot be solved with the given options.
    Spot(SpotError),
}

impl fmt::Display for GameFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameFileError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                f.write_str("the saved game ends early; save it again")
            }
            GameFileError::Io(error) => error.fmt(f),
            GameFileError::Format(reason) => f.write_str(reason),
            GameFileError::Spot(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GameFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GameFileError::Io(error) => Some(error),
            GameFileError::Format(_) => None,
            GameFileError::Spot(error) => Some(error),
        }
    }
}

impl From<io::Error> for GameFileError {
    fn from(error: io::Error) -> GameFileError {
        GameFileError::Io(error)
    }
}

impl From<SpotError> for GameFileError {
    fn from(error: SpotError) -> GameFileError {
        GameFileError::Spot(error)
    }
}

/// A running 64-bit FNV-1a checksum.
struct Checksum(u64);

impl Checksum {
    fn new() -> Checksum {
        Checksum(0xCBF2_9CE4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        }
    }
}

struct Summed<T> {
    inner: T,
    checksum: Checksum,
}

impl<W: Write> Summed<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.add(bytes);
        self.inner.write_all(bytes)
    }

    /// Writes numbers of `N` bytes each.
    fn put_all<T: Copy, const N: usize>(
        &mut self,
        numbers: &[T],
        bytes: impl Fn(T) -> [u8; N],
    ) -> io::Result<()> {
        let mut buffer = Vec::with_capacity(N * 4096);
        for part in numbers.chunks(4096) {
            buffer.clear();
            part.iter()
                .for_each(|&number| buffer.extend_from_slice(&bytes(number)));
            self.put(&buffer)?;
        }
        Ok(())
    }
}

impl<R: Read> Summed<R> {
    fn get(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.checksum.add(bytes);
        Ok(())
    }

    fn get_all<T, const N: usize>(
        &mut self,
        numbers: &mut [T],
        number: impl Fn([u8; N]) -> T,
    ) -> io::Result<()> {
        let mut buffer = vec![0; N * 4096];
        for part in numbers.chunks_mut(4096) {
            let bytes = &mut buffer[..N * part.len()];
            self.get(bytes)?;
            for (place, bytes) in part.iter_mut().zip(bytes.as_chunks::<N>().0) {
                *place = number(*bytes);
            }
        }
        Ok(())
    }
}

impl PostflopSolver {
    /// Writes the game with its current state.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, to: impl Write) -> io::Result<()> {
        let mut out = Summed {
            inner: to,
            checksum: Checksum::new(),
        };
        let text = self.text();
        out.put(HEADER.as_bytes())?;
        out.put(format!("{}\n", text.len()).as_bytes())?;
        out.put(text.as_bytes())?;
        match &self.storage {
            Storage::Double { regrets, sums } => {
                out.put_all(regrets, f64::to_le_bytes)?;
                out.put_all(sums, f64::to_le_bytes)?;
            }
            Storage::Single { regrets, sums } => {
                out.put_all(regrets, f32::to_le_bytes)?;
                out.put_all(sums, f32::to_le_bytes)?;
            }
            Storage::Compact {
                regrets,
                sums,
                scales,
            } => {
                out.put_all(regrets, i16::to_le_bytes)?;
                out.put_all(sums, u16::to_le_bytes)?;
                out.put_all(scales.as_flattened(), f32::to_le_bytes)?;
            }
        }
        let checksum = out.checksum.0;
        out.inner.write_all(&checksum.to_le_bytes())?;
        out.inner.flush()
    }

    /// Reads a saved game. The precision of the options is ignored: the game keeps its own.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or needs more memory than the options allow.
    pub fn load(from: impl Read, options: SolverOptions) -> Result<PostflopSolver, GameFileError> {
        let mut input = Summed {
            inner: from,
            checksum: Checksum::new(),
        };
        let mut header = [0; HEADER.len()];
        input.get(&mut header)?;
        if header != *HEADER.as_bytes() {
            return Err(GameFileError::Format(
                "this is no saved game of croupier poker solve",
            ));
        }
        let mut length = 0usize;
        loop {
            let mut byte = [0];
            input.get(&mut byte)?;
            match byte[0] {
                b'\n' => break,
                digit @ b'0'..=b'9' if length <= LONGEST_TEXT => {
                    length = 10 * length + usize::from(digit - b'0')
                }
                _ => {
                    return Err(GameFileError::Format(
                        "the saved game is damaged: its first lines make no sense",
                    ));
                }
            }
        }
        if length > LONGEST_TEXT {
            return Err(GameFileError::Format(
                "the saved game is damaged: its first lines make no sense",
            ));
        }
        let mut text = vec![0; length];
        input.get(&mut text)?;
        let text = String::from_utf8(text)
            .map_err(|_| GameFileError::Format("the saved game is damaged: its spot is no text"))?;
        let (spot, precision, iteration) = read_text(&text)?;
        let mut solver = PostflopSolver::new(
            spot,
            SolverOptions {
                precision: Some(precision),
                ..options
            },
        )?;
        solver.iteration = iteration;
        match &mut solver.storage {
            Storage::Double { regrets, sums } => {
                input.get_all(regrets, f64::from_le_bytes)?;
                input.get_all(sums, f64::from_le_bytes)?;
            }
            Storage::Single { regrets, sums } => {
                input.get_all(regrets, f32::from_le_bytes)?;
                input.get_all(sums, f32::from_le_bytes)?;
            }
            Storage::Compact {
                regrets,
                sums,
                scales,
            } => {
                input.get_all(regrets, i16::from_le_bytes)?;
                input.get_all(sums, u16::from_le_bytes)?;
                input.get_all(scales.as_flattened_mut(), f32::from_le_bytes)?;
            }
        }
        let expected = input.checksum.0;
        let mut checksum = [0; 8];
        input.get(&mut checksum)?;
        if u64::from_le_bytes(checksum) != expected {
            return Err(GameFileError::Format(
                "the saved game is damaged: its checksum is wrong",
            ));
        }
        Ok(solver)
    }

    /// Returns the spot as text.
    fn text(&self) -> String {
        let spot = self.spot();
        let mut text = format!(
            "board = {}\noop = {}\nip = {}\npot = {}\nstack = {}\nthreshold = {}\nraises = {}\n",
            format_cards(spot.board),
            range_text(&spot.ranges[0]),
            range_text(&spot.ranges[1]),
            spot.pot,
            spot.stack,
            spot.all_in_threshold,
            spot.raise_limit,
        );
        spot.bets
            .texts()
            .for_each(|sizes| text += &format!("bet = {sizes}\n"));
        spot.raises
            .texts()
            .for_each(|sizes| text += &format!("raise = {sizes}\n"));
        spot.locks
            .iter()
            .for_each(|lock| text += &format!("lock = {}\n", lock.text()));
        let bits = match self.precision {
            StoragePrecision::Double => 64,
            StoragePrecision::Single => 32,
            StoragePrecision::Compact => 16,
        };
        text + &format!("precision = {bits}\niteration = {}\n", self.iteration)
    }
}

/// Reads the text of a spot: the spot, its precision and the number of iterations.
fn read_text(text: &str) -> Result<(Spot, StoragePrecision, u32), GameFileError> {
    const DAMAGED: GameFileError =
        GameFileError::Format("the saved game is damaged: its spot makes no sense");
    let range = |text: &str| Range::parse(text, PokerGame::Holdem).map_err(|_| DAMAGED);
    let number = |text: &str| text.parse::<f64>().map_err(|_| DAMAGED);
    let nobody = || Range::of_hands("", []);
    let mut spot = Spot::new(CardSet::EMPTY, [nobody(), nobody()], 0.0, 0.0);
    (spot.bets, spot.raises) = (SizeTable::default(), SizeTable::default());
    let (mut precision, mut iteration) = (None, None);
    for line in text.lines() {
        let (key, value) = line.split_once(" = ").ok_or(DAMAGED)?;
        match key {
            "board" => spot.board = parse_cards(value).map_err(|_| DAMAGED)?,
            "oop" => spot.ranges[0] = range(value)?,
            "ip" => spot.ranges[1] = range(value)?,
            "pot" => spot.pot = number(value)?,
            "stack" => spot.stack = number(value)?,
            "threshold" => spot.all_in_threshold = number(value)?,
            "raises" => spot.raise_limit = value.parse().map_err(|_| DAMAGED)?,
            "bet" => spot.bets.set(value, false).map_err(|_| DAMAGED)?,
            "raise" => spot.raises.set(value, true).map_err(|_| DAMAGED)?,
            "lock" => spot
                .locks
                .push(LockedNode::parse(value, &spot.setting()).map_err(|_| DAMAGED)?),
            "precision" => {
                precision = Some(match value {
                    "64" => StoragePrecision::Double,
                    "32" => StoragePrecision::Single,
                    "16" => StoragePrecision::Compact,
                    _ => return Err(DAMAGED),
                });
            }
            "iteration" => iteration = Some(value.parse().map_err(|_| DAMAGED)?),
            _ => return Err(DAMAGED),
        }
    }
    Ok((spot, precision.ok_or(DAMAGED)?, iteration.ok_or(DAMAGED)?))
}
