//! `croupier.Columns`: a table that other libraries can use without copying.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, UInt8Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, Float64Array, PrimitiveArray, RecordBatch,
    RecordBatchIterator, StringArray,
};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, Schema};
use numpy::ndarray::ArrayView1;
use numpy::{Element, PyArray1};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};

use crate::arguments::value_error;

/// Named columns of equal length. `polars.DataFrame`, `pyarrow.table` and `pandas.DataFrame.from_arrow` accept them, and
/// `columns.to_frame()` calls the one that is installed; `columns["name"]` is a NumPy array over the same memory.
#[pyclass(module = "croupier", frozen)]
pub struct Columns {
    pub batch: RecordBatch,
}

impl Columns {
    /// Creates columns with these names. Duplicate names get a number.
    pub fn new(columns: Vec<(String, ArrayRef)>) -> PyResult<Columns> {
        let mut fields: Vec<Field> = Vec::new();
        let mut arrays = Vec::new();
        for (name, array) in columns {
            let taken = |name: &str| fields.iter().any(|field| field.name() == name);
            let free = if taken(&name) {
                (2..)
                    .map(|n| format!("{name}_{n}"))
                    .find(|name| !taken(name))
                    .unwrap_or_default()
            } else {
                name
            };
            fields.push(Field::new(
                free,
                array.data_type().clone(),
                array.is_nullable(),
            ));
            arrays.push(array);
        }
        let schema = Arc::new(Schema::new(fields));
        let batch = if arrays.is_empty() {
            Ok(RecordBatch::new_empty(schema))
        } else {
            RecordBatch::try_new(schema, arrays)
        };
        batch.map(|batch| Columns { batch }).map_err(value_error)
    }

    /// Encodes the columns as an Arrow IPC stream.
    pub fn to_ipc(&self) -> PyResult<Vec<u8>> {
        let mut bytes = Vec::new();
        let schema = self.batch.schema();
        let mut writer = StreamWriter::try_new(&mut bytes, &schema).map_err(value_error)?;
        writer.write(&self.batch).map_err(value_error)?;
        writer.finish().map_err(value_error)?;
        drop(writer);
        Ok(bytes)
    }

    /// Decodes an Arrow IPC stream of one batch.
    pub fn from_ipc(bytes: &[u8]) -> PyResult<Columns> {
        let mut reader = StreamReader::try_new(bytes, None).map_err(value_error)?;
        let schema = reader.schema();
        let batch = match reader.next() {
            Some(batch) => batch.map_err(value_error)?,
            None => RecordBatch::new_empty(schema),
        };
        Ok(Columns { batch })
    }
}

/// Raises Python's own error if NumPy is not installed; the NumPy bindings would panic.
pub fn need_numpy(py: Python<'_>) -> PyResult<()> {
    py.import("numpy").map(drop)
}

/// Returns a column as a read-only NumPy array that shares its memory.
pub fn numpy_view<'py, T>(
    owner: &Bound<'py, PyAny>,
    column: &PrimitiveArray<T>,
) -> PyResult<Bound<'py, PyAny>>
where
    T: ArrowPrimitiveType,
    T::Native: Element,
{
    need_numpy(owner.py())?;
    let view = ArrayView1::from(&column.values()[..]);
    // SAFETY: `owner` holds the Arrow buffer behind the view. The array keeps it alive, and is made read-only below
    // before other code can use it.
    let array = unsafe { PyArray1::borrow_from_array(&view, owner.clone()) };
    let read_only = PyDict::new(owner.py());
    read_only.set_item("write", false)?;
    array.call_method("setflags", (), Some(&read_only))?;
    Ok(array.into_any())
}

