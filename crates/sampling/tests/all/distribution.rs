//! Compares deals from the sampler with deals that plain dealing accepts: lengths, points, controls and shapes of every
//! hand, joint tables and the seat of every card, for many conditions.
//!
//! A condition fails if any of its tables differs at the level 10^-6 divided by the number of tables. With other seeds
//! a false alarm is expected once in about 30,000 runs; the seeds are fixed.

use crate::language::ConditionText;
use cards::{Deal, Seat, Suit};
use croupier_sampling::{Budget, Sampler};
use shuffle::{BLOCK_DEALS, Block, FastDealer, Key, Predeal};

/// Conditions on one, two, three and four seats, with or, not, sums, predeal, dotted points, losers, single cards,
/// residuals.
const CONDITIONS: [&str; 33] = [
    "spades(north)>=6 and hcp(north)>=10 and hcp(north)<=12",
    "hcp(north)>=15 and hcp(north)<=17 and shape(north,any 4333 + any 4432 + any 5332)",
    "shape(south,any 4441)",
    "hcp(west)>=20",
    "hcp(east)<=2",
    "controls(north)>=6 and hcp(north)<=16",
    "losers(north)<=5",
    "hearts(north)>=5 and hcp(north)>=8 and hcp(north)<=11 and losers(north)<=7",
    "hascard(north,AS) and hcp(north)>=15",
    "hascard(west,KH) and not hascard(north,AS) and spades(north)>=5",
    "spades(north)>=5 and hcp(north,spades)>=6 and hcp(north)<=11",
    "hcp(north)>=20 or (spades(north)>=7 and hcp(north)>=8)",
    "tens(north)>=2 and hcp(north)>=13",
    "aces(north)==2 and losers(north)==7",
    "shape(north,5xxx - any 5332) and hcp(north)>=12 and not (hearts(north)>=4)",
    "bumrap(north)>=1800 and bumrap(north)<=1950",
    "c13(north)>=24 and diamonds(north)<=3",
    "predeal north SA,HK; hcp(north)>=18",
    "predeal south SAKQ west H2,DA; hcp(north)>=12 and spades(north)>=3",
    "hearts(north)+hearts(south)>=9",
    "hcp(north)+hcp(south)>=25 and hearts(north)+hearts(south)>=8",
    "hcp(east)+hcp(west)<=12 and spades(north)+spades(south)>=8",
    "controls(north)+controls(south)>=9",
    "hcp(north)>=15 and hcp(north)<=17 and hcp(south)>=8 and hcp(south)<=9",
    "spades(north)>=5 and hcp(north)>=11 and hearts(south)>=4 and hcp(south)>=9",
    "hcp(north)>=15 and hcp(north)<=17 and hcp(north)+hcp(south)>=25 and spades(south)>=4",
    "(hcp(north)>=15 and hcp(north)<=17 and hearts(south)>=5) or (hcp(north)>=20 and spades(south)>=5)",
    "spades(north)+hcp(north)>=22 and spades(north)-hearts(south)>=2",
    "hcp(north)>hcp(south)+10 and hearts(north)>=hearts(south)+2",
    "spades(north)>=5 and hearts(east)>=5 and diamonds(south)>=4",
    "spades(north)>=4 and hearts(east)>=4 and diamonds(south)>=4 and clubs(west)>=4",
    "hcp(north)>=12 and hcp(east)>=10 and hcp(south)<=8 and hearts(west)>=3",
    "hcp(north)>=9 and hcp(north)<=11 and hcp(east)>=9 and hcp(east)<=11 and hcp(south)>=9 and hcp(south)<=11",
];

/// Counts of deals by the cells of several tables.
struct Tables {
    tables: Vec<Vec<u32>>,
    deals: u32,
}

fn hcp(deal: &Deal, seat: Seat) -> usize {
    let value = |rank: usize| rank.saturating_sub(8);
    deal[seat]
        .iter()
        .map(|card| value(card.rank().index()))
        .sum()
}

