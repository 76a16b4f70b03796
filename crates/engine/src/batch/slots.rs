//! Slots: memory that columns share.
//!
//! The columns of a target are computed one after the other, so the last reader of a column is known beforehand. After
//! it the slot is free for another column, and a script with thousands of variables stays within the caches.

use std::ops::{Index, IndexMut};

use super::column::{Column, Width};
use super::compile::Target;
use super::operation::{ColumnDefinition, ColumnId, Operation};

/// The slot of every column.
pub(super) struct ColumnSlots {
    /// The slot of each column; `None` for columns that no target needs.
    slots: Vec<Option<u32>>,
    /// Whether a column has a slot of its own, so that it keeps its values as long as the view lasts.
    lasting: Vec<bool>,
    widths: Vec<Width>,
}

impl ColumnSlots {
    /// Assigns slots to the columns of these targets.
    pub fn new<'t>(
        definitions: &[ColumnDefinition],
        targets: impl Iterator<Item = &'t Target> + Clone,
    ) -> ColumnSlots {
        let mut readers = vec![0u32; definitions.len()];
        let mut lasting: Vec<bool> = definitions
            .iter()
            // The evaluator fills these columns once for a view, or several of them together.
            .map(|definition| matches!(definition.operation, Operation::Filled(..)))
            .collect();
        for target in targets.clone() {
            lasting[target.column] = true;
            for &id in &target.needs {
                readers[id] += 1;
                lasting[id] |= readers[id] > 1;
            }
        }
        let mut places = ColumnSlots {
            slots: vec![None; definitions.len()],
            lasting,
            widths: Vec::new(),
        };
        for (id, definition) in definitions.iter().enumerate() {
            if readers[id] > 0 && places.lasting[id] {
                places.slots[id] = Some(places.add(definition.operation.width()));
            }
        }
        let mut free: [Vec<u32>; 3] = Default::default();
        let mut last = vec![usize::MAX; definitions.len()];
        for target in targets {
            for (step, &id) in target.needs.iter().enumerate() {
                let operation = &definitions[id].operation;
                operation.for_inputs(|input| last[input] = step);
            }
            for (step, &id) in target.needs.iter().enumerate() {
                let definition = &definitions[id];
                let width = definition.operation.width();
                if !places.lasting[id] {
                    let reused = free[width as usize].pop();
                    places.slots[id] = Some(reused.unwrap_or_else(|| places.add(width)));
                }
                definition.operation.for_inputs(|input| {
                    if last[input] == step && !places.lasting[input] {
                        free[definitions[input].operation.width() as usize]
                            .extend(places.slots[input]);
                        // An operation may read a column twice.
                        last[input] = usize::MAX;
                    }
                });
            }
        }
        places
    }

    fn add(&mut self, width: Width) -> u32 {
        self.widths.push(width);
        self.widths.len() as u32 - 1
    }

    /// Returns whether the column keeps its values until the view changes.
    pub fn is_lasting(&self, id: ColumnId) -> bool {
        self.lasting[id]
    }

    fn slot(&self, id: ColumnId) -> usize {
        let slot = self.slots[id].expect("a column that some target needs");
        slot as usize
    }

    /// Allocates memory for the columns.
    pub fn columns(&self) -> Columns<'_> {
        Columns {
            places: self,
            slots: self
                .widths
                .iter()
                .map(|&width| Column::new(width))
                .collect(),
        }
    }
}

/// The memory of the columns, indexed by column.
pub(super) struct Columns<'a> {
    places: &'a ColumnSlots,
    slots: Vec<Column>,
}

impl Index<ColumnId> for Columns<'_> {
    type Output = Column;

    fn index(&self, id: ColumnId) -> &Column {
        &self.slots[self.places.slot(id)]
    }
}

impl IndexMut<ColumnId> for Columns<'_> {
    fn index_mut(&mut self, id: ColumnId) -> &mut Column {
        &mut self.slots[self.places.slot(id)]
    }
}

#[cfg(test)]
mod tests {
    use script::ScriptSource;

    use crate::action_inputs::action_inputs;
    use crate::batch::BatchPlan;
    use crate::outcome::Options;
    use crate::prepared::PreparedPlan;

    /// Returns how many columns a script has, and how many slots they use.
    fn columns_and_places(text: &str) -> (usize, usize) {
        let (plan, _) = script::compile(&ScriptSource::new("test", text), &Default::default())
            .unwrap_or_else(|errors| panic!("{}", errors[0].render()));
        let options = Options::default();
        let prepared = PreparedPlan::new(&plan, &options);
        let batch = BatchPlan::for_run(&prepared, &action_inputs(&plan), options.path);
        (batch.definitions.len(), batch.places.widths.len())
    }

    /// A sum of 1000 tests of 16 lengths and 4 point counts, added from the left or from the right.
    #[test]
    fn sums_of_many_variables_need_few_places() {
        let terms: Vec<String> = (0..1000)
            .map(|i| {
                let seat = ["north", "east", "south", "west"][i % 4];
                let suit = ["spades", "hearts", "diamonds", "clubs"][i / 4 % 4];
                format!("({suit}({seat}) > {} and hcp({seat}) > {})", i % 7, i % 23)
            })
            .collect();
        let left = format!("action average {}", terms.join(" + "));
        let right = terms
            .iter()
            .rev()
            .fold("0".to_owned(), |sum, term| format!("({term} + {sum})"));
        for text in [left, format!("action average {right}")] {
            let (columns, places) = columns_and_places(&text);
            assert!(columns > 1500, "{columns} columns");
            assert!(places < 300, "{places} places");
        }
    }

    #[test]
    fn a_column_that_two_parts_read_keeps_its_place() {
        let (columns, places) =
            columns_and_places("condition hcp(north) > 10 and hcp(north) < 15\naction average 1");
        assert!(places <= columns);
        assert_eq!(places, 4, "points, two tests, a constant");
    }
}
