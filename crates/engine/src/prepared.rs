//! A plan with the tables and options that its evaluation needs, prepared once and shared by all threads.

use std::sync::{Arc, OnceLock};

use cards::{CardSet, Deal, Holding, Seat, Shape, Suit, Vulnerability, scoring};
use script::plan::{Counter, LoserRule, Mode, Plan, ShapeId};
use usermetrics::UserMetrics;
use valuation::{CountTables, FourCsVersion, HandRule, PointTable, RuleValue, SuitValue};

use crate::auctions::DealAuctions;
use crate::outcome::Options;

/// Values of all 8192 holdings.
type HoldingTable = Arc<[i32; 8192]>;

/// A function of one suit's holding that is looked up rather than computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SuitTable {
    /// A point count.
    Count(Counter),
    /// Losers by v1's tables.
    Losers,
    /// A rule of `valuation` for single suits, in the dialect of the plan.
    Rule(HandRule, SuitValue),
}

/// A plan ready to be evaluated.
pub struct PreparedPlan<'a> {
    /// The plan.
    pub(crate) plan: &'a Plan,
    pub(crate) dialect: FourCsVersion,
    pub(crate) imps: fn(i32) -> i32,
    pub(crate) opener: Seat,
    pub(crate) par_vulnerability: Vulnerability,
    pub(crate) solver_memory: u32,
    pub(crate) auctions: Option<DealAuctions<'a>>,
    user_metrics: Option<&'a UserMetrics>,
    built_in: UserMetrics,
    /// The script's point count tables, in the form that user metrics receive.
    pub(crate) count_tables: CountTables,
    /// Tables of the point counts, by [`WeightCounter::index`].
    counters: [OnceLock<HoldingTable>; Counter::COUNT],
    losers: OnceLock<HoldingTable>,
    /// Tables of the rules for single suits, by [`HandRule::index`].
    rules: [OnceLock<HoldingTable>; HandRule::ALL.len()],
}

impl<'a> PreparedPlan<'a> {
    /// Prepares the plan for evaluation with these options.
    #[must_use]
    pub fn new(plan: &'a Plan, options: &Options<'a>) -> Self {
        PreparedPlan {
            plan,
            dialect: plan.four_cs,
            imps: if plan.mode == Mode::V2 {
                scoring::imps_dealer_v2
            } else {
                scoring::imps
            },
            opener: options.opener,
            par_vulnerability: options.par_vulnerability,
            solver_memory: options.solver_memory,
            auctions: options.auctions,
            user_metrics: options.user_metrics,
            built_in: match plan.mode {
                Mode::V2 => UserMetrics::built_in_as_v2(),
                _ => UserMetrics::built_in(),
            },
            count_tables: CountTables {
                hcp: points(plan, Counter::Hcp),
                counts: std::array::from_fn(|n| points(plan, Counter::Pt(n as u8))),
            },
            counters: [const { OnceLock::new() }; Counter::COUNT],
            losers: OnceLock::new(),
            rules: [const { OnceLock::new() }; HandRule::ALL.len()],
        }
    }

    /// Returns the table, computed at its first use.
    fn table_ref(&self, table: SuitTable) -> &HoldingTable {
        match table {
            SuitTable::Count(counter) => self.counters[counter.index()].get_or_init(|| {
                let values = points(self.plan, counter);
                by_holding(|holding| values.suit(holding))
            }),
            SuitTable::Losers => self.losers.get_or_init(|| {
                let (controls, top3) = (
                    points(self.plan, Counter::Controls),
                    points(self.plan, Counter::Pt(6)),
                );
                by_holding(|h| valuation::suit_losers_by_tables(h, &controls, &top3))
            }),
            SuitTable::Rule(rule, value) => self.rules[rule.index()]
                .get_or_init(|| by_holding(|holding| value(holding, self.dialect))),
        }
    }

    /// Returns a shared reference to the table.
    pub(crate) fn table(&self, table: SuitTable) -> Arc<[i32; 8192]> {
        Arc::clone(self.table_ref(table))
    }

    /// Returns the source of the values of `usereval`.
    pub(crate) fn user_metrics(&self) -> &UserMetrics {
        self.user_metrics.unwrap_or(&self.built_in)
    }

    /// Returns whether the metrics are the built-in ones.
    pub(crate) fn has_built_in_metrics(&self) -> bool {
        self.user_metrics().is_built_in()
    }

    /// Returns for every seat, as bits, which of the script's first sixteen shape sets its hand belongs to.
    pub(crate) fn shape_terms(&self, deal: &Deal) -> [u16; 4] {
        Seat::ALL.map(|seat| {
            let shape = Shape::of(deal.hand(seat));
            let sets = self.plan.shapes.iter().take(16).enumerate();
            sets.filter(|(_, set)| shape.is_some_and(|shape| set.contains(shape)))
                .fold(0, |terms, (term, _)| terms | 1 << term)
        })
    }

    pub(crate) fn count(&self, counter: Counter, hand: CardSet, suit: Option<Suit>) -> i32 {
        let table = self.table_ref(SuitTable::Count(counter));
        sum(hand, suit, |holding| table[usize::from(holding.0)])
    }

    pub(crate) fn losers(&self, rule: LoserRule, hand: CardSet, suit: Option<Suit>) -> i32 {
        match rule {
            LoserRule::Cards => sum(hand, suit, valuation::suit_losers),
            LoserRule::Tables => {
                let table = self.table_ref(SuitTable::Losers);
                sum(hand, suit, |holding| table[usize::from(holding.0)])
            }
        }
    }

    pub(crate) fn hand_value(&self, rule: HandRule, hand: CardSet, suit: Option<Suit>) -> i32 {
        match rule.value() {
            RuleValue::Suit(value) => sum(hand, suit, |holding| value(holding, self.dialect)),
            RuleValue::Hand(value) => value(hand, self.dialect),
        }
    }

    pub(crate) fn has_shape(&self, hand: CardSet, set: ShapeId) -> bool {
        Shape::of(hand).is_some_and(|shape| self.plan.shape_set(set).contains(shape))
    }
}

fn points(plan: &Plan, counter: Counter) -> PointTable {
    PointTable::from_ranks(*plan.counter(counter))
}

/// Sums a function over one suit, or over all suits of the hand if `suit` is `None`.
fn sum(hand: CardSet, suit: Option<Suit>, value: impl Fn(Holding) -> i32) -> i32 {
    match suit {
        Some(suit) => value(hand.holding(suit)),
        None => Suit::ALL.into_iter().fold(0, |total, suit| {
            total.wrapping_add(value(hand.holding(suit)))
        }),
    }
}

fn by_holding(value: impl Fn(Holding) -> i32) -> HoldingTable {
    let mut table = [0; 8192];
    for (bits, entry) in table.iter_mut().enumerate() {
        *entry = value(Holding(bits as u16));
    }
    Arc::new(table)
}

/// Returns a deal in which every seat holds one whole suit, as a placeholder before the first deal.
pub(crate) fn any_deal() -> Deal {
    Deal::from_valid_hands(Suit::ALL.map(CardSet::of_suit))
}
