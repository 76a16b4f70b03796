//! Which values of A in half 2 complete a value in half 1 to a total that is accepted at all.
//!
//! Of twenty or thirty values often only three do (10 to 12 points in all), and a search need not look at the others.

use std::collections::HashMap;

use crate::setup::draft::Draft;
use crate::tables::accept::EMPTY_SET;
use crate::tables::pairs::Tables;
use crate::tables::values::Quick;

/// Lists of values of half 2, each in the order in which searches go through them.
#[derive(Debug, Default)]
pub(crate) struct Completing {
    lists: Vec<u32>,
    /// First and last place of the list by matrix and value in half 1.
    places: Vec<(u32, u32)>,
    width: usize,
    /// Whether there is a list for each of them; otherwise all lists have all values.
    exact: bool,
}

/// With more values to look at all lists have all values.
const MOST_LOOKS: usize = 1 << 20;

impl Completing {
    /// `order` are the values of half 2 as searches go through them.
    pub(crate) fn new(draft: &Draft, tables: &Tables, order: &[u32]) -> Completing {
        let [width, _] = draft.halves[0].size();
        if tables.matrices.len() * width * order.len() > MOST_LOOKS {
            return Completing::all(draft, tables, order);
        }
        let mut completing = Completing {
            width,
            exact: true,
            ..Completing::default()
        };
        // If B has no features a set is empty or not; otherwise it depends on what B has.
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
        // Most lists come again and again.
        let mut known: HashMap<Vec<u32>, (u32, u32), Quick> = HashMap::default();
        for matrix in &tables.matrices {
            for x in 0..width {
                let totals = draft.totals[0].with(x);
                let accepted = |other: &u32| useful(matrix[totals[*other as usize] as usize]);
                let list: Vec<u32> = order.iter().copied().filter(accepted).collect();
                let lists = &mut completing.lists;
                let place = *known.entry(list).or_insert_with_key(|list| {
                    let start = lists.len() as u32;
                    lists.extend(list);
                    (start, lists.len() as u32)
                });
                completing.places.push(place);
            }
        }
        completing
    }

    /// Lists that have all values.
    pub(crate) fn all(draft: &Draft, tables: &Tables, order: &[u32]) -> Completing {
        let [width, _] = draft.halves[0].size();
        Completing {
            lists: order.to_vec(),
            places: vec![(0, order.len() as u32); tables.matrices.len() * width],
            width,
            exact: false,
        }
    }

    /// Whether the lists have no other values than those that complete something.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }

    /// The values of half 2 that may complete `x` in half 1.
    #[inline(always)]
    pub(crate) fn of(&self, matrix: u32, x: usize) -> &[u32] {
        let (start, end) = self.places[matrix as usize * self.width + x];
        &self.lists[start as usize..end as usize]
    }
}
