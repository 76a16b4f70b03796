//! `croupier.value`, `croupier.metric` and the list of metrics.

use croupier::cards::{Seat, Side};
use croupier::valuation::entries::{ListedValue, ValueList};
use croupier::valuation::metrics as catalogue;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arguments::{SeatArgument, SideArgument, StrainArgument, type_error, value_error};
use crate::deal::{Deal, DealArgument};
use crate::hand::{HandArgument, whole};

/// Returns every valuation of a hand or a deal as a list of dictionaries: whose, valuation, part, suit, value.
#[pyfunction]
#[pyo3(signature = (cards, *, opener=SeatArgument(Seat::West)))]
pub fn value<'py>(cards: &Bound<'py, PyAny>, opener: SeatArgument) -> PyResult<Bound<'py, PyList>> {
    let py = cards.py();
    let mut entries = ValueList::default();
    match (cards.extract::<HandArgument>(), cards.cast::<Deal>()) {
        (_, Ok(deal)) => entries.deal(&deal.get().0, opener.0),
        (Ok(hand), _) => entries.hand("hand", whole(hand.0)?),
        (Err(error), _) => match cards.extract::<DealArgument>() {
            Ok(deal) => entries.deal(&deal.0, opener.0),
            Err(_) => return Err(error),
        },
    }
    let rows = PyList::empty(py);
    for entry in entries.iter() {
        rows.append(row(py, entry)?)?;
    }
    Ok(rows)
}

fn row<'py>(py: Python<'py>, entry: &ListedValue) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("whose", &entry.whose)?;
    row.set_item("valuation", entry.valuation)?;
    row.set_item("part", &entry.part)?;
    row.set_item("suit", entry.suit.map(|suit| suit.letter().to_string()))?;
    row.set_item("value", f64::from(entry.value) / f64::from(entry.scale))?;
    Ok(row)
}

/// Returns name, tag and a one-line description of each metric.
#[pyfunction]
#[pyo3(name = "metrics")]
pub fn metrics<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
    let list = PyDict::new(py);
    for metric in catalogue::list() {
        list.set_item(metric.name, metric.summary)?;
    }
    Ok(list)
}

/// Returns a metric's value for a side of a deal, for one seat of it, or for two partners' hands; in the given strain,
/// or else in the side's best fit.
#[pyfunction]
#[pyo3(signature = (name, cards, *, side=None, seat=None, strain=None))]
pub fn metric(
    name: &str,
    cards: &Bound<'_, PyAny>,
    side: Option<SideArgument>,
    seat: Option<SeatArgument>,
    strain: Option<StrainArgument>,
) -> PyResult<f64> {
    let Some(metric) = catalogue::by_name(&name.to_ascii_lowercase()) else {
        return Err(value_error(format!(
            "there is no metric {name:?}; croupier.metrics() lists them"
        )));
    };
    let seat = seat.map(|seat| seat.0);
    let notrump = match strain {
        None => false,
        Some(StrainArgument(croupier::cards::Strain::Notrump)) => true,
        Some(_) => {
            return Err(value_error(
                "a metric is for notrump (strain=\"N\") or, without a strain, for the best fit",
            ));
        }
    };
    let slot = metric.slot(seat, notrump);
    let slot = slot.ok_or_else(|| {
        value_error(format!(
            "{name} has no single value; croupier.value shows its parts"
        ))
    })?;
    let slots = if let Ok(DealArgument(deal)) = cards.extract::<DealArgument>() {
        let named = side.map(|side| side.0);
        let side = named.or(seat.map(Seat::side)).unwrap_or(Side::NorthSouth);
        catalogue::evaluate(metric.tag, &deal, side)
    } else {
        let hands: Vec<Bound<'_, PyAny>> = cards
            .try_iter()
            .map_err(|_| type_error("a deal or two hands", cards))?
            .collect::<PyResult<_>>()?;
        let [first, second] = hands.as_slice() else {
            return Err(value_error(format!(
                "a metric needs a deal or two partners' hands, not {}",
                hands.len()
            )));
        };
        let hand = |hand: &Bound<'_, PyAny>| whole(hand.extract::<HandArgument>()?.0);
        catalogue::evaluate_hands(metric.tag, hand(first)?, hand(second)?)
    };
    let slots = slots.map_err(value_error)?;
    let scale = metric
        .labels()
        .iter()
        .find(|label| label.slot == slot)
        .map_or(1, |label| label.scale);
    Ok(f64::from(slots[slot]) / f64::from(scale))
}