fn controls(deal: &Deal, seat: Seat) -> usize {
    let value = |rank: usize| rank.saturating_sub(10);
    deal[seat]
        .iter()
        .map(|card| value(card.rank().index()))
        .sum()
}

fn cells(deal: &Deal) -> Vec<usize> {
    let mut cells = Vec::new();
    for seat in Seat::ALL {
        cells.push(hcp(deal, seat));
        cells.push(controls(deal, seat));
        for suit in Suit::ALL {
            cells.push(deal[seat].holding(suit).len());
        }
        let mut pattern = deal[seat].lengths();
        pattern.sort_unstable();
        cells.push(
            pattern
                .iter()
                .fold(0, |code, &length| code * 14 + usize::from(length))
                % 2744,
        );
        // The low spades: which of 2, 5 and 8 are held.
        let spades = usize::from(deal[seat].holding(Suit::Spades).0);
        cells.push(spades & 1 | spades >> 2 & 2 | spades >> 4 & 4);
    }
    let [n, e, s, w] = Seat::ALL.map(|seat| hcp(deal, seat));
    cells.extend([n * 41 + s, e * 41 + w, n * 41 + e]);
    for suit in Suit::ALL {
        let length = |seat: Seat| deal[seat].holding(suit).len();
        cells.push(length(Seat::North) * 14 + length(Seat::South));
    }
    cells.push(n * 14 + deal[Seat::North].holding(Suit::Spades).len());
    cells.push(s * 14 + deal[Seat::South].holding(Suit::Hearts).len());
    cells.push(e * 14 + deal[Seat::North].holding(Suit::Hearts).len());
    cells
}

impl Tables {
    fn new() -> Tables {
        Tables {
            tables: Vec::new(),
            deals: 0,
        }
    }

    fn add(&mut self, deal: &Deal) {
        let cells = cells(deal);
        self.tables.resize(cells.len() + 4, Vec::new());
        for (table, cell) in self.tables.iter_mut().zip(cells) {
            if table.len() <= cell {
                table.resize(cell + 1, 0);
            }
            table[cell] += 1;
        }
        // One table of 52 cards for each seat. Its cells are not exclusive, so it is tested separately.
        let first = self.tables.len() - 4;
        for seat in Seat::ALL {
            let table = &mut self.tables[first + seat.index()];
            table.resize(52, 0);
            deal[seat].iter().for_each(|card| table[card.index()] += 1);
        }
        self.deals += 1;
    }

    /// Returns the largest deviation over all tables, in standard deviations.
    fn distance(&self, other: &Tables) -> f64 {
        let exclusive = self.tables.len() - 4;
        let mut largest = 0.0f64;
        for (one, two) in self.tables[..exclusive].iter().zip(&other.tables) {
            largest = largest.max(two_sample(one, two, self.deals, other.deals));
        }
        for (one, two) in self.tables[exclusive..]
            .iter()
            .zip(&other.tables[exclusive..])
        {
            for (&a, &b) in one.iter().zip(two) {
                let (n, m) = (f64::from(self.deals), f64::from(other.deals));
                let share = f64::from(a + b) / (n + m);
                let deviation = (share * (1.0 - share) * (1.0 / n + 1.0 / m)).sqrt();
                if deviation > 0.0 {
                    let z = (f64::from(a) / n - f64::from(b) / m).abs() / deviation;
                    largest = largest.max(z);
                }
            }
        }
        largest
    }
}

/// Returns a two-sample chi-square as a normal deviate (Wilson-Hilferty). Cells with few deals are pooled.
fn two_sample(one: &[u32], two: &[u32], n: u32, m: u32) -> f64 {
    let (n, m) = (f64::from(n), f64::from(m));
    let (mut chi, mut cells, mut pool) = (0.0, 0.0, (0.0, 0.0));
    let mut add = |a: f64, b: f64| {
        let share = (a + b) / (n + m);
        chi += (a - share * n).powi(2) / (share * n) + (b - share * m).powi(2) / (share * m);
        cells += 1.0;
    };
    for cell in 0..one.len().max(two.len()) {
        let count = |table: &[u32]| f64::from(table.get(cell).copied().unwrap_or(0));
        let (a, b) = (count(one), count(two));
        if a + b >= 20.0 {
            add(a, b);
        } else {
            pool = (pool.0 + a, pool.1 + b);
        }
    }
    if pool.0 + pool.1 >= 20.0 {
        add(pool.0, pool.1);
    }
    if cells < 2.0 {
        return 0.0;
    }
    let df = cells - 1.0;
    let h = 2.0 / (9.0 * df);
    ((chi / df).cbrt() - (1.0 - h)) / h.sqrt()
}

