//! Which deals are worth solving: rather those about which a glance leaves doubt.

use cards::Deal;

use crate::combined::Sample;

/// Deals that say how much doubt is usual, and are not used for anything else.
const CALIBRATION: usize = 500;
/// Doubt that every deal has, in proportion to the usual: estimates are wrong now and then.
const FLOOR: f64 = 0.1;
/// A deal is solved for certain if it is as many times as spread as the usual one.
const CERTAIN: f64 = 3.0;

/// Deals that come, of which some are solved, and others that are only looked at.
///
/// With a fixed number of solves the variance of a mean is smallest if deals are taken in proportion to what is unknown of
/// each (Neyman's allocation of strata, with a stratum for every degree of doubt). Every deal has its own throw of the
/// dice, which depends on its place alone.
#[derive(Clone, Debug)]
pub(crate) struct Choice<'a> {
    /// The deals to choose from.
    stream: &'a [Deal],
    /// The deals that are only looked at.
    pub looked_at: &'a [Deal],
    usual: Option<Usual>,
    next: usize,
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
        (Usual::spread_of(doubt, self.doubt) / (CERTAIN * self.spread)).min(1.0)
    }
}

impl<'a> Choice<'a> {
    /// All deals are looked at, and solved as they come.
    pub fn none(deals: &'a [Deal]) -> Choice<'a> {
        Choice {
            stream: deals,
            looked_at: deals,
            usual: None,
            next: 0,
        }
    }

    /// Some deals are there to choose from, by the variance that is expected of each; the others are looked at. Nothing
    /// if there is no doubt at all or if there are too few deals.
    pub fn by(
        stream: &'a [Deal],
        rest: &'a [Deal],
        doubt: impl Fn(&Deal) -> f64,
    ) -> Option<Choice<'a>> {
        if rest.len() < 2 * CALIBRATION {
            return None;
        }
        let (calibration, looked_at) = rest.split_at(CALIBRATION);
        let doubts: Vec<f64> = calibration.iter().map(doubt).collect();
        let mean = doubts.iter().sum::<f64>() / CALIBRATION as f64;
        if mean <= 0.0 {
            return None;
        }
        let spreads = doubts.iter().map(|&doubt| Usual::spread_of(doubt, mean));
        let spread = spreads.sum::<f64>() / CALIBRATION as f64;
        Some(Choice {
            stream,
            looked_at,
            usual: Some(Usual {
                doubt: mean,
                spread,
            }),
            next: 0,
        })
    }

    /// The chance of a deal to be solved.
    pub fn chance(&self, deal: &Deal, doubt: impl Fn(&Deal) -> f64) -> f64 {
        self.usual.map_or(1.0, |usual| usual.chance(doubt(deal)))
    }

    /// The chosen deals from a place on: the place of each, itself and its chance.
    pub fn chosen<F: Fn(&Deal) -> f64>(
        &self,
        from: usize,
        doubt: F,
    ) -> impl Iterator<Item = (usize, &'a Deal, f64)> + use<'a, F> {
        let usual = self.usual;
        let chance = move |deal| usual.map_or(1.0, |usual: Usual| usual.chance(doubt(deal)));
        let deals = self.stream.iter().enumerate().skip(from);
        deals
            .map(move |(place, deal)| (place, deal, chance(deal)))
            .filter(|&(place, _, chance)| chance >= 1.0 || dice(place) < chance)
    }

    /// The next chosen deal, for what is known of it, and its chance.
    pub fn next(&mut self, doubt: impl Fn(&Deal) -> f64) -> Option<(&'a Deal, f64)> {
        let (place, deal, chance) = self.chosen(self.next, doubt).next()?;
        self.next = place + 1;
        Some((deal, chance))
    }
}

/// What can be said of a deal without solving it.
pub(crate) trait Glance {
    /// The variance that is expected of it.
    fn doubt(&self, deal: &Deal) -> f64;

    /// The numbers that explain a part of why deals differ.
    fn controls(&self, deal: &Deal) -> Vec<f64>;
}

/// What a study begins with: the deals before the cut to choose from, if there is one, and a look at the others. The sample
/// keeps so many quantities and trusts the first `few` controls more than the others.
pub(crate) fn begun<'a>(
    study: &impl Glance,
    deals: &'a [Deal],
    cut: Option<usize>,
    (quantities, few): (usize, usize),
) -> (Choice<'a>, Sample) {
    let doubt = |deal: &Deal| study.doubt(deal);
    let chosen = cut.and_then(|cut| {
        let (stream, rest) = deals.split_at(cut.min(deals.len()));
        Choice::by(stream, rest, doubt)
    });
    let (choice, mut sample) = match chosen {
        Some(choice) => (choice, Sample::chosen(quantities, few)),
        None => (Choice::none(deals), Sample::new(quantities, few)),
    };
    for deal in choice.looked_at {
        let chance = choice.chance(deal, doubt);
        sample.look_at(&study.controls(deal), chance);
    }
    (choice, sample)
}

/// A number from 0 to 1 for each place, as if thrown.
fn dice(place: usize) -> f64 {
    let mut z = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / 2f64.powi(53)
}
