//! A run split into parts by deal number: each can run on any machine, and they can be merged in any order.

use std::ops::Range;

use engine::{Ended, ProducedDeal, Progress, Report, Sink, SolverCalls, Tally};
use script::plan::Mode;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shuffle::BLOCK_DEALS;

use crate::collect::{Keep, KeptDeal};
use crate::error::{Error, PartError};
use crate::execution::ExecutionOptions;
use crate::job::Job;
use crate::outcome::{Origin, Outcome};
use crate::run::Run;
use crate::session::Session;
use crate::spec::JobSpec;

/// The version that makes parts: only parts of the same version can be merged.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The result of some parts of a run. It can be written to a file, sent and merged with others in any order and
/// grouping; all parts together equal the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Partial {
    /// The version of croupier that made it.
    pub croupier: String,
    /// A hash of version and job, equal for all parts of one run.
    pub fingerprint: String,
    /// The whole job, with the texts of imported files and its key.
    pub job: JobSpec,
    /// Whether the produced deals are kept, for a run that shows them.
    pub keeps_deals: bool,
    /// The parts, by deal number.
    pub parts: Vec<Part>,
}

/// One part of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Number of its first deal.
    pub first: u64,
    /// Number of the deal after its last.
    pub last: u64,
    /// Number after the last generated deal.
    pub generated: u64,
    /// Deals produced.
    pub produced: u64,
    /// The reason for its end; `None` if an expression failed, which matters only if the whole run reaches that deal.
    pub ended: Option<Ended>,
    /// The tallies, by action.
    pub tallies: Vec<Option<Tally>>,
    /// Call counts of the expensive functions.
    pub calls: SolverCalls,
    /// The produced deals, if they are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<KeptDeal>,
    /// A hash of the run's fingerprint and of everything above, by which changed parts are detected.
    #[serde(default)]
    pub checksum: String,
}

impl Part {
    /// Computes the checksum of the part in the run with this fingerprint.
    fn checksum_in(&self, fingerprint: &str) -> String {
        let numbers = (self.first, self.last, self.generated, self.produced);
        let content = (
            fingerprint,
            numbers,
            self.ended,
            &self.tallies,
            self.calls,
            &self.deals,
        );
        hash(&[&serde_json::to_vec(&content).unwrap_or_default()])
    }
}

impl Session {
    /// Splits the run into `parts` ranges of nearly equal numbers of deals. With more parts than blocks of deals some
    /// are empty.
    ///
    /// # Errors
    /// If the run cannot be split.
    pub fn shards(&self, parts: usize) -> Result<Vec<Range<u64>>, Error> {
        self.can_be_cut()?;
        let (generate, _) = self.settings.limits.counts();
        let blocks = u128::from(generate.div_ceil(BLOCK_DEALS as u64));
        let parts = parts.max(1) as u128;
        let cut = |part: u128| {
            let block = (blocks * part / parts) as u64;
            block.saturating_mul(BLOCK_DEALS as u64).min(generate)
        };
        Ok((0..parts).map(|part| cut(part)..cut(part + 1)).collect())
    }

    /// Runs only the deals with these numbers, from 0. `keep_deals` keeps the produced deals with their values, for a
    /// sink that needs them when the parts are merged.
    ///
    /// # Errors
    /// If the run cannot be split or the numbers are not in it.
    pub fn run_range(&self, range: Range<u64>, keep_deals: bool) -> Result<Partial, Error> {
        self.check_range(&range)?;
        let part = self.part(range, keep_deals)?;
        Ok(self.partial_of(vec![part], keep_deals))
    }

    /// Checks that a part can be made over the deals with these numbers.
    pub(crate) fn check_range(&self, range: &Range<u64>) -> Result<(), Error> {
        self.can_be_cut()?;
        self.check_tables()?;
        let (generate, _) = self.settings.limits.counts();
        if range.start > range.end || range.end > generate {
            return Err(Error::Part(PartError::BadRange {
                first: range.start,
                last: range.end,
                generate,
            }));
        }
        Ok(())
    }

