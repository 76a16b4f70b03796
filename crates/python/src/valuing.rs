//! `croupier.value`, `croupier.metric` and the list of metrics.

use croupier::cards::{Seat, Side};
use croupier::valuation::entries::{Entries, Entry};
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
    let mut entries = Entries::default();
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

fn row<'py>(py: Python<'py>, entry: &Entry) -> PyResult<Bound<'py, PyDict>> {
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
