//! A resumable part of a run: it can be saved as a checkpoint at any time and continued later.

use std::ops::Range;

use engine::{Ended, Progress, Sink, Tally};

use crate::collect::Keep;
use crate::error::{Error, PartError};
use crate::partial::{Part, Partial};
use crate::run::Run;
use crate::session::Session;

/// The state of a resumable part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartState {
    /// There is more to do.
    More,
    /// The part is complete.
    Whole,
    /// The time limit or the cancel flag stopped it.
    Stopped,
}

/// A part of a run that is dealt in steps. The deals of a step are added completely or not at all, so that
/// [`ResumablePart::partial`] is always a valid checkpoint. At the end it equals the result of [`Session::run_range`].
pub struct ResumablePart<'a> {
    session: &'a Session,
    range: Range<u64>,
    run: Run,
    keep: Keep,
    state: PartState,
    /// Whether an expression failed after the recorded deals.
    failed: bool,
}

impl Session {
    /// Starts a part over the deals with these numbers; see [`Session::run_range`].
    ///
    /// # Errors
    /// If the run cannot be split or the numbers are not in it.
    pub fn start_part(
        &self,
        range: Range<u64>,
        keep_deals: bool,
    ) -> Result<ResumablePart<'_>, Error> {
        self.check_range(&range)?;
        let from = Progress {
            generated: range.start,
            produced: 0,
        };
        Ok(ResumablePart {
            session: self,
            run: Run::over(self, from, range.end)?,
            state: match range.is_empty() {
                true => PartState::Whole,
                false => PartState::More,
            },
            range,
            keep: Keep {
                wanted: keep_deals,
                deals: Vec::new(),
            },
            failed: false,
        })
    }

    /// Continues a part from a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is not the beginning of that part of this run.
    pub fn resume_part(
        &self,
        range: Range<u64>,
        keep_deals: bool,
        done: Partial,
    ) -> Result<ResumablePart<'_>, Error> {
        let mut growing = self.start_part(range, keep_deals)?;
        growing.restore(done)?;
        Ok(growing)
    }
}

impl ResumablePart<'_> {
    fn restore(&mut self, done: Partial) -> Result<(), Error> {
        self.session.check_origin(&done)?;
        if done.keeps_deals != self.keep.wanted {
            return Err(PartError::DealsMissing.into());
        }
        let [part] = <[Part; 1]>::try_from(done.parts).map_err(|_| PartError::Damaged)?;
        let actions = &self.session.plan().actions;
        let ours: Vec<Option<Tally>> = actions.iter().map(Tally::for_action).collect();
        let alike = ours.len() == part.tallies.len()
            && ours.iter().zip(&part.tallies).all(|pair| match pair {
                (Some(ours), Some(theirs)) => ours.is_like(theirs) && theirs.is_of(part.produced),
                (None, None) => true,
                _ => false,
            });
        let kept = !self.keep.wanted || part.deals.len() as u64 == part.produced;
        let numbers = part.first == self.range.start
            && (part.first..=part.last).contains(&part.generated)
            && part.produced <= part.generated - part.first
            && (part.first..=self.range.end).contains(&part.last)
            && (part.generated == part.last || part.ended != Some(Ended::Generated));
        if !alike || !kept || !numbers {
            return Err(PartError::Damaged.into());
        }
        self.state = match part.ended {
            Some(Ended::Generated) if part.last < self.range.end => PartState::More,
            // A part that failed at this place would fail again.
            None => return Err(PartError::Damaged.into()),
            Some(_) => PartState::Whole,
        };
        self.keep.deals = part.deals;
        let progress = Progress {
            generated: part.generated,
            produced: part.produced,
        };
        self.run
            .restore(progress, part.tallies, part.calls, part.ended);
        Ok(())
    }

    /// Returns the progress.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.run.progress()
    }

    /// Evaluates at least `deals` more deals, rounded up to whole blocks.
    ///
    /// # Errors
    /// If the source fails. An expression that fails is recorded in the part.
    pub fn advance(&mut self, deals: u64) -> Result<PartState, Error> {
        let mut keep = std::mem::take(&mut self.keep);
        let state = self.advance_into(deals, &mut keep);
        self.keep = keep;
        // Deals of an incomplete step are dropped.
        if self.failed || self.state == PartState::Stopped {
            let produced = usize::try_from(self.run.progress().produced).unwrap_or(usize::MAX);
            self.keep.deals.truncate(produced);
        }
        state
    }

    /// Works like [`ResumablePart::advance`], but passes the produced deals to `sink`. The sink also gets deals of a step
    /// that fails or is stopped, which are not part of the result: only the first `progress().produced` count.
    ///
    /// # Errors
    /// If the source fails. An expression that fails is recorded in the part.
    pub fn advance_into(&mut self, deals: u64, sink: &mut dyn Sink) -> Result<PartState, Error> {
        if self.state == PartState::Whole {
            return Ok(PartState::Whole);
        }
        self.state = match self.run.advance_on_all_threads(deals, sink) {
            Ok(None) => PartState::More,
            Ok(Some(Ended::Cancelled | Ended::TimedOut)) => PartState::Stopped,
            Ok(Some(_)) => PartState::Whole,
            Err(Error::Run { .. }) => {
                self.failed = true;
                PartState::Whole
            }
            Err(other) => return Err(other),
        };
        Ok(self.state)
    }

    /// Returns a checkpoint of the part, to be written to a file.
    #[must_use]
    pub fn partial(&self) -> Partial {
        let progress = self.run.progress();
        let (tallies, calls, ended) = self.run.state();
        let whole = self.state == PartState::Whole && !self.failed;
        let mut parts = vec![Part {
            first: self.range.start,
            last: match whole {
                true => self.range.end,
                false => progress.generated,
            },
            generated: progress.generated,
            produced: progress.produced,
            ended: Some(ended.filter(|_| whole).unwrap_or(Ended::Generated)),
            tallies: tallies.to_vec(),
            calls,
            deals: self.keep.deals.clone(),
            checksum: String::new(),
        }];
        if self.failed {
            let empty = self.session.plan().actions.iter().map(Tally::for_action);
            parts.push(Part {
                first: progress.generated,
                last: self.range.end,
                generated: progress.generated,
                produced: 0,
                ended: None,
                tallies: empty.collect(),
                calls: engine::SolverCalls::default(),
                deals: Vec::new(),
                checksum: String::new(),
            });
        }
        self.session.partial_of(parts, self.keep.wanted)
    }
}