/// Returns the condition that the hand of a seat has one of the shapes, as text of the language. The shapes are in one of the
/// notations of the language, or in redeal's.
#[pyfunction]
pub fn shape_text(seat: SeatArgument, shapes: &str) -> PyResult<String> {
    let shapes = positional_shapes(shapes).unwrap_or_else(|| shapes.to_owned());
    croupier::script::expression::player(seat.0)
        .shape(&shapes)
        .map(|condition| condition.to_string())
        .map_err(value_error)
}

/// Rewrites redeal's notation, in which parentheses hold the lengths of the suits at their place in any order: `(54)xx` is
/// `54xx + 45xx`. Returns `None` if the text is not in it or has no parentheses.
fn positional_shapes(text: &str) -> Option<String> {
    let compact: String = text.split_whitespace().collect();
    if !compact.contains('(') {
        return None;
    }
    let mut found = String::new();
    for item in compact.split_inclusive(['+', '-', ',']) {
        let (item, sign) = match item.find(['+', '-', ',']) {
            Some(end) => (&item[..end], &item[end..]),
            None => (item, ""),
        };
        let mut patterns = vec![String::new()];
        let mut rest = item;
        while let Some(first) = rest.chars().next() {
            let group = if first == '(' {
                let end = rest.find(')')?;
                let group = &rest[1..end];
                rest = &rest[end + 1..];
                group
            } else {
                let single = rest.get(..1)?;
                rest = &rest[1..];
                single
            };
            if !group.chars().all(|c| c.is_ascii_digit() || c == 'x') {
                return None;
            }
            let orders = orders(group);
            patterns = patterns
                .iter()
                .flat_map(|pattern| orders.iter().map(move |order| format!("{pattern}{order}")))
                .collect();
        }
        if patterns.iter().any(|pattern| pattern.len() != 4) {
            return None;
        }
        // A subtraction applies to every pattern of the item.
        let join = match found.ends_with('-') {
            true => " - ",
            false => " + ",
        };
        found.push_str(&patterns.join(join));
        if !sign.is_empty() {
            found.push_str(&format!(" {}", if sign == "-" { "-" } else { "+" }));
        }
    }
    Some(found)
}

/// Returns all orders of the characters of a text, each once.
fn orders(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (place, first) in text.char_indices() {
        let rest: String = text
            .char_indices()
            .filter(|(other, _)| *other != place)
            .map(|(_, c)| c)
            .collect();
        let endings = match rest.is_empty() {
            true => vec![String::new()],
            false => orders(&rest),
        };
        for ending in endings {
            let order = format!("{first}{ending}");
            if !found.contains(&order) {
                found.push(order);
            }
        }
    }
    found
}

/// Returns the number by which the integers of a metric are divided, for a seat or a whole side.
#[pyfunction]
#[pyo3(signature = (name, seat=None, strain=None))]
pub fn metric_scale(
    name: &str,
    seat: Option<SeatArgument>,
    strain: Option<StrainArgument>,
) -> PyResult<i32> {
    let metric = catalogue::by_name(&name.to_ascii_lowercase()).ok_or_else(|| {
        value_error(format!(
            "there is no metric {name:?}; croupier.metrics() lists them"
        ))
    })?;
    let slot = metric.slot(seat.map(|seat| seat.0), strain.is_some());
    let slot = slot.ok_or_else(|| {
        value_error(format!(
            "{name} has no single value; croupier.value shows its parts"
        ))
    })?;
    let labels = metric.labels();
    let label = labels.iter().find(|label| label.slot == slot);
    Ok(label.map_or(1, |label| label.scale))
}
