//! Deals kept for the end of the run, thirteen bytes each, on disk when there are very many.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use cards::Deal;
use formats::zrd;

/// Bytes of a kept deal.
const PACKED: usize = 13;
/// More than this goes to a temporary file: five million deals.
const IN_MEMORY: usize = 64 << 20;

/// Deals in the order in which they were kept.
#[derive(Default)]
pub struct KeptDeals {
    recent: Vec<u8>,
    spilled: Option<File>,
}

impl KeptDeals {
    /// Keeps another deal.
    ///
    /// # Errors
    /// If the temporary file cannot be written.
    pub fn push(&mut self, deal: &Deal) -> io::Result<()> {
        self.recent.extend_from_slice(&zrd::pack(deal));
        if self.recent.len() >= IN_MEMORY {
            let file = match &mut self.spilled {
                Some(file) => file,
                None => self.spilled.insert(tempfile::tempfile()?),
            };
            file.write_all(&self.recent)?;
            self.recent.clear();
        }
        Ok(())
    }

    /// Calls `each` with up to `size` deals at a time, in order.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn in_rows(
        &mut self,
        size: usize,
        mut each: impl FnMut(&[Deal]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut row = Vec::with_capacity(size);
        if let Some(file) = &mut self.spilled {
            file.seek(SeekFrom::Start(0))?;
            let mut packed = [0; PACKED];
            let mut input = io::BufReader::with_capacity(1 << 16, &*file);
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