/// About 250 tests for each condition; a normal deviate exceeds 6 with probability 10^-9 on one side.
const LIMIT: f64 = 6.0;

fn plain(text: &ConditionText, wanted: u32, seed: u64) -> (Tables, u64) {
    let predeal = Predeal::new(text.predealt()).unwrap();
    let dealer = FastDealer::new(Key::from_seed(seed), &predeal);
    let (mut tables, mut block, mut looked) = (Tables::new(), Block::new(), 0);
    for number in 0.. {
        dealer.fill(number, &mut block).unwrap();
        for place in 0..BLOCK_DEALS {
            let deal = block.deal(place);
            looked += 1;
            if text.accepts(&deal) {
                tables.add(&deal);
                if tables.deals == wanted {
                    return (tables, looked);
                }
            }
        }
    }
    unreachable!()
}

fn sampled(
    text: &ConditionText,
    wanted: u32,
    seed: u64,
    keep: impl Fn(u32, &Deal) -> bool,
) -> Tables {
    let sampler = Sampler::new(&text.problem(), Budget::default()).unwrap();
    let mut tables = Tables::new();
    let mut deals = Vec::new();
    let mut drawn = 0;
    for block in 0.. {
        sampler.block(&Key::from_seed(seed), block, &mut deals);
        for deal in &deals {
            drawn += 1;
            let passes = sampler.is_complete() || text.accepts(deal);
            if passes && keep(drawn, deal) {
                assert!(text.accepts(deal), "{deal}");
                tables.add(deal);
                if tables.deals == wanted {
                    return tables;
                }
            }
        }
    }
    unreachable!()
}

fn compare(wanted: u32) {
    for (number, condition) in CONDITIONS.iter().enumerate() {
        let text = ConditionText::read(condition);
        let (expected, looked) = plain(&text, wanted, 1000 + number as u64);
        let found = sampled(&text, wanted, 2000 + number as u64, |_, _| true);
        let distance = expected.distance(&found);
        assert!(distance < LIMIT, "{condition}: {distance}");
        let sampler = Sampler::new(&text.problem(), Budget::default()).unwrap();
        if sampler.is_complete() {
            let p = sampler.count().probability();
            let share = f64::from(wanted) / looked as f64;
            let error = p * ((1.0 - p) / f64::from(wanted)).sqrt();
            assert!(
                (share - p).abs() < LIMIT * error,
                "{condition}: {share} {p}"
            );
        }
    }
}

#[test]
fn sampled_deals_look_like_accepted_ones() {
    compare(3000);
}

#[test]
#[ignore = "minutes; run by ./check --long"]
fn long_sampled_deals_look_like_accepted_ones() {
    compare(200_000);
}

/// Checks that the test detects an error: a sampler that loses one in five of the hands with seven spades or more must
/// fail.
#[test]
fn a_biased_sampler_fails_the_check() {
    let text = ConditionText::read(CONDITIONS[0]);
    let (expected, _) = plain(&text, 20_000, 1);
    let long = |deal: &Deal| deal[Seat::North].holding(Suit::Spades).len() >= 7;
    let biased = sampled(&text, 20_000, 2, |drawn, deal| {
        drawn % 5 != 0 || !long(deal)
    });
    assert!(expected.distance(&biased) > LIMIT);
    let fair = sampled(&text, 20_000, 2, |_, _| true);
    assert!(expected.distance(&fair) < LIMIT);
}
