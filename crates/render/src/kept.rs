//! Deals kept for the end of a run, thirteen bytes each, spilled to a file if there are very many.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use cards::Deal;
use formats::zrd;

/// Bytes of a kept deal.
const PACKED: usize = 13;
/// Maximum bytes in memory before deals are spilled: five million deals.
const IN_MEMORY: usize = 64 << 20;

/// Storage for deals that do not fit in memory, such as a temporary file.
pub trait Spill: Read + Write + Seek + Send {}
impl<T: Read + Write + Seek + Send> Spill for T {}

/// Deals in the order in which they were kept.
pub struct KeptDeals {
    recent: Vec<u8>,
    spilled: Option<Box<dyn Spill>>,
    open: fn() -> io::Result<Box<dyn Spill>>,
    threads: usize,
}

impl fmt::Debug for KeptDeals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeptDeals({} bytes in memory)", self.recent.len())
    }
}

impl Default for KeptDeals {
    /// Keeps all deals in memory.
    fn default() -> Self {
        KeptDeals::spilling_to(|| Err(io::ErrorKind::OutOfMemory.into()))
    }
}

impl KeptDeals {
    /// Sets the function that opens storage once the deals no longer fit in memory.
    #[must_use]
    pub fn spilling_to(open: fn() -> io::Result<Box<dyn Spill>>) -> KeptDeals {
        KeptDeals {
            recent: Vec::new(),
            spilled: None,
            open,
            threads: 1,
        }
    }

    /// Sets the number of threads that format deals; 0 means one for each core. Never changes the text.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> KeptDeals {
        KeptDeals { threads, ..self }
    }

    /// Appends a deal in the packed form of [`KeptDeals::keep`].
    pub(crate) fn pack(out: &mut Vec<u8>, deal: &Deal) {
        out.extend_from_slice(&zrd::pack(deal));
    }

    /// Keeps more deals, packed.
    ///
    /// # Errors
    /// If they cannot be stored.
    pub(crate) fn keep(&mut self, packed: &[u8]) -> io::Result<()> {
        self.recent.extend_from_slice(packed);
        if self.recent.len() >= IN_MEMORY {
            let file = match &mut self.spilled {
                Some(file) => file,
                None => self.spilled.insert((self.open)()?),
            };
            file.write_all(&self.recent)?;
            self.recent.clear();
        }
        Ok(())
    }

    /// Formats the deals, up to `size` at a time and on several threads, and passes the texts to `out` in order.
    /// `write` gets the number of its first deal, from 0.
    ///
    /// # Errors
    /// If the spilled deals cannot be read, or `out` fails.
    pub fn in_pieces(
        &mut self,
        size: usize,
        write: impl Fn(u64, &[Deal]) -> Vec<u8> + Sync,
        mut out: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut file = match &mut self.spilled {
            Some(file) => {
                file.seek(SeekFrom::Start(0))?;
                Some(io::BufReader::with_capacity(1 << 16, file))
            }
            None => None,
        };
        let mut recent = self.recent.as_slice();
        let mut next = 0;
        let pieces = std::iter::from_fn(|| {
            let mut packed = Vec::new();
            while packed.len() < size * PACKED {
                let missing = (size * PACKED - packed.len()) as u64;
                let read = match &mut file {
                    Some(file) => file.take(missing).read_to_end(&mut packed),
                    None => recent.by_ref().take(missing).read_to_end(&mut packed),
                };
                match read {
                    Err(error) => return Some(Err(error)),
                    Ok(0) if file.is_some() => file = None,
                    Ok(0) => break,
                    Ok(_) => {}
                }
            }
            let first = next;
            next += (packed.len() / PACKED) as u64;
            (!packed.is_empty()).then_some(Ok((first, packed)))
        });
        let texts = |(): &mut (), piece: io::Result<(u64, Vec<u8>)>| {
            let (first, packed) = piece?;
            let deals = packed
                .as_chunks::<PACKED>()
                .0
                .iter()
                .filter_map(zrd::unpack);
            Ok(write(first, &deals.collect::<Vec<Deal>>()))
        };
        let pass_on = |text: io::Result<Vec<u8>>| match text.and_then(|text| out(&text)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        };
        match engine::parallel::ordered_map(self.threads, pieces, || (), texts, pass_on) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(deals: &[Deal]) -> Vec<u8> {
        let lines = deals
            .iter()
            .enumerate()
            .map(|(n, deal)| format!("{n} {deal}\n"));
        lines.collect::<String>().into_bytes()
    }

    #[test]
    fn deals_come_back_in_pieces_and_in_order() {
        let deals: Vec<Deal> = (0..4)
            .map(|steps| {
                let deal: Deal =
                    "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
                        .parse()
                        .unwrap();
                deal.rotated(steps)
            })
            .collect();
        let mut kept = KeptDeals::spilling_to(|| Ok(Box::new(io::Cursor::new(Vec::new()))));
        for deal in &deals {
            let mut packed = Vec::new();
            KeptDeals::pack(&mut packed, deal);
            kept.keep(&packed).unwrap();
        }
        // Simulates a memory limit of three deals.
        let mut spilled = (kept.open)().unwrap();
        spilled.write_all(&kept.recent[..3 * PACKED]).unwrap();
        kept.spilled = Some(spilled);
        kept.recent.drain(..3 * PACKED);
        for threads in [1, 3] {
            kept = kept.on_threads(threads);
            for size in [1, 2, 3, 5] {
                let mut text = Vec::new();
                let lines = |first: u64, deals: &[Deal]| {
                    assert!(deals.len() <= size);
                    let lines = (first..)
                        .zip(deals)
                        .map(|(n, deal)| format!("{n} {deal}\n"));
                    lines.collect::<String>().into_bytes()
                };
                let out = |lines: &[u8]| text.write_all(lines);
                kept.in_pieces(size, lines, out).unwrap();
                assert_eq!(
                    text,
                    lines_of(&deals),
                    "{size} at a time on {threads} threads"
                );
            }
        }
        let full = |_: &[u8]| Err(io::ErrorKind::StorageFull.into());
        let failed = kept.in_pieces(2, |_, _| vec![0], full).unwrap_err();
        assert_eq!(failed.kind(), io::ErrorKind::StorageFull);
    }
}
