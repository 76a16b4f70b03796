//! The 95 % intervals contain the true value in 95 % of the studies, also when the study stops at a precision.

use studies::{Precision, Sample, SampleEntry, StoppingRule, Unit};

/// A generator of uniform numbers from 0 to 1 (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / 2f64.powi(64)
    }

    /// Returns an approximately normal number with mean 0 and variance 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// Returns control, tricks and success (0 or 1) of a simulated contract. Success depends on the control and on chance, and
/// is rare, so that its distribution is skewed.
fn deal(random: &mut Random) -> (f64, f64, f64) {
    let control = random.normal();
    let tricks = (9.3 + 1.1 * control + 0.9 * random.normal())
        .round()
        .clamp(0.0, 13.0);
    (control, tricks, f64::from(u8::from(tricks >= 11.0)))
}

/// Number of repeated studies: enough to distinguish a coverage of 94 % from 95 %.
const STUDIES: u32 = 2_000;

/// Returns the number of studies whose interval contains the true value, and the mean number of solved deals.
fn coverage<S: FnMut(&Sample) -> bool>(
    quantity: usize,
    all: usize,
    stop: impl Fn() -> S,
) -> (u32, f64) {
    // The true value from four million deals of the same distribution.
    let mut random = Random(99);
    let truth = {
        let deals = 4_000_000;
        let sum: f64 = (0..deals)
            .map(|_| {
                let (_, tricks, made) = deal(&mut random);
                [tricks, made][quantity]
            })
            .sum();
        sum / f64::from(deals)
    };
    let (mut held, mut solved) = (0, 0);
    for study in 0..STUDIES {
        let mut random = Random(u64::from(study + 1) << 40);
        let deals: Vec<(f64, f64, f64)> = (0..all).map(|_| deal(&mut random)).collect();
        let controls = |deal: &(f64, f64, f64)| vec![deal.0, deal.0 * deal.0];
        let mut sample = Sample::new(2);
        deals
            .iter()
            .for_each(|deal| sample.add_controls(&controls(deal)));
        let mut stop = stop();
        for deal in &deals {
            sample.add_solved(controls(deal), vec![deal.1, deal.2]);
            if stop(&sample) {
                break;
            }
        }
        let estimate = sample.controlled_mean(quantity);
        held += u32::from(estimate.low <= truth && truth <= estimate.high);
        solved += sample.solved();
    }
    (held, solved as f64 / f64::from(STUDIES))
}

/// Returns whether `held` of the studies are 93 to 97 %.
fn covered(held: u32) -> bool {
    (STUDIES * 93 / 100..=STUDIES * 97 / 100).contains(&held)
}

#[test]
fn intervals_of_a_fixed_number_of_deals_have_their_coverage() {
    for quantity in 0..2 {
        let (held, _) = coverage(quantity, 4_000, || |sample: &Sample| sample.solved() == 400);
        assert!(covered(held), "{held} of {STUDIES}");
    }
}

#[test]
fn intervals_at_a_precision_have_their_coverage() {
    for (quantity, half_width) in [(0, 0.09), (1, 0.03)] {
        let stop = || {
            let unit = Unit::Tricks;
            let mut stopping = StoppingRule::new(Precision { unit, half_width });
            move |sample: &Sample| {
                stopping.stops(sample.solved(), |precision| {
                    sample.controlled_mean(quantity).margin() <= precision.half_width
                })
            }
        };
        let (held, solved) = coverage(quantity, 4_000, stop);
        assert!(covered(held), "{held} of {STUDIES} after {solved} deals");
        assert!(solved < 3_000.0, "{solved}");
        println!("{held} of {STUDIES} hold the truth after {solved:.0} deals on average");
    }
}

/// Simulates screening that decides most deals, with a selection that prefers deals near the threshold. The interval of the
/// target quantity keeps its coverage and is narrower; the interval of the other quantity keeps its coverage.
#[test]
fn intervals_of_selected_deals_have_their_coverage_and_are_narrower() {
    let truth = {
        let mut random = Random(99);
        (0..4_000_000).map(|_| deal(&mut random).2).sum::<f64>() / 4e6
    };
    let controls = |control: f64| vec![control, control * control];
    let (mut held, mut other_held, mut sum) = (0, 0, 0.0);
    let (mut selected_widths, mut plain_widths) = (0.0, 0.0);
    for study in 0..STUDIES {
        let mut random = Random(u64::from(study + 1) << 40);
        let mut selected = Sample::screened(2, vec![1]);
        let mut plain = Sample::new(2);
        for _ in 0..4_000 {
            let control = deal(&mut random).0;
            selected.add_controls(&controls(control));
            plain.add_controls(&controls(control));
        }
        while selected.solved() < 300 {
            let (control, tricks, made) = deal(&mut random);
            if plain.solved() < 300 {
                plain.add_controls(&controls(control));
                plain.add_solved(controls(control), vec![tricks, made]);
            }
            // Three of four deals that are not at the threshold are decided; their tricks are estimated.
            let clear = (tricks - 10.5).abs() > 0.6 && random.next() < 0.75;
            let guess = 9.0 + control;
            let (expected, deviation, probability) = match clear {
                true => (vec![guess, made], 0.0, 0.1),
                false => (vec![guess, 0.4], 1.0, 0.5),
            };
            selected.add_entry(SampleEntry {
                controls: controls(control),
                expected,
                deviation,
                probability,
                values: (random.next() < probability).then(|| vec![tricks, made]),
            });
        }
        let estimate = selected.controlled_mean(1);
        held += u32::from(estimate.low <= truth && truth <= estimate.high);
        sum += estimate.value;
        selected_widths += estimate.margin();
        plain_widths += plain.controlled_mean(1).margin();
        let tricks = selected.controlled_mean(0);
        other_held += u32::from(tricks.low <= 9.3 && 9.3 <= tricks.high);
    }
    assert!(covered(held), "{held} of {STUDIES}");
    assert!(covered(other_held), "{other_held} of {STUDIES}");
    // Four standard errors of the mean of all studies.
    let bias = sum / f64::from(STUDIES) - truth;
    let error = selected_widths / 1.96 / f64::from(STUDIES).powf(1.5);
    assert!(bias.abs() < 4.0 * error, "{bias} with an error of {error}");
    assert!(
        selected_widths < 0.8 * plain_widths,
        "{selected_widths} against {plain_widths}"
    );
}

#[test]
fn useful_controls_narrow_the_interval_and_useless_ones_do_not_widen_it() {
    let mut random = Random(5);
    let deals: Vec<(f64, f64, f64)> = (0..20_000).map(|_| deal(&mut random)).collect();
    let sample = |useful: bool| {
        let control = |deal: &(f64, f64, f64)| vec![if useful { deal.0 } else { 1.0 }];
        let mut sample = Sample::new(1);
        deals
            .iter()
            .for_each(|deal| sample.add_controls(&control(deal)));
        for deal in &deals[..1_000] {
            sample.add_solved(control(deal), vec![deal.1, deal.2]);
        }
        sample
    };
    let plain = sample(true).simple_mean(0).margin();
    let combined = sample(true).controlled_mean(0).margin();
    assert!(combined < 0.75 * plain, "{combined} against {plain}");
    let useless = sample(false).controlled_mean(0);
    assert!((useless.margin() / plain - 1.0).abs() < 0.02);
    assert!((useless.value - sample(false).simple_mean(0).value).abs() < 1e-6);
}
