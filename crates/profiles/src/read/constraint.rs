//! Random-suit and contingent constraints, and exclusions.

use cards::{BySeat, Seat, Shape, Suit};

use super::{SUITS, flag, seat, suit_range};
use crate::decode::{At, Decoder};
use crate::model::*;

pub(super) fn random_suit(d: &mut Decoder, value: &At, place: &str) -> Option<RandomSuit> {
    let mut fields = d.fields(value)?;
    let f = &mut fields;
    let count = d
        .required(f, "required_suits_count")
        .and_then(|v| d.whole(&v, 1, 4));
    let allowed = d.required(f, "allowed_suits").and_then(|v| suits(d, &v));
    let ranges = d.required(f, "suit_ranges").and_then(|v| {
        let list = d.list(&v)?;
        list.iter()
            .map(|v| suit_range(d, v, &format!("{place}, random suit")))
            .collect::<Option<Vec<_>>>()
    });
    let overrides = match f.take("pair_overrides") {
        Some(value) => {
            let list = d.list(&value)?;
            list.iter()
                .map(|v| pair_override(d, v, place))
                .collect::<Option<Vec<_>>>()
        }
        None => Some(Vec::new()),
    };
    d.unknown(fields);
    let (count, allowed, ranges, overrides) = (count? as usize, allowed?, ranges?, overrides?);
    let mut wrong =
        |message: String| d.error(value.tree.at, &value.path, format!("{place}: {message}"));
    if allowed.len() < count {
        wrong(format!(
            "{count} random suits cannot be drawn from {} allowed ones",
            allowed.len()
        ));
    }
    if ranges.len() < count {
        wrong(format!(
            "{count} random suits need {count} suit ranges, not {}",
            ranges.len()
        ));
    }
    if count != 2 && !overrides.is_empty() {
        wrong("pair overrides are for exactly two random suits".to_owned());
    }
    Some(RandomSuit {
        required_suits_count: count,
        allowed_suits: allowed,
        suit_ranges: ranges,
        pair_overrides: overrides,
    })
}

fn suits(d: &mut Decoder, value: &At) -> Option<Vec<Suit>> {
    let mut suits = Vec::new();
    for item in d.list(value)? {
        let suit = d.word(&item, &SUITS)?;
        if suits.contains(&suit) {
            d.error(item.tree.at, &item.path, format!("{suit} is named twice"));
            return None;
        }
        suits.push(suit);
    }
    Some(suits)
}

fn pair_override(d: &mut Decoder, value: &At, place: &str) -> Option<PairOverride> {
    let mut fields = d.fields(value)?;
    let pair = d.required(&mut fields, "suits").and_then(|v| {
        let pair: Result<[Suit; 2], _> = suits(d, &v)?.try_into();
        if pair.is_err() {
            d.error(v.tree.at, &v.path, format!("{place}: a pair has two suits"));
        }
        pair.ok()
    });
    let mut part = |key| {
        let value = d.required(&mut fields, key)?;
        suit_range(d, &value, &format!("{place}, pair override"))
    };
    let (first, second) = (part("first_range"), part("second_range"));
    d.unknown(fields);
    Some(PairOverride {
        suits: pair?,
        first_range: first?,
        second_range: second?,
    })
}

pub(super) fn contingent(
    d: &mut Decoder,
    value: &At,
    key: &str,
    own: Seat,
    place: &str,
) -> Option<Contingent> {
    let mut fields = d.fields(value)?;
    let other = d.required(&mut fields, key).and_then(|v| {
        let other = seat(d, &v)?;
        let is_partner = other == own.partner();
        if is_partner != (key == "partner_seat") || other == own {
            let message = format!("{place}: {} is not a possible {key}", other.letter());
            d.error(v.tree.at, &v.path, message);
        }
        Some(other)
    });
    let suit_range = d
        .required(&mut fields, "suit_range")
        .and_then(|v| suit_range(d, &v, &format!("{place}, contingent suit")));
    let use_non_chosen_suit = flag(d, &mut fields, "use_non_chosen_suit", false);
    d.unknown(fields);
    Some(Contingent {
        seat: other?,
        suit_range: suit_range?,
        use_non_chosen_suit,
    })
}

pub(super) fn exclusion(
    d: &mut Decoder,
    value: &At,
    seats: Option<&BySeat<Option<Vec<SubProfile>>>>,
) -> Option<Exclusion> {
    let mut fields = d.fields(value)?;
    let f = &mut fields;
    let seat = d.required(f, "seat").and_then(|v| seat(d, &v));
    let index = d.required(f, "subprofile_index").and_then(|v| {
        let index = d.whole(&v, 1, 1 << 20)? as usize;
        let count = seats
            .and_then(|seats| seats[seat?].as_ref())
            .map_or(0, Vec::len);
        if seat.is_some() && seats.is_some() && index > count {
            let message = format!("there is no subprofile {index}; the seat has {count}");
            d.error(v.tree.at, &v.path, message);
        }
        Some(index)
    });
    let shapes = f.take("excluded_shapes").map(|v| excluded_shapes(d, &v));
    let clauses = f.take("clauses").map(|v| clauses(d, &v));
    d.unknown(fields);
    let rule = match (shapes, clauses) {
        (Some(shapes), None) => ExclusionRule::Shapes(shapes?),
        (None, Some(clauses)) => ExclusionRule::Clauses(clauses?),
        _ => {
            let message =
                "an exclusion has either excluded_shapes or clauses, and only one of them";
            d.error(value.tree.at, &value.path, message);
            return None;
        }
    };
    Some(Exclusion {
        seat: seat?,
        subprofile_index: index?,
        rule,
    })
}

fn excluded_shapes(d: &mut Decoder, value: &At) -> Option<Vec<Shape>> {
    let mut shapes = Vec::new();
    for item in d.list(value)? {
        let text = d.text(&item)?;
        // One digit per suit; A to D mean 10 to 13.
        let digits: Option<Vec<u8>> = text
            .chars()
            .map(|c| c.to_digit(14).map(|digit| digit as u8))
            .collect();
        let lengths: Option<[u8; 4]> = digits.and_then(|digits| digits.try_into().ok());
        match lengths.and_then(Shape::new) {
            Some(shape) => shapes.push(shape),
            None => {
                let message = format!("{text:?} is not a shape: four digits, spades first, sum 13");
                d.error(item.tree.at, &item.path, message);
            }
        }
    }
    Some(shapes)
}

fn clauses(d: &mut Decoder, value: &At) -> Option<Vec<LengthClause>> {
    let list = d.list(value)?;
    if list.is_empty() || list.len() > 2 {
        d.error(
            value.tree.at,
            &value.path,
            "an exclusion has one or two clauses",
        );
    }
    list.iter()
        .map(|item| {
            let mut f = d.fields(item)?;
            let groups = [
                ("ANY", SuitGroup::Any),
                ("MAJOR", SuitGroup::Major),
                ("MINOR", SuitGroup::Minor),
            ];
            let group = d
                .required(&mut f, "group")
                .and_then(|v| d.word(&v, &groups));
            let length = d
                .required(&mut f, "length_eq")
                .and_then(|v| d.whole(&v, 0, 13));
            let count = d.required(&mut f, "count").and_then(|v| d.whole(&v, 0, 4));
            d.unknown(f);
            Some(LengthClause {
                group: group?,
                length_eq: length? as u8,
                count: count? as u8,
            })
        })
        .collect()
}
