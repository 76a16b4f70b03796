//! Which deals are worth solving: rather those about which short searches leave doubt.

use cards::Deal;
use solver::{Bounds, LEAST_MEMORY, Solver};

use crate::combined::{Entry, Sample};
use crate::controls::Guess;
use crate::precision::Unit;

/// Deals that say how much doubt is usual, and are not used for anything else.
const CALIBRATION: usize = 100;
/// Doubt that every deal has, in proportion to the usual: other numbers than the wished ones are to be known, too.
const FLOOR: f64 = 0.06;
/// Deals that are looked into for each that is solved: as many as make both parts of the interval about equally dear.
const PER_SOLVE: f64 = 4.0;
/// Cases that stand for what short searches leave open of a deal: so many in which the estimates are about right,
const LIKELY: usize = 8;
/// and so many in which they are far off.
const UNLIKELY: usize = 4;

/// What is asked about a deal: numbers of tricks, one for each lead or contract, and what follows from them.
pub(crate) trait Question {
    /// The numbers that can be seen at a glance and explain a part of why deals differ.
    fn controls(&self, deal: &Deal) -> Vec<f64>;

    /// How many of them are trusted more than the others: the first.
    fn few(&self) -> usize;

    /// What short searches find out about the tricks.
    fn look(&self, solver: &mut Solver, deal: &Deal) -> Vec<Bounds>;

    /// What the estimates say about the tricks, and whether they are few where the first ones are many.
    fn guesses(&self, deal: &Deal) -> Vec<(Guess, bool)>;

    /// How many quantities are kept.
    fn quantities(&self) -> usize;

    /// All quantities that follow from the tricks.
    fn values(&self, tricks: &[u8]) -> Vec<f64>;

    /// The quantities that a wish in this unit is about, and the factor that brings them to it.
    fn measured(&self, unit: Unit) -> (Vec<usize>, f64);
}

/// What is usual.
#[derive(Clone, Copy, Debug)]
struct Usual {
    doubt: f64,
    spread: f64,
}

impl Usual {
    fn spread_of(doubt: f64, usual: f64) -> f64 {
        (doubt / usual + FLOOR).sqrt()
    }

    fn chance(self, doubt: f64) -> f64 {
        (Usual::spread_of(doubt, self.doubt) / (PER_SOLVE * self.spread)).min(1.0)
    }
}

/// Decides deal by deal what is to be solved; any number of threads may share one.
///
/// With a fixed number of solves the variance of a mean is smallest if deals are taken in proportion to what is unknown of
/// each (Neyman's allocation of strata, with a stratum for every degree of doubt). Every deal has its own throw of the
/// dice, which depends on its place alone.
#[derive(Clone, Debug)]
pub struct Examiner<Q> {
    question: Q,
    /// The unit of the wish and what is usual in it; nothing if all deals are solved as they come.
    choosing: Option<(Unit, Usual)>,
}

/// What is known of a deal before it is solved.
#[derive(Clone, Debug)]
pub struct Examined {
    pub(crate) entry: Entry,
    chosen: bool,
}

impl Examined {
    /// Whether the deal is to be solved.
    #[must_use]
    pub fn is_chosen(&self) -> bool {
        self.chosen
    }
}

#[expect(private_bounds, reason = "there are no other questions")]
impl<Q: Question> Examiner<Q> {
    /// What short searches say about the deal; nothing if all deals are solved anyway.
    #[must_use]
    pub fn look(&self, solver: &mut Solver, deal: &Deal) -> Vec<Bounds> {
        match self.choosing {
            None => Vec::new(),
            Some(_) => {
                solver.forget();
                self.question.look(solver, deal)
            }
        }
    }

    /// What follows from a [look](Examiner::look) at the deal of this place.
    #[must_use]
    pub fn judge(&self, place: usize, deal: &Deal, bounds: &[Bounds]) -> Examined {
        let controls = self.question.controls(deal);
        let Some((unit, usual)) = self.choosing else {
            return Examined {
                entry: Entry::certain(controls),
                chosen: true,
            };
        };
        let (expected, doubt) = expected(&self.question, unit, deal, bounds);
        let chance = usual.chance(doubt);
        Examined {
            entry: Entry {
                controls,
                expected,
                doubt: (doubt / usual.doubt).sqrt(),
                chance,
                values: None,
            },
            chosen: chance >= 1.0 || dice(place) < chance,
        }
    }

    /// Looks into the deal of this place.
    #[must_use]
    pub fn examine(&self, solver: &mut Solver, place: usize, deal: &Deal) -> Examined {
        let bounds = self.look(solver, deal);
        self.judge(place, deal, &bounds)
    }
}

