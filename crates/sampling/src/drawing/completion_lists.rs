//! For each value of the tracked hand A in the first half (two piles), the values in the second half that complete it to an
//! accepted total.
//!
//! Often only three of twenty or thirty values do (10 to 12 points in all), and a search can skip the others.

use std::collections::HashMap;

use crate::setup::draft::Draft;
use crate::tables::accept::EMPTY_SET;
use crate::tables::pairs::Tables;
use crate::tables::values::FastHash;

/// Lists of values of half 2, each in the order in which searches scan it.
#[derive(Debug, Default)]
pub(crate) struct CompletionLists {
    lists: Vec<u32>,
    /// Start and end of the list by matrix and value in half 1.
    places: Vec<(u32, u32)>,
    width: usize,
    /// Whether every list holds only values that complete an accepted deal; otherwise all lists hold all values.
    exact: bool,
}

/// With more combinations than this, all lists hold all values.
const MAX_LIST_ENTRIES: usize = 1 << 20;

impl CompletionLists {
    /// Builds the lists. `order` holds the values of half 2 in the order in which searches scan them.
    pub(crate) fn new(draft: &Draft, tables: &Tables, order: &[u32]) -> CompletionLists {
        let [width, _] = draft.halves[0].size();
        if tables.matrices.len() * width * order.len() > MAX_LIST_ENTRIES {
            return CompletionLists::all(draft, tables, order);
        }
        let mut completion_lists = CompletionLists {
            width,
            exact: true,
            ..CompletionLists::default()
        };
        // If B has no features, a set is empty or not; otherwise it depends on B's features.
        let useful = match draft.halves.iter().all(|half| half.size()[1] == 1) {
            true => tables.runs.useful(),
            false => Vec::new(),
        };
        let useful = |set: u32| {
            useful
                .get(set as usize)
                .copied()
                .unwrap_or(set != EMPTY_SET)
        };
        // Most lists occur many times.
        let mut known: HashMap<Vec<u32>, (u32, u32), FastHash> = HashMap::default();
        for matrix in &tables.matrices {
            for x in 0..width {
                let totals = draft.totals[0].with(x);
                let accepted = |other: &u32| useful(matrix[totals[*other as usize] as usize]);
                let list: Vec<u32> = order.iter().copied().filter(accepted).collect();
                let lists = &mut completion_lists.lists;
                let place = *known.entry(list).or_insert_with_key(|list| {
                    let start = lists.len() as u32;
                    lists.extend(list);
                    (start, lists.len() as u32)
                });
                completion_lists.places.push(place);
            }
        }
        completion_lists
    }

    /// Builds lists that hold all values.
    pub(crate) fn all(draft: &Draft, tables: &Tables, order: &[u32]) -> CompletionLists {
        let [width, _] = draft.halves[0].size();
        CompletionLists {
            lists: order.to_vec(),
            places: vec![(0, order.len() as u32); tables.matrices.len() * width],
            width,
            exact: false,
        }
    }

    /// Returns whether the lists hold only values that complete something.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Returns the values of half 2 that may complete `x` in half 1.
    #[inline(always)]
    pub(crate) fn of(&self, matrix: u32, x: usize) -> &[u32] {
        let (start, end) = self.places[matrix as usize * self.width + x];
        &self.lists[start as usize..end as usize]
    }
}
