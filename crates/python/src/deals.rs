//! `croupier.Deals`: many deals as masks, converted to `Deal` on access.

use arrow_array::UInt64Array;
use arrow_buffer::ScalarBuffer;
use croupier::cards::CardSet;
use numpy::ndarray::ArrayView2;
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

use crate::arguments::{type_error, value_error};
use crate::deal::{Deal, DealArgument};

/// A sequence of deals. It uses 32 bytes per deal and creates a `Deal` on access; `masks` is a NumPy array `uint64[n,
/// 4]` over the same memory.
#[pyclass(module = "croupier", frozen, sequence)]
#[derive(Clone)]
pub struct Deals {
    /// All North hands, then all East, South and West hands; each a column.
    masks: ScalarBuffer<u64>,
    count: usize,
}

impl Deals {
    /// Creates the sequence from four columns of masks.
    pub fn of_columns(columns: [Vec<u64>; 4]) -> Deals {
        let count = columns[0].len();
        Deals {
            masks: columns.concat().into(),
            count,
        }
    }

    /// Creates the sequence from single deals.
    pub fn of(deals: &[croupier::cards::Deal]) -> Deals {
        let mut columns: [Vec<u64>; 4] = Default::default();
        for deal in deals {
            for (column, hand) in columns.iter_mut().zip(deal.hands()) {
                column.push(hand.0);
            }
        }
        Deals::of_columns(columns)
    }

    /// Returns the number of deals.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the deal at a position.
    pub fn get(&self, place: usize) -> croupier::cards::Deal {
        let hands = std::array::from_fn(|seat| CardSet(self.masks[seat * self.count + place]));
        croupier::cards::Deal::from_valid_hands(hands)
    }

    /// Returns the masks of one seat (North is 0) without copying.
    pub fn column(&self, seat: usize) -> UInt64Array {
        UInt64Array::new(self.masks.slice(seat * self.count, self.count), None)
    }

    /// Returns all deals.
    pub fn to_vec(&self) -> Vec<croupier::cards::Deal> {
        (0..self.count).map(|place| self.get(place)).collect()
    }
}

/// An argument of one deal or several, and whether it was a single one.
pub struct DealsArgument {
    pub deals: Vec<croupier::cards::Deal>,
    pub single: bool,
}

impl DealsArgument {
    fn many(deals: Vec<croupier::cards::Deal>) -> DealsArgument {
        DealsArgument {
            deals,
            single: false,
        }
    }
}

/// Returns the deals of an array of masks.
fn from_array(array: &PyReadonlyArray2<'_, u64>) -> PyResult<Vec<croupier::cards::Deal>> {
    let rows = array.as_array();
    if rows.ncols() != 4 {
        return Err(value_error(format!(
            "an array of deals has 4 columns, not {}",
            rows.ncols()
        )));
    }
    let deal = |(number, row): (usize, numpy::ndarray::ArrayView1<'_, u64>)| {
        croupier::cards::Deal::new([0, 1, 2, 3].map(|seat| CardSet(row[seat])))
            .map_err(|error| value_error(format!("deal {number}: {error}")))
    };
    rows.rows().into_iter().enumerate().map(deal).collect()
}

impl<'a, 'py> FromPyObject<'a, 'py> for DealsArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(deals) = object.cast::<Deals>() {
            return Ok(DealsArgument::many(deals.get().to_vec()));
        }
        if let Ok(DealArgument(deal)) = object.extract::<DealArgument>() {
            return Ok(DealsArgument {
                deals: vec![deal],
                single: true,
            });
        }
        if object.extract::<String>().is_ok() {
            // The text is not a deal: return the error of the parser.
            return Err(object
                .extract::<DealArgument>()
                .err()
                .unwrap_or_else(|| value_error("not a deal")));
        }
        if object.hasattr("__array_interface__")? {
            let array = object.extract::<PyReadonlyArray2<'_, u64>>();
            let array = array.map_err(|_| type_error("an array uint64[n, 4] of masks", &object))?;
            return from_array(&array).map(DealsArgument::many);
        }
        if let Ok(inner) = object.getattr("deals") {
            return inner.extract();
        }
        let wanted = "a deal, deals, or an array uint64[n, 4] of masks";
        let items = object.try_iter().map_err(|_| type_error(wanted, &object))?;
        let deals: PyResult<Vec<_>> = items
            .map(|item| Ok(item?.extract::<DealArgument>()?.0))
            .collect();
        deals.map(DealsArgument::many)
    }
}

#[pymethods]
impl Deals {
    /// Creates the sequence from deals, boards, texts, or an array `uint64[n, 4]` of masks.
    #[new]
    fn new(deals: DealsArgument) -> Deals {
        Deals::of(&deals.deals)
    }

    /// Masks of the hands, one row per deal, North first: `uint64[n, 4]`, read-only, without copying.
    #[getter]
    fn masks<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        crate::columns::need_numpy(slf.py())?;
        let this = slf.get();
        let columns =
            ArrayView2::from_shape((4, this.count), &this.masks[..]).map_err(value_error)?;
        // SAFETY: `slf` holds the buffer behind the view. The array keeps it alive, and is made read-only below before
        // other code can use it.
        let array = unsafe { PyArray2::borrow_from_array(&columns.t(), slf.clone().into_any()) };
        let read_only = PyDict::new(slf.py());
        read_only.set_item("write", false)?;
        array.call_method("setflags", (), Some(&read_only))?;
        Ok(array.into_any())
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(self.count as isize)?;
            let places =
                (0..range.slicelength as isize).map(|i| (range.start + i * range.step) as usize);
            let deals: Vec<croupier::cards::Deal> = places.map(|place| self.get(place)).collect();
            return Ok(Deals::of(&deals).into_pyobject(py)?.into_any());
        }
        let wanted: isize = index
            .extract()
            .map_err(|_| type_error("a number or a slice", index))?;
        let place = if wanted < 0 {
            wanted + self.count as isize
        } else {
            wanted
        };
        match usize::try_from(place) {
            Ok(place) if place < self.count => {
                Ok(Deal(self.get(place)).into_pyobject(py)?.into_any())
            }
            _ => Err(PyIndexError::new_err(format!(
                "no deal {wanted}: there are {}",
                self.count
            ))),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Deals>()
            .is_ok_and(|other| other.get().masks == self.masks)
    }

    fn __repr__(&self) -> String {
        format!("<croupier.Deals: {}>", self.count)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Vec<u8>,))> {
        let bytes = slf
            .get()
            .masks
            .iter()
            .flat_map(|mask| mask.to_le_bytes())
            .collect();
        Ok((slf.get_type().getattr("_restored")?, (bytes,)))
    }

    #[staticmethod]
    fn _restored(bytes: Vec<u8>) -> PyResult<Deals> {
        let masks: Vec<u64> = bytes
            .chunks_exact(8)
            .map(|chunk| u64::from_le_bytes(chunk.try_into().unwrap_or_default()))
            .collect();
        let count = masks.len() / 4;
        if !masks.len().is_multiple_of(4) || !bytes.len().is_multiple_of(8) {
            return Err(value_error("not the state of croupier.Deals"));
        }
        for place in 0..count {
            let hands = std::array::from_fn(|seat| CardSet(masks[seat * count + place]));
            croupier::cards::Deal::new(hands).map_err(value_error)?;
        }
        Ok(Deals {
            masks: masks.into(),
            count,
        })
    }
}