    /// Returns parts of this run.
    pub(crate) fn partial_of(&self, parts: Vec<Part>, keeps_deals: bool) -> Partial {
        let job = self.repeatable_spec();
        Partial {
            croupier: VERSION.to_owned(),
            fingerprint: fingerprint(&job),
            job,
            keeps_deals,
            parts,
        }
        .sealed()
    }

    /// Checks that parts belong to this run and are unchanged.
    pub(crate) fn check_origin(&self, parts: &Partial) -> Result<(), Error> {
        match parts.fingerprint == fingerprint(&self.repeatable_spec()) {
            true => Ok(parts.check_sums()?),
            false => Err(PartError::Different.into()),
        }
    }

    fn part(&self, range: Range<u64>, keep_deals: bool) -> Result<Part, Error> {
        let from = Progress {
            generated: range.start,
            produced: 0,
        };
        let mut keep = Keep {
            wanted: keep_deals,
            deals: Vec::new(),
        };
        let mut run = Run::over(self, from, range.end)?;
        let failed = match run.finish(&mut keep) {
            Ok(_) => false,
            Err(Error::Run { .. }) => true,
            Err(other) => return Err(other),
        };
        let (progress, tallies, calls, ended) = run.into_parts();
        if matches!(ended, Some(Ended::Cancelled | Ended::TimedOut)) {
            return Err(PartError::Stopped.into());
        }
        Ok(Part {
            first: range.start,
            last: range.end,
            generated: progress.generated,
            produced: progress.produced,
            ended: ended.filter(|_| !failed),
            tallies,
            calls,
            deals: if failed { Vec::new() } else { keep.deals },
            checksum: String::new(),
        })
    }

    /// Returns the job as data, with its key even if that was generated.
    fn repeatable_spec(&self) -> JobSpec {
        let mut spec = self.spec.clone();
        if spec.seed.is_none() && self.plan.settings.seed.is_none() {
            spec.key = Some(self.settings.seed.key);
        }
        spec
    }

    fn can_be_cut(&self) -> Result<(), Error> {
        let spec = &self.spec;
        let levels = self.plan.settings.level.is_some() && !spec.as_dealt;
        let why = if spec.dialect != Mode::Native {
            "the deals of the classic generators follow from each other"
        } else if spec.level.is_some() || levels || !spec.mix.is_empty() {
            "its deals are in proportion to each other"
        } else if spec.interleave {
            "its deals are put in another order at the end"
        } else if spec.precision.is_some() {
            "its precision decides where it ends"
        } else if self.execution.metrics.is_some() {
            "the metric is not part of the job"
        } else if engine::counts_produced(&self.plan) {
            "rnd(0) asks how many deals were produced before"
        } else if let Some(reason) = spec.supply.reason_against_parts() {
            reason
        } else {
            return Ok(());
        };
        Err(PartError::Whole(why).into())
    }
}

/// Returns a hash of the version and of everything that decides the outcome.
fn fingerprint(job: &JobSpec) -> String {
    let text = serde_json::to_vec(job).unwrap_or_default();
    hash(&[VERSION.as_bytes(), &[0], &text])
}

