//! Every part of the valuations of a hand, a pair or a deal, as a list of numbers.
//!
//! ```
//! use croupier_valuation::entries::ValueList;
//!
//! let mut entries = ValueList::default();
//! entries.hand("hand", cards::notation::hand("AK842.QJ5.KT9.72").unwrap());
//! let hcp = entries.iter().find(|entry| entry.valuation == "hcp" && entry.suit.is_none()).unwrap();
//! assert_eq!(hcp.value, 13);
//! ```

use cards::{BySuit, CardSet, Deal, Seat, Side, Strain, Suit};

use crate::metrics::{self, Label};
use crate::{
    FourCs, FourCsVersion, HandPair, OpcHand, OpcParts, Opener, PointTable, quality, suit_controls,
    suit_hcp, suit_losers, suit_ltc,
};

/// The names of the valuations that are not metrics.
pub const NAMES: [&str; 9] = [
    "hcp", "c13", "controls", "losers", "ltc", "quality", "cccc", "cccc-v1", "opc",
];

/// Name of the part that is the result of a valuation.
pub const TOTAL: &str = "total";

/// One number of a valuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedValue {
    /// A seat, a side, or "hand".
    pub whose: String,
    /// The method.
    pub valuation: &'static str,
    /// The part of the valuation.
    pub part: String,
    /// The suit, if the number is about one suit.
    pub suit: Option<Suit>,
    /// The result slot, if the number belongs to a metric.
    pub slot: Option<usize>,
    /// The value, in units of 1 / `scale` points.
    pub value: i32,
    /// Number of units in a point.
    pub scale: i32,
}

/// A list of numbers, in the order in which they are shown.
#[derive(Clone, Debug, Default)]
pub struct ValueList {
    entries: Vec<ListedValue>,
}

impl ValueList {
    /// Returns the numbers.
    pub fn iter(&self) -> impl Iterator<Item = &ListedValue> {
        self.entries.iter()
    }

    /// Keeps only the named valuations.
    pub fn keep(&mut self, names: &[String]) {
        let wanted = |entry: &ListedValue| {
            names
                .iter()
                .any(|n| n.eq_ignore_ascii_case(entry.valuation))
        };
        self.entries.retain(wanted);
    }

    /// Adds all numbers of a deal: its hands, then its sides. `opc` depends on the opener.
    pub fn deal(&mut self, deal: &Deal, opener: Seat) {
        for seat in Seat::ALL {
            self.hand(&seat.letter().to_string(), deal.hand(seat));
        }
        for side in Side::ALL {
            self.side(side, &HandPair::of(deal, side, opener));
        }
    }

    /// Adds all numbers of two partners' hands, North's and South's.
    pub fn pair(&mut self, north: CardSet, south: CardSet, opener: Seat) {
        self.hand("N", north);
        self.hand("S", south);
        let pair = HandPair {
            north_east: north,
            south_west: south,
            opener: opener.into(),
        };
        self.side(Side::NorthSouth, &pair);
    }

    /// Adds all numbers of one hand.
    pub fn hand(&mut self, whose: &str, hand: CardSet) {
        let mut hand_part = |valuation, scale, of: &dyn Fn(cards::Holding) -> i32| {
            let suits = BySuit::from_fn(|suit| of(hand.holding(suit)));
            let mut part = Part {
                entries: self,
                whose,
                valuation,
                scale,
            };
            part.suits(TOTAL, suits);
            part.total(TOTAL, suits.total());
        };
        hand_part("hcp", 1, &suit_hcp);
        hand_part("c13", 1, &|holding| PointTable::C13.suit(holding));
        hand_part("controls", 1, &suit_controls);
        hand_part("losers", 1, &suit_losers);
        hand_part("ltc", 100, &suit_ltc);
        let suits = BySuit::from_fn(|suit| quality(hand.holding(suit), FourCsVersion::V2));
        self.part(whose, "quality", 100).suits(TOTAL, suits);
        self.four_cs(whose, "cccc", &FourCs::of(hand, FourCsVersion::V2));
        self.four_cs(whose, "cccc-v1", &FourCs::of(hand, FourCsVersion::V1));
        self.honour_counts(whose, hand);
    }

    fn four_cs(&mut self, whose: &str, valuation: &'static str, parts: &FourCs) {
        let mut part = self.part(whose, valuation, 100);
        part.suits("honours", parts.honours);
        part.total("honours", parts.honours.total());
        part.suits("quality", parts.quality);
        part.total("quality", parts.quality.total());
        part.total("shape", parts.shape);
        part.total(TOTAL, parts.total);
    }

    /// Adds the metrics that count honours, which are defined for a single hand.
    fn honour_counts(&mut self, whose: &str, hand: CardSet) {
        for metric in metrics::list()
            .iter()
            .filter(|metric| is_honour_count(metric.tag))
        {
            let Ok(slots) = metrics::evaluate_hands(metric.tag, hand, CardSet::EMPTY) else {
                continue;
            };
            let mut part = self.part(whose, metric.name, 100);
            part.suits(TOTAL, BySuit::from_fn(|suit| slots[8 + suit.index()]));
            part.total(TOTAL, slots[4]);
        }
    }

