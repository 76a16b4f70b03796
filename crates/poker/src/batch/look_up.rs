//! The second phase of the batch kernels: one hand after the other.

use crate::HandRank;
use crate::tables::Products;

/// Looks up the ranks of hands from the table indices that the first phase has written to `places`: column indices in
/// the low halves, row indices in the high halves.
///
/// The first phase splits `WIDTH` hands into four registers, which puts hand `q + i * WIDTH / 4`
/// into word `4q + i`, and then interleaves columns and rows inside 128-bit lanes. Storing the
/// ranks at constant distances undoes both.
///
/// Neither inlined nor compiled for wide registers: a compiler that sees wide registers here
/// turns the loads into gathers and extractions, which are slower.
///
/// # Safety
/// Columns must be below 12,288 and rows below 8,192.
#[inline(never)]
pub(super) unsafe fn look_up<const WIDTH: usize, const CHUNK: usize>(
    places: &[u32; CHUNK],
    ranks: &mut [HandRank; CHUNK],
    products: &Products,
) {
    let stride = WIDTH / 4;
    for step in 0..CHUNK / WIDTH {
        for group in 0..stride {
            let slot = WIDTH * step + 4 * group;
            let half = stride / 2;
            let hand = WIDTH * step + group % half * 2 + group / half;
            for i in 0..4 {
                let place = places[slot + i];
                // SAFETY: the caller keeps both indices inside their tables, whose largest entries
                // add up to less than the third table's 65,536 entries.
                let rank = unsafe {
                    let column = *products.columns.get_unchecked((place & 0xFFFF) as usize);
                    let row = *products.rows.get_unchecked((place >> 16) as usize);
                    *products
                        .values
                        .get_unchecked(usize::from(column) + usize::from(row))
                };
                ranks[hand + stride * i] = HandRank(rank);
            }
        }
    }
}
