//! JSON answers of the commands about one range: the question, totals, and rows. All shares are from 0 to 1.

use std::io::{self, Write};

use croupier::poker::{EquityOptions, Query, format_cards};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::question::failure;
use crate::failure::Failure;
use crate::table::{Listing, ListingCell};

/// A question about a range, and its answer.
pub(super) struct Answer<'a> {
    pub(super) query: &'a Query,
    /// Figures about the whole range.
    pub(super) totals: Vec<(&'static str, ListingCell)>,
    /// The rows and their name.
    pub(super) rows: (&'static str, &'a Listing),
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("game", &self.query.game.to_string())?;
        map.serialize_entry("board", &format_cards(self.query.board))?;
        map.serialize_entry("dead", &format_cards(self.query.dead))?;
        let mut ranges = self.query.players.iter().map(ToString::to_string);
        map.serialize_entry("range", &ranges.next())?;
        map.serialize_entry("against", &ranges.collect::<Vec<_>>())?;
        if !self.query.folded.is_empty() {
            let folded = self.query.folded.iter().map(ToString::to_string);
            map.serialize_entry("folded", &folded.collect::<Vec<_>>())?;
        }
        for (name, cell) in &self.totals {
            map.serialize_entry(name, cell)?;
        }
        map.serialize_entry(self.rows.0, self.rows.1)?;
        map.end()
    }
}

impl Answer<'_> {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }
}

/// Returns the range's equity in the whole question as the totals of an answer.
pub(super) fn equity_totals(
    query: &Query,
    options: &EquityOptions,
) -> Result<Vec<(&'static str, ListingCell)>, Failure> {
    let equity = query.solve(options).map_err(failure)?;
    let player = &equity.players()[0];
    let mut totals = vec![("exact", ListingCell::YesNo(equity.is_exact()))];
    totals.extend(super::equity::share_totals(player));
    Ok(totals)
}