    /// Adds all numbers of two partners.
    pub fn side(&mut self, side: Side, pair: &HandPair) {
        self.opc(side, pair);
        for metric in metrics::list().iter().filter(|metric| metric.tag < 40) {
            let (first, second) = (pair.north_east, pair.south_west);
            let Ok(slots) = metrics::evaluate_hands(metric.tag, first, second) else {
                continue;
            };
            for Label {
                slot,
                whose,
                text,
                scale,
            } in metric.labels()
            {
                // The other parts of an honour count are listed with the hands.
                let shown = !is_honour_count(metric.tag) || text.starts_with("points");
                if text == "unused" || !shown {
                    continue;
                }
                let whose = match whose.seat(side) {
                    None => side.letters().to_string(),
                    Some(seat) => seat.letter().to_string(),
                };
                self.entries.push(ListedValue {
                    whose,
                    valuation: metric.name,
                    part: text,
                    suit: None,
                    slot: Some(slot),
                    value: slots[slot],
                    scale,
                });
            }
        }
    }

    fn opc(&mut self, side: Side, pair: &HandPair) {
        let parts = OpcParts::of(pair);
        let [north_east, south_west] = side.seats().map(|seat| seat.letter().to_string());
        self.opc_hand(&north_east, &parts.north_east);
        self.opc_hand(&south_west, &parts.south_west);
        let opener = match pair.opener {
            Opener::NorthEast => north_east,
            Opener::SouthWest => south_west,
        };
        let mut part = self.part(side.letters(), "opc", 100);
        part.total("honours, length, synergy and adjustment", parts.hl);
        part.suits("fit length", parts.fit_length);
        part.total("fit length", parts.fit_length.total());
        part.total("mirror", parts.mirror);
        part.total("waste", parts.waste);
        part.total("no waste", parts.no_waste);
        part.total("base", parts.base);
        part.suits(
            &format!("with this suit as trumps, {opener} opening"),
            parts.opc.suits,
        );
        part.total("in notrump", parts.opc.notrump);
        let longest = parts.opc.longest_fit.name();
        part.total(
            &format!("in the longest fit, {longest}"),
            parts.opc.longest(),
        );
        let mut part = self.part(side.letters(), "opc", 1);
        part.total("quick losers, suit contract", parts.opc.quick_losers_suit);
        part.total("quick losers, notrump", parts.opc.quick_losers_notrump);
        let fit = Strain::from(parts.opc.longest_fit);
        let expected = [(fit, longest), (Strain::Notrump, "notrump")];
        for (strain, name) in expected {
            if let Some(tricks) = parts.opc.expected_tricks(strain) {
                part.total(&format!("tricks expected in {name}"), tricks);
            }
        }
    }

    fn opc_hand(&mut self, whose: &str, hand: &OpcHand) {
        let mut part = self.part(whose, "opc", 100);
        let per_suit = [
            ("honours", hand.honours),
            ("length", hand.length),
            ("synergy", hand.synergy),
            ("honours in fits", hand.fit_honours),
            ("misfit", hand.misfit),
            ("waste", hand.waste),
        ];
        for (name, suits) in per_suit {
            part.suits(name, suits);
            let total = if name == "length" {
                hand.capped_length
            } else {
                suits.total()
            };
            part.total(name, total);
        }
        part.suits("shortness with this suit as trumps", hand.dfit);
        part.total("adjustment", hand.adjustment);
        part.total("shortness in notrump", -hand.notrump_shortage);
    }

    /// Adds a result of a user's metric.
    pub fn user(&mut self, side: Side, slot: usize, value: i32) {
        self.entries.push(ListedValue {
            whose: side.letters().to_string(),
            valuation: "user",
            part: format!("slot {slot}"),
            suit: None,
            slot: Some(slot),
            value,
            scale: 1,
        });
    }

    fn part<'a>(&'a mut self, whose: &'a str, valuation: &'static str, scale: i32) -> Part<'a> {
        Part {
            entries: self,
            whose,
            valuation,
            scale,
        }
    }
}

/// Returns whether a metric is about single hands.
fn is_honour_count(tag: i32) -> bool {
    (20..40).contains(&tag)
}

/// Adds numbers of one valuation.
struct Part<'a> {
    entries: &'a mut ValueList,
    whose: &'a str,
    valuation: &'static str,
    scale: i32,
}

impl Part<'_> {
    fn push(&mut self, part: &str, suit: Option<Suit>, value: i32) {
        self.entries.entries.push(ListedValue {
            whose: self.whose.to_string(),
            valuation: self.valuation,
            part: part.to_string(),
            suit,
            slot: None,
            value,
            scale: self.scale,
        });
    }

    fn suits(&mut self, part: &str, values: BySuit<i32>) {
        for suit in Suit::DESCENDING {
            self.push(part, Some(suit), values[suit]);
        }
    }

    fn total(&mut self, part: &str, value: i32) {
        self.push(part, None, value);
    }
}