/// Tricks that may be true, with what each counts for. In most the estimates are about right and all wrong to the same
/// side; in the others they are far off, each in its own way.
fn cases(guesses: &[(Guess, bool)], bounds: &[Bounds]) -> Vec<(Vec<u8>, f64)> {
    let mut cases: Vec<(Vec<u8>, f64)> = Vec::new();
    for case in 0..LIKELY + UNLIKELY {
        let share = |option: usize| match case < LIKELY {
            true => (case as f64 + 0.5) / LIKELY as f64,
            false => ((case + option) % UNLIKELY) as f64 / UNLIKELY as f64 + 0.5 / UNLIKELY as f64,
        };
        let options = guesses.iter().zip(bounds).enumerate();
        let tricks = options.map(|(option, (&(guess, less), &bounds))| {
            let guess = if case < LIKELY {
                guess
            } else {
                guess.doubted()
            };
            let share = share(option);
            guess.quantile(if less { 1.0 - share } else { share }, bounds)
        });
        let tricks: Vec<u8> = tricks.collect();
        let weight = 1.0 / (LIKELY + UNLIKELY) as f64;
        match cases.iter_mut().find(|(other, _)| *other == tricks) {
            Some((_, sum)) => *sum += weight,
            None => cases.push((tricks, weight)),
        }
    }
    cases
}

/// What the quantities are on average over all that the bounds leave open, and the variance of those that the wish is
/// about.
fn expected(
    question: &impl Question,
    unit: Unit,
    deal: &Deal,
    bounds: &[Bounds],
) -> (Vec<f64>, f64) {
    let cases: Vec<(Vec<f64>, f64)> = cases(&question.guesses(deal), bounds)
        .into_iter()
        .map(|(tricks, weight)| (question.values(&tricks), weight))
        .collect();
    // A quantity that is the same in all cases is just that, whatever sums round to.
    let (first, _) = &cases[0];
    let is_open = |which: usize| {
        cases
            .iter()
            .any(|(values, _)| values[which] != first[which])
    };
    let mean = |which: usize| match is_open(which) {
        true => cases
            .iter()
            .map(|(values, weight)| weight * values[which])
            .sum(),
        false => first[which],
    };
    let means: Vec<f64> = (0..question.quantities()).map(mean).collect();
    let (measured, _) = question.measured(unit);
    let variance = |&which: &usize| -> f64 {
        let off = |values: &[f64]| values[which] - means[which];
        cases
            .iter()
            .map(|(values, weight)| weight * off(values).powi(2))
            .sum()
    };
    let doubt = measured.iter().map(variance).sum();
    (means, doubt)
}

/// The deals of a study: some to choose from, others that are only glanced at.
#[derive(Clone, Debug)]
pub(crate) struct Study<'a, Q> {
    pub examiner: Examiner<Q>,
    /// The deals to choose from.
    stream: &'a [Deal],
    pub sample: Sample,
}

impl<'a, Q: Question + Clone> Study<'a, Q> {
    /// A study of these deals. With a unit those before the cut are there to choose from and the rest is only glanced
    /// at; without, or with too few deals in the rest, or if there is no doubt at all, all are solved as they come.
    pub fn new(question: Q, deals: &'a [Deal], choosing: Option<(Unit, usize)>) -> Study<'a, Q> {
        let chosen = choosing.and_then(|(unit, cut)| {
            let (stream, rest) = deals.split_at(cut.min(deals.len()));
            let (calibration, glanced_at) = rest.split_at_checked(CALIBRATION)?;
            let usual = usual(&question, unit, calibration)?;
            (glanced_at.len() >= CALIBRATION).then_some((unit, usual, stream, glanced_at))
        });
        let (choosing, stream, glanced_at) = match chosen {
            Some((unit, usual, stream, rest)) => (Some((unit, usual)), stream, rest),
            None => (None, deals, deals),
        };
        let mut sample = match choosing {
            Some((unit, _)) => Sample::chosen(question.few(), question.measured(unit).0),
            None => Sample::new(question.few()),
        };
        for deal in glanced_at {
            sample.look(&question.controls(deal));
        }
        Study {
            examiner: Examiner { question, choosing },
            stream,
            sample,
        }
    }

    pub fn question(&self) -> &Q {
        &self.examiner.question
    }

    /// The deals to look into, in their order, with their places.
    pub fn stream(&self) -> impl Iterator<Item = (usize, &'a Deal)> + use<'a, Q> {
        self.stream.iter().enumerate()
    }

    /// Adds the next deal of the stream, with its tricks if it was solved.
    pub fn add(&mut self, examined: Examined, tricks: Option<&[u8]>) {
        let values = tricks.map(|tricks| self.examiner.question.values(tricks));
        self.sample.push(Entry {
            values,
            ..examined.entry
        });
    }
}

/// How much doubt some deals leave; nothing if they leave none.
fn usual(question: &impl Question, unit: Unit, deals: &[Deal]) -> Option<Usual> {
    let mut solver = Solver::with_memory(LEAST_MEMORY);
    let doubts: Vec<f64> = deals
        .iter()
        .map(|deal| {
            solver.forget();
            let bounds = question.look(&mut solver, deal);
            expected(question, unit, deal, &bounds).1
        })
        .collect();
    let doubt = doubts.iter().sum::<f64>() / deals.len() as f64;
    let spreads = doubts.iter().map(|&it| Usual::spread_of(it, doubt));
    let spread = spreads.sum::<f64>() / deals.len() as f64;
    (doubt > 0.0).then_some(Usual { doubt, spread })
}

/// A number from 0 to 1 for each place, as if thrown.
fn dice(place: usize) -> f64 {
    let mut z = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / 2f64.powi(53)
}
