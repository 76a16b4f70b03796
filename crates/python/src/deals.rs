//! `croupier.Deals`: many deals as masks, converted to `Deal` on access.

use arrow_array::UInt64Array;
use arrow_buffer::ScalarBuffer;
use croupier::cards::{CardSet, Seat};
use numpy::ndarray::ArrayView2;
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PySlice};

use crate::arguments::{type_error, value_error};
use crate::deal::{Deal, DealArgument};
use crate::kept::memory_error;

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
    ///
    /// # Errors
    /// `MemoryError` if there is not enough memory.
    pub fn of_columns(columns: [Vec<u64>; 4]) -> PyResult<Deals> {
        let count = columns[0].len();
        let mut masks: Vec<u64> = Vec::new();
        masks
            .try_reserve_exact(4 * count)
            .map_err(|_| memory_error(count))?;
        // Each column is freed as soon as it is copied.
        for column in columns {
            masks.extend_from_slice(&column);
        }
        Ok(Deals {
            masks: masks.into(),
            count,
        })
    }

    /// Creates the sequence from single deals.
    ///
    /// # Errors
    /// `MemoryError` if there is not enough memory.
    pub fn of(deals: &[croupier::cards::Deal]) -> PyResult<Deals> {
        let mut masks: Vec<u64> = Vec::new();
        masks
            .try_reserve_exact(4 * deals.len())
            .map_err(|_| memory_error(deals.len()))?;
        for seat in Seat::ALL {
            masks.extend(deals.iter().map(|deal| deal.hand(seat).0));
        }
        Ok(Deals {
            masks: masks.into(),
            count: deals.len(),
        })
    }

    /// Checks that the masks are those of deals.
    ///
    /// # Errors
    /// `ValueError` if they are not.
    pub fn check(&self) -> PyResult<()> {
        for place in 0..self.count {
            let hands = std::array::from_fn(|seat| CardSet(self.masks[seat * self.count + place]));
            croupier::cards::Deal::new(hands).map_err(value_error)?;
        }
        Ok(())
    }

    /// Returns the deals at these positions.
    pub fn chosen(&self, places: &[usize]) -> PyResult<Deals> {
        let mut masks: Vec<u64> = Vec::new();
        masks
            .try_reserve_exact(4 * places.len())
            .map_err(|_| memory_error(places.len()))?;
        for seat in 0..4 {
            masks.extend(
                places
                    .iter()
                    .map(|place| self.masks[seat * self.count + place]),
            );
        }
        Ok(Deals {
            masks: masks.into(),
            count: places.len(),
        })
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
    ///
    /// # Errors
    /// `MemoryError` if there is not enough memory.
    pub fn to_vec(&self) -> PyResult<Vec<croupier::cards::Deal>> {
        let mut deals = Vec::new();
        deals
            .try_reserve_exact(self.count)
            .map_err(|_| memory_error(self.count))?;
        deals.extend((0..self.count).map(|place| self.get(place)));
        Ok(deals)
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
            return Ok(DealsArgument::many(deals.get().to_vec()?));
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

/// Returns the positions that a mask of `count` bools or a list of numbers selects; `None` if the object is neither.
pub fn places(index: &Bound<'_, PyAny>, count: usize) -> PyResult<Option<Vec<usize>>> {
    if index.extract::<String>().is_ok() {
        return Ok(None);
    }
    // The types of NumPy, Arrow, Polars and pandas have one of these methods.
    let list = ["to_pylist", "to_list", "tolist"]
        .iter()
        .find_map(|name| index.call_method0(*name).ok())
        .unwrap_or_else(|| index.clone());
    if let Ok(mask) = list.extract::<Vec<Bound<'_, PyBool>>>() {
        if mask.len() != count && !mask.is_empty() {
            return Err(PyIndexError::new_err(format!(
                "the mask has {} values for {count} deals",
                mask.len()
            )));
        }
        let chosen = mask.iter().enumerate().filter(|(_, take)| take.is_true());
        return Ok(Some(chosen.map(|(place, _)| place).collect()));
    }
    let Ok(numbers) = list.extract::<Vec<isize>>() else {
        return Ok(None);
    };
    let place = |number: isize| {
        let place = if number < 0 {
            number + count as isize
        } else {
            number
        };
        let valid = usize::try_from(place).ok().filter(|&place| place < count);
        valid.ok_or_else(|| PyIndexError::new_err(format!("no deal {number}: there are {count}")))
    };
    numbers
        .into_iter()
        .map(place)
        .collect::<PyResult<_>>()
        .map(Some)
}

#[pymethods]
impl Deals {
    /// Creates the sequence from deals, boards, texts, or an array `uint64[n, 4]` of masks.
    #[new]
    fn new(deals: DealsArgument) -> PyResult<Deals> {
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
            let places: Vec<usize> = (0..range.slicelength as isize)
                .map(|i| (range.start + i * range.step) as usize)
                .collect();
            return Ok(self.chosen(&places)?.into_pyobject(py)?.into_any());
        }
        // The index is a mask or a list of positions: a NumPy array, a series or a list.
        if index.extract::<isize>().is_err()
            && let Some(places) = places(index, self.count)?
        {
            return Ok(self.chosen(&places)?.into_pyobject(py)?.into_any());
        }
        let wanted: isize = index
            .extract()
            .map_err(|_| type_error("a number, a slice, a mask or a list of numbers", index))?;
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
        let deals = Deals {
            masks: masks.into(),
            count,
        };
        deals.check()?;
        Ok(deals)
    }
}