/// Hashes the pieces one after the other; returns hexadecimal digits.
fn hash(pieces: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    pieces.iter().for_each(|piece| hash.update(piece));
    let digits = hash.finalize();
    digits.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Partial {
    /// Merges the parts of two results.
    ///
    /// # Errors
    /// If they belong to different jobs or versions, or have deals in common.
    pub fn merge(self, other: Partial) -> Result<Partial, PartError> {
        Partial::merge_all([self, other])
    }

    fn check_same_run(&self, other: &Partial) -> Result<(), PartError> {
        let run = |it: &Partial| (it.croupier.clone(), it.fingerprint.clone());
        if run(self) != run(other) || self.job != other.job {
            return Err(PartError::Different);
        }
        match self.keeps_deals == other.keeps_deals {
            true => Ok(()),
            false => Err(PartError::DealsMissing),
        }
    }

    /// Merges any number of results.
    ///
    /// # Errors
    /// If they do not fit together or there are none.
    pub fn merge_all(parts: impl IntoIterator<Item = Partial>) -> Result<Partial, PartError> {
        let mut parts = parts.into_iter();
        let mut all = parts.next().ok_or(PartError::Nothing)?;
        for other in parts {
            all.check_same_run(&other)?;
            all.parts.extend(other.parts);
        }
        all.parts.sort_by_key(|part| (part.first, part.last));
        all.check_overlaps()?;
        Ok(all)
    }

    /// Computes the checksum of every part.
    #[must_use]
    pub fn sealed(mut self) -> Partial {
        for part in &mut self.parts {
            part.checksum = part.checksum_in(&self.fingerprint);
        }
        self
    }

    /// Checks that every part is unchanged: files may have been damaged or edited.
    fn check_sums(&self) -> Result<(), PartError> {
        let is_intact = |part: &Part| part.checksum == part.checksum_in(&self.fingerprint);
        match self.parts.iter().all(is_intact) {
            true => Ok(()),
            false => Err(PartError::Damaged),
        }
    }

    fn check_overlaps(&self) -> Result<(), PartError> {
        let mut end = 0;
        for part in self.parts.iter().filter(|part| part.first < part.last) {
            if part.first < end {
                return Err(PartError::Overlap(part.first, part.last.min(end)));
            }
            end = part.last;
        }
        Ok(())
    }

    /// Returns the outcome of the whole run. The sink gets the produced deals, if they were kept. The part with the
    /// last produced deal is run again up to that deal, on `threads` threads (0 means one for each core).
    ///
    /// Parts after the last produced deal may be missing.
    ///
    /// # Errors
    /// If deals are missing, the parts are damaged or of another version, or the run as a whole fails.
    pub fn outcome(&self, threads: usize, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        let execution = ExecutionOptions {
            threads,
            ..ExecutionOptions::default()
        };
        self.outcome_with(execution, sink)
    }

    /// Returns the outcome as [`outcome`](Self::outcome) does, with these execution options: for scripts that need robots.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub fn outcome_with(
        &self,
        execution: ExecutionOptions,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, Error> {
        if self.croupier != VERSION || self.fingerprint != fingerprint(&self.job) {
            let made_by = self.croupier.clone();
            return Err(PartError::WrongFingerprint { made_by }.into());
        }
        self.check_sums()?;
        let session = Job::from_spec(self.job.clone())
            .execution(execution)
            .prepare()?;
        session.add_up(self, true, sink)
    }
}

impl Session {
    /// Returns the outcome of parts of this run, with the execution options of this session: without threads and clock
    /// if it was prepared so. The sink gets the produced deals, if they were kept. If parts are missing, the run counts
    /// as cancelled at the first gap.
    ///
    /// # Errors
    /// If the parts belong to another run or are damaged, or the run fails on a deal before the first gap.
    pub fn join(&self, parts: &Partial, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        self.check_origin(parts)?;
        self.add_up(parts, false, sink)
    }

    fn add_up(
        &self,
        parts: &Partial,
        complete: bool,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, Error> {
        self.can_be_cut()?;
        self.check_tables()?;
        parts.check_overlaps()?;
        let tallies = self.plan().actions.iter().map(Tally::for_action);
        let whole = Whole {
            session: self,
            starts: engine::value_starts(self.plan()),
            keeps_deals: parts.keeps_deals,
            complete,
            report: Report {
                generated: 0,
                produced: 0,
                tallies: tallies.collect(),
                ended: Ended::Generated,
                calls: SolverCalls::default(),
            },
        };
        whole.add_up(&parts.parts, sink)
    }
}

/// The record of the whole run while its parts are added.
struct Whole<'a> {
    session: &'a Session,
    starts: Vec<usize>,
    keeps_deals: bool,
    /// Whether missing parts are an error; otherwise the run counts as cancelled there.
    complete: bool,
    report: Report,
}

impl Whole<'_> {
    fn add_up(mut self, parts: &[Part], sink: &mut dyn Sink) -> Result<Outcome, Error> {
        let (generate, produce) = self.session.settings.limits.counts();
        let mut parts = parts.iter().filter(|part| part.first < part.last);
        let mut next = 0;
        while next < generate && self.report.produced < produce {
            let part = parts.next();
            let part = match part {
                Some(part) if part.first == next => part,
                _ if !self.complete => {
                    self.report.ended = Ended::Cancelled;
                    break;
                }
                missing => {
                    let end = missing.map_or(generate, |part| part.first);
                    return Err(PartError::Gap(next, end).into());
                }
            };
            self.check(part)?;
            // If a part produced enough deals by itself and no earlier part produced any, the whole run ends where the
            // part ended.
            let complete = self.report.produced == 0 && part.ended == Some(Ended::Produced);
            let cut = !complete && self.report.produced + part.produced >= produce;
            let ended = if part.ended.is_none() || cut {
                self.run_again(part, sink)?
            } else {
                self.add(part, sink)
            };
            self.report.ended = ended;
            if ended != Ended::Generated {
                break;
            }
            next = part.last;
        }
        if produce == 0 {
            self.report.ended = Ended::Produced;
        }
        let settings = &self.session.settings;
        let origin = match self.session.spec.supply.tournament_key() {
            Some(key) => Origin::Commitment(key.commitment()),
            None => Origin::Seed(settings.seed.to_string()),
        };
        let mut outcome = Outcome::new(self.session.plan(), &self.report, origin);
        outcome.title = String::from_utf8_lossy(&settings.title).into_owned();
        outcome.limits = settings.limits;
        if self.session.spec.exchange != shuffle::Swap::Off {
            outcome.mark_clusters();
        }
        Ok(outcome)
    }

    /// Returns whether the contents of a part match the script: files are untrusted input.
    fn check(&self, part: &Part) -> Result<(), PartError> {
        let fits = part.tallies.len() == self.report.tallies.len()
            && part
                .tallies
                .iter()
                .zip(&self.report.tallies)
                .all(|(theirs, ours)| match (theirs, ours) {
                    (Some(theirs), Some(ours)) => {
                        // A part that failed is run again; its tallies are not used.
                        ours.is_like(theirs)
                            && (part.ended.is_none() || theirs.is_of(part.produced))
                    }
                    (None, None) => true,
                    _ => false,
                });
        let numbers = part.first <= part.generated
            && part.generated <= part.last
            && part.produced <= part.generated - part.first;
        let kept =
            !self.keeps_deals || part.ended.is_none() || part.deals.len() as u64 == part.produced;
        if fits && kept && numbers {
            Ok(())
        } else {
            Err(PartError::Damaged)
        }
    }

    /// Adds a part unchanged.
    fn add(&mut self, part: &Part, sink: &mut dyn Sink) -> Ended {
        if sink.needs_deals() {
            for (ordinal, stored) in (self.report.produced + 1..).zip(&part.deals) {
                let produced = ProducedDeal::new(
                    (stored.number, ordinal),
                    stored.deal,
                    stored.trick_table(),
                    &stored.values,
                    &self.starts,
                );
                if sink.on_deal(&produced).is_break() {
                    return Ended::Stopped;
                }
            }
        }
        self.report.generated = part.generated;
        self.report.produced += part.produced;
        self.merge(&part.tallies, part.calls);
        part.ended.unwrap_or(Ended::Generated)
    }

    /// Runs a part again, given the number of deals produced before it.
    fn run_again(&mut self, part: &Part, sink: &mut dyn Sink) -> Result<Ended, Error> {
        let from = Progress {
            generated: part.first,
            produced: self.report.produced,
        };
        let mut run = Run::over(self.session, from, part.last)?;
        run.finish(sink)?;
        let (progress, tallies, calls, ended) = run.into_parts();
        self.report.generated = progress.generated;
        self.report.produced = progress.produced;
        self.merge(&tallies, calls);
        Ok(ended.unwrap_or(Ended::Generated))
    }

    fn merge(&mut self, tallies: &[Option<Tally>], calls: SolverCalls) {
        self.report.calls += calls;
        for pair in self.report.tallies.iter_mut().zip(tallies) {
            if let (Some(all), Some(part)) = pair {
                all.merge(part);
            }
        }
    }
}
