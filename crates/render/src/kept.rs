//! Deals kept for the end of a run, thirteen bytes each, elsewhere when there are very many.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};

use cards::Deal;
use formats::zrd;

/// Bytes of a kept deal.
const PACKED: usize = 13;
/// More than this goes elsewhere: five million deals.
const IN_MEMORY: usize = 64 << 20;

/// A place for what does not fit the memory, such as a temporary file.
pub trait Spill: Read + Write + Seek + Send {}
impl<T: Read + Write + Seek + Send> Spill for T {}

/// Deals in the order in which they were kept.
pub struct KeptDeals {
    recent: Vec<u8>,
    spilled: Option<Box<dyn Spill>>,
    open: fn() -> io::Result<Box<dyn Spill>>,
}

impl fmt::Debug for KeptDeals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeptDeals({} bytes in memory)", self.recent.len())
    }
}

impl Default for KeptDeals {
    /// Everything stays in memory.
    fn default() -> Self {
        KeptDeals::spilling_to(|| Err(io::ErrorKind::OutOfMemory.into()))
    }
}

impl KeptDeals {
    /// Asks for a place once the deals no longer fit the memory.
    #[must_use]
    pub fn spilling_to(open: fn() -> io::Result<Box<dyn Spill>>) -> KeptDeals {
        KeptDeals {
            recent: Vec::new(),
            spilled: None,
            open,
        }
    }

    /// Appends a deal as [`KeptDeals::keep`] takes it.
    pub(crate) fn pack(out: &mut Vec<u8>, deal: &Deal) {
        out.extend_from_slice(&zrd::pack(deal));
    }

    /// Keeps more deals, packed.
    ///
    /// # Errors
    /// If there is no place for them.
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

    /// Calls `each` with up to `size` deals at a time, in order.
    ///
    /// # Errors
    /// If the spilled deals cannot be read, or those of `each`.
    pub fn in_rows(
        &mut self,
        size: usize,
        mut each: impl FnMut(&[Deal]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut row = Vec::with_capacity(size);
        if let Some(file) = &mut self.spilled {
            file.seek(SeekFrom::Start(0))?;
            let mut packed = [0; PACKED];
            let mut input = io::BufReader::with_capacity(1 << 16, file);
            while input.read_exact(&mut packed).is_ok() {
                row.extend(zrd::unpack(&packed));
                if row.len() == size {
                    each(&row)?;
                    row.clear();
                }
            }
        }
        for packed in self.recent.as_chunks::<PACKED>().0 {
            row.extend(zrd::unpack(packed));
            if row.len() == size {
                each(&row)?;
                row.clear();
            }
        }
        if row.is_empty() { Ok(()) } else { each(&row) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deals_come_back_in_rows_and_in_order() {
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
        // As if the memory had been full after the first three.
        let mut spilled = (kept.open)().unwrap();
        spilled.write_all(&kept.recent[..3 * PACKED]).unwrap();
        kept.spilled = Some(spilled);
        kept.recent.drain(..3 * PACKED);
        let mut rows = Vec::new();
        kept.in_rows(3, |row| {
            rows.push(row.to_vec());
            Ok(())
        })
        .unwrap();
        assert_eq!(rows, [&deals[..3], &deals[3..]]);
    }
}
