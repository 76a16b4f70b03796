//! Where columns lie: those that one target alone reads share memory.
//!
//! The columns of a target are computed one after the other, so it is known beforehand who reads a column last. From
//! then on its memory is free for another one, and a script of thousands of variables stays within the caches.

use std::ops::{Index, IndexMut};

use super::column::{Column, Width};
use super::compile::Target;
use super::operation::{ColumnId, Operation, Recipe, for_inputs};

/// The place of every column.
pub(super) struct Places {
    /// The slot of each column; none for those that nobody needs.
    slots: Vec<Option<u32>>,
    /// Whether a column's slot is its own, so that it stays as long as the deals do.
    lasting: Vec<bool>,
    widths: Vec<Width>,
}

impl Places {
    /// Places for the columns of these targets.
    pub fn new<'t>(
        recipes: &[Recipe],
        targets: impl Iterator<Item = &'t Target> + Clone,
    ) -> Places {
        let mut readers = vec![0u32; recipes.len()];
        let mut lasting: Vec<bool> = recipes
            .iter()
            .map(|recipe| match recipe.operation {
                // These are filled once, or several at a time.
                Operation::Constant(_) | Operation::SideValue { .. } | Operation::Draw(_) => true,
                _ => false,
            })
            .collect();
        for target in targets.clone() {
            lasting[target.column] = true;
            for &id in &target.needs {
                readers[id] += 1;
                lasting[id] |= readers[id] > 1;
            }
        }
        let mut places = Places {
            slots: vec![None; recipes.len()],
            lasting,
            widths: Vec::new(),
        };
        for (id, recipe) in recipes.iter().enumerate() {
            if readers[id] > 0 && places.lasting[id] {
                places.slots[id] = Some(places.add(recipe.width));
            }
        }
        let mut free: [Vec<u32>; 3] = Default::default();
        let mut last = vec![usize::MAX; recipes.len()];
        for target in targets {
            for (step, &id) in target.needs.iter().enumerate() {
                for_inputs(&recipes[id].operation, |input| last[input] = step);
            }
            for (step, &id) in target.needs.iter().enumerate() {
                let recipe = &recipes[id];
                if !places.lasting[id] {
                    let reused = free[recipe.width as usize].pop();
                    places.slots[id] = Some(reused.unwrap_or_else(|| places.add(recipe.width)));
                }
                for_inputs(&recipe.operation, |input| {
                    if last[input] == step && !places.lasting[input] {
                        free[recipes[input].width as usize].extend(places.slots[input]);
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

    /// Whether the column keeps its values until other deals are looked at.
    pub fn is_lasting(&self, id: ColumnId) -> bool {
        self.lasting[id]
    }

    fn slot(&self, id: ColumnId) -> usize {
        let slot = self.slots[id].expect("a column that some target needs");
        slot as usize
    }

    /// Memory for the columns.
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

/// Columns at their places.
pub(super) struct Columns<'a> {
    places: &'a Places,
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
    use script::Source;

    use crate::batch::BatchPlan;
    use crate::outcome::Options;
    use crate::prepared::Prepared;
    use crate::wanted::wishes;

    /// How many columns a script has, and in how many places they lie.
    fn columns_and_places(text: &str) -> (usize, usize) {
        let (plan, _) = script::compile(&Source::new("test", text), &Default::default())
            .unwrap_or_else(|errors| panic!("{}", errors[0].render()));
        let options = Options::default();
        let prepared = Prepared::new(&plan, &options);
        let batch = BatchPlan::for_run(&prepared, &wishes(&plan), options.path);
        (batch.recipes.len(), batch.places.widths.len())
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