#[pymethods]
impl Columns {
    /// Names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        let schema = self.batch.schema();
        schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.batch.column_by_name(name).is_some()
    }

    fn keys(&self) -> Vec<String> {
        self.names()
    }

    /// Returns a column: a NumPy array over the same memory, or a list for a column of texts.
    fn __getitem__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let columns = slf.get();
        let Some(column) = columns.batch.column_by_name(name) else {
            let names = columns.names().join(", ");
            return Err(PyKeyError::new_err(format!(
                "no column {name:?}; there are {names}"
            )));
        };
        let owner = slf.as_any();
        match column.data_type() {
            DataType::Int32 => numpy_view(owner, column.as_primitive::<Int32Type>()),
            DataType::Int64 => numpy_view(owner, column.as_primitive::<Int64Type>()),
            DataType::UInt8 => numpy_view(owner, column.as_primitive::<UInt8Type>()),
            DataType::UInt64 => numpy_view(owner, column.as_primitive::<UInt64Type>()),
            DataType::Float64 => numpy_view(owner, column.as_primitive::<Float64Type>()),
            _ => {
                let texts: Vec<Option<&str>> = column.as_string::<i32>().iter().collect();
                Ok(texts.into_pyobject(py)?.into_any())
            }
        }
    }

    /// Returns a column as a list, with `None` for missing values.
    fn to_list<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let columns = slf.get();
        let Some(column) = columns.batch.column_by_name(name) else {
            let names = columns.names().join(", ");
            return Err(PyKeyError::new_err(format!(
                "no column {name:?}; there are {names}"
            )));
        };
        fn list<'py, T>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyAny>>
        where
            T: ArrowPrimitiveType,
            T::Native: for<'a> IntoPyObject<'a>,
        {
            let numbers: Vec<Option<T::Native>> = column.as_primitive::<T>().iter().collect();
            Ok(numbers.into_pyobject(py)?.into_any())
        }
        match column.data_type() {
            DataType::Int32 => list::<Int32Type>(py, column),
            DataType::Int64 => list::<Int64Type>(py, column),
            DataType::UInt8 => list::<UInt8Type>(py, column),
            DataType::UInt64 => list::<UInt64Type>(py, column),
            DataType::Float64 => list::<Float64Type>(py, column),
            _ => {
                let texts: Vec<Option<&str>> = column.as_string::<i32>().iter().collect();
                Ok(texts.into_pyobject(py)?.into_any())
            }
        }
    }

    /// Returns the Arrow C stream of the columns.
    #[pyo3(signature = (requested_schema=None))]
    pub fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows to ignore the requested schema.
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// Returns the Arrow C schema of the columns.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema =
            FFI_ArrowSchema::try_from(self.batch.schema().as_ref()).map_err(value_error)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Returns a data frame of Polars, pandas or PyArrow: the named one, or the first that is installed.
    #[pyo3(signature = (kind=None))]
    fn to_frame<'py>(slf: &Bound<'py, Self>, kind: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let frames = slf.py().import("croupier.frames")?;
        frames.call_method1("to_frame", (slf, kind))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.names().into_pyobject(py)?.try_iter()?.into_any())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Columns>();
        other.is_ok_and(|other| other.get().batch == self.batch)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = slf.get().to_ipc()?;
        Ok((
            slf.get_type().getattr("_restored")?,
            (PyBytes::new(slf.py(), &bytes),),
        ))
    }

    #[staticmethod]
    fn _restored(state: &[u8]) -> PyResult<Columns> {
        Columns::from_ipc(state)
    }

    fn __repr__(&self) -> String {
        format!(
            "<croupier.Columns {} rows: {}>",
            self.batch.num_rows(),
            self.names().join(", ")
        )
    }
}

/// Creates columns from a dictionary of lists of texts or of numbers.
#[pyfunction]
pub fn columns(lists: &Bound<'_, PyDict>) -> PyResult<Columns> {
    let mut found: Vec<(String, ArrayRef)> = Vec::new();
    for (name, list) in lists {
        let array: ArrayRef = match list.extract::<Vec<String>>() {
            Ok(texts) => Arc::new(StringArray::from(texts)),
            Err(_) => Arc::new(Float64Array::from(list.extract::<Vec<Option<f64>>>()?)),
        };
        found.push((name.extract()?, array));
    }
    Columns::new(found)
}
