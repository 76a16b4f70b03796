//! A part of a run that grows, and can be put down and taken up again at any time.

use std::ops::Range;

use engine::{Ended, Progress, Tally};

use crate::collect::Keep;
use crate::error::{Error, PartError};
use crate::partial::{Part, Partial};
use crate::run::Run;
use crate::session::Session;

/// How far a part that grows has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// There is more to do.
    More,
    /// The part is whole.
    Whole,
    /// It was told to stop, by the time or by the caller.
    Stopped,
}

/// A part of a run, dealt stretch by stretch. A stretch is in it as a whole or not at all, so that what
/// [`Growing::partial`] gives is always something to go on from; in the end it is exactly the part that
/// [`Session::run_range`] gives.
pub struct Growing<'a> {
    session: &'a Session,
    range: Range<u64>,
    run: Run,
    keep: Keep,
    growth: Growth,
    /// Whether an expression failed after what there is.
    failed: bool,
}

impl Session {
    /// Begins a part over the deals with these numbers; see [`Session::run_range`].
    ///
    /// # Errors
    /// If the run cannot be cut up or the numbers are not in it.
    pub fn grow(&self, range: Range<u64>, keep_deals: bool) -> Result<Growing<'_>, Error> {
        self.check_range(&range)?;
        let from = Progress {
            generated: range.start,
            produced: 0,
        };
        Ok(Growing {
            session: self,
            run: Run::over(self, from, range.end)?,
            growth: match range.is_empty() {
                true => Growth::Whole,
                false => Growth::More,
            },
            range,
            keep: Keep {
                wanted: keep_deals,
                deals: Vec::new(),
            },
            failed: false,
        })
    }

    /// Goes on with a part where it was put down.
    ///
    /// # Errors
    /// If it is not the beginning of that part of this run.
    pub fn grow_on(
        &self,
        range: Range<u64>,
        keep_deals: bool,
        done: Partial,
    ) -> Result<Growing<'_>, Error> {
        let mut growing = self.grow(range, keep_deals)?;
        growing.take_up(done)?;
        Ok(growing)
    }
}

impl Growing<'_> {
    fn take_up(&mut self, done: Partial) -> Result<(), Error> {
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
        self.growth = match part.ended {
            Some(Ended::Generated) if part.last < self.range.end => Growth::More,
            // One that failed fails again.
            None => return Err(PartError::Damaged.into()),
            Some(_) => Growth::Whole,
        };
        self.keep.deals = part.deals;
        let progress = Progress {
            generated: part.generated,
            produced: part.produced,
        };
        self.run
            .take_up(progress, part.tallies, part.calls, part.ended);
        Ok(())
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.run.progress()
    }

    /// Looks at so many more deals (a little more: whole blocks).
    ///
    /// # Errors
    /// If the source fails. An expression that fails is part of the part.
    pub fn advance(&mut self, deals: u64) -> Result<Growth, Error> {
        if self.growth == Growth::Whole {
            return Ok(Growth::Whole);
        }
        let stretch = self.run.stretch(deals, &mut self.keep);
        self.growth = match stretch {
            Ok(None) => Growth::More,
            Ok(Some(Ended::Cancelled | Ended::TimedOut)) => Growth::Stopped,
            Ok(Some(_)) => Growth::Whole,
            Err(Error::Run { .. }) => {
                self.failed = true;
                Growth::Whole
            }
            Err(other) => return Err(other),
        };
        // Deals of a stretch that does not count.
        if self.failed || self.growth == Growth::Stopped {
            let produced = usize::try_from(self.run.progress().produced).unwrap_or(usize::MAX);
            self.keep.deals.truncate(produced);
        }
        Ok(self.growth)
    }

    /// What there is, to be written to a file.
    #[must_use]
    pub fn partial(&self) -> Partial {
        let progress = self.run.progress();
        let (tallies, calls, ended) = self.run.state();
        let whole = self.growth == Growth::Whole && !self.failed;
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
