//! The intervals hold the truth as often as they say, also when the study stops at the wished precision.

use studies::{Entry, Precision, Sample, Stopping, Unit};

/// Uniform numbers from 0 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / 2f64.powi(64)
    }

    /// About normal, mean 0, variance 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// A contract that makes if luck and a control together are good enough: a skewed yes-or-no quantity, and the tricks.
/// Returns control, tricks, made.
fn deal(random: &mut Random) -> (f64, f64, f64) {
    let control = random.normal();
    let tricks = (9.3 + 1.1 * control + 0.9 * random.normal())
        .round()
        .clamp(0.0, 13.0);
    (control, tricks, f64::from(u8::from(tricks >= 11.0)))
}

/// Studies that are repeated: enough to see a coverage of 94 instead of 95 %.
const STUDIES: u32 = 2_000;

/// How many of the studies hold the truth, and how many deals they solved on average.
fn coverage<S: FnMut(&Sample) -> bool>(
    quantity: usize,
    all: usize,
    stop: impl Fn() -> S,
) -> (u32, f64) {
    // The truth from four million deals of the same law.
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
        deals.iter().for_each(|deal| sample.look(&controls(deal)));
        let mut stop = stop();
        for deal in &deals {
            sample.add(controls(deal), vec![deal.1, deal.2]);
            if stop(&sample) {
                break;
            }
        }
        let estimate = sample.combined(quantity);
        held += u32::from(estimate.low <= truth && truth <= estimate.high);
        solved += sample.solved();
    }
    (held, solved as f64 / f64::from(STUDIES))
}

/// Between 93 and 97 %.
fn covered(held: u32) -> bool {
    (STUDIES * 93 / 100..=STUDIES * 97 / 100).contains(&held)
}

#[test]
fn a_fixed_number_of_deals_is_covered_as_promised() {
    for quantity in 0..2 {
        let (held, _) = coverage(quantity, 4_000, || |sample: &Sample| sample.solved() == 400);
        assert!(covered(held), "{held} of {STUDIES}");
    }
}

#[test]
fn stopping_at_a_wished_precision_is_covered_as_promised() {
    for (quantity, half_width) in [(0, 0.09), (1, 0.03)] {
        let stop = || {
            let unit = Unit::Tricks;
            let mut stopping = Stopping::at(Precision { unit, half_width });
            move |sample: &Sample| {
                stopping.enough(sample.solved(), |precision| {
                    sample.combined(quantity).margin() <= precision.half_width
                })
            }
        };
        let (held, solved) = coverage(quantity, 4_000, stop);
        assert!(covered(held), "{held} of {STUDIES} after {solved} deals");
        assert!(solved < 3_000.0, "{solved}");
        println!("{held} of {STUDIES} hold the truth after {solved:.0} deals on average");
    }
}

/// Short looks decide what is clear; what is near the threshold is solved more often than the rest: the interval is as good
/// as before, and narrower, for what the wish is about, and right for the rest.
#[test]
fn chosen_deals_are_covered_as_promised_and_save_solves() {
    let truth = {
        let mut random = Random(99);
        (0..4_000_000).map(|_| deal(&mut random).2).sum::<f64>() / 4e6
    };
    let controls = |control: f64| vec![control, control * control];
    let (mut held, mut other_held, mut sum) = (0, 0, 0.0);
    let (mut chosen_widths, mut plain_widths) = (0.0, 0.0);
    for study in 0..STUDIES {
        let mut random = Random(u64::from(study + 1) << 40);
        let mut chosen = Sample::chosen(2, vec![1]);
        let mut plain = Sample::new(2);
        for _ in 0..4_000 {
            let control = deal(&mut random).0;
            chosen.look(&controls(control));
            plain.look(&controls(control));
        }
        while chosen.solved() < 300 {
            let (control, tricks, made) = deal(&mut random);
            if plain.solved() < 300 {
                plain.look(&controls(control));
                plain.add(controls(control), vec![tricks, made]);
            }
            // Three of four deals that are not just at the threshold are decided; their tricks are a guess.
            let clear = (tricks - 10.5).abs() > 0.6 && random.next() < 0.75;
            let guess = 9.0 + control;
            let (expected, doubt, chance) = match clear {
                true => (vec![guess, made], 0.0, 0.1),
                false => (vec![guess, 0.4], 1.0, 0.5),
            };
            chosen.push(Entry {
                controls: controls(control),
                expected,
                doubt,
                chance,
                values: (random.next() < chance).then(|| vec![tricks, made]),
            });
        }
        let estimate = chosen.combined(1);
        held += u32::from(estimate.low <= truth && truth <= estimate.high);
        sum += estimate.value;
        chosen_widths += estimate.margin();
        plain_widths += plain.combined(1).margin();
        let tricks = chosen.combined(0);
        other_held += u32::from(tricks.low <= 9.3 && 9.3 <= tricks.high);
    }
    assert!(covered(held), "{held} of {STUDIES}");
    assert!(covered(other_held), "{other_held} of {STUDIES}");
    // Four standard errors of the mean of all studies.
    let bias = sum / f64::from(STUDIES) - truth;
    let error = chosen_widths / 1.96 / f64::from(STUDIES).powf(1.5);
    assert!(bias.abs() < 4.0 * error, "{bias} with an error of {error}");
    assert!(
        chosen_widths < 0.8 * plain_widths,
        "{chosen_widths} against {plain_widths}"
    );
}

#[test]
fn controls_that_explain_save_deals_and_useless_ones_do_no_harm() {
    let mut random = Random(5);
    let deals: Vec<(f64, f64, f64)> = (0..20_000).map(|_| deal(&mut random)).collect();
    let sample = |useful: bool| {
        let control = |deal: &(f64, f64, f64)| vec![if useful { deal.0 } else { 1.0 }];
        let mut sample = Sample::new(1);
        deals.iter().for_each(|deal| sample.look(&control(deal)));
        for deal in &deals[..1_000] {
            sample.add(control(deal), vec![deal.1, deal.2]);
        }
        sample
    };
    let plain = sample(true).plain(0).margin();
    let combined = sample(true).combined(0).margin();
    assert!(combined < 0.75 * plain, "{combined} against {plain}");
    let useless = sample(false).combined(0);
    assert!((useless.margin() / plain - 1.0).abs() < 0.02);
    assert!((useless.value - sample(false).plain(0).value).abs() < 1e-6);
}
