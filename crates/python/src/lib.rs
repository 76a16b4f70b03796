//! The Rust part of the Python package `croupier`: values, columns and computing functions.
//!
//! All code depends on the feature `extension`, which maturin sets, so that the workspace builds and tests without
//! Python. The Python interface is documented in `python/src/croupier`.
#![cfg(feature = "extension")]

mod arguments;
mod auctions;
mod board;
mod card;
mod chances;
mod columns;
mod contract;
mod deal;
mod deals;
mod files;
mod hand;
mod html;
mod job;
mod kept;
mod memory;
mod outcome;
mod parts;
mod planning;
mod poker;
mod poker_hands;
mod poker_history;
mod poker_postflop;
mod poker_push;
mod position;
mod printing;
mod profile;
mod results;
mod scenarios;
mod script;
mod solving;
mod studies;
mod suits;
mod systems;
mod tournament;
mod tricks;
mod valuing;
mod verify;
mod waiting;

use pyo3::prelude::*;

/// Deal and value cards.
#[pymodule]
mod _croupier {
    #[pymodule_export]
    use super::auctions::{bid_boards, infer_tables, read_auction};
    #[pymodule_export]
    use super::board::Board;
    #[pymodule_export]
    use super::card::Card;
    #[pymodule_export]
    use super::chances::count;
    #[pymodule_export]
    use super::columns::{Columns, columns};
    #[pymodule_export]
    use super::contract::{Contract, Score};
    #[pymodule_export]
    use super::deal::Deal;
    #[pymodule_export]
    use super::deals::Deals;
    #[pymodule_export]
    use super::files::{read, read_text, write_boards};
    #[pymodule_export]
    use super::hand::Hand;
    #[pymodule_export]
    use super::job::{Job, evaluate};
    #[pymodule_export]
    use super::kept::Kept;
    #[pymodule_export]
    use super::outcome::{Outcome, Table};
    #[pymodule_export]
    use super::parts::Partial;
    #[pymodule_export]
    use super::planning::{plan_play, play_contract};
    #[pymodule_export]
    use super::poker::{poker_equity, poker_evaluate, poker_ranks};
    #[pymodule_export]
    use super::poker_hands::{poker_hands, poker_matrix, poker_outs, poker_strength};
    #[pymodule_export]
    use super::poker_history::poker_history;
    #[pymodule_export]
    use super::poker_postflop::PostflopGame;
    #[pymodule_export]
    use super::poker_push::{poker_icm, poker_push};
    #[pymodule_export]
    use super::position::{Position, solve_positions};
    #[pymodule_export]
    use super::printing::write_pdf;
    #[pymodule_export]
    use super::profile::{deal_profile, profile_script};
    #[pymodule_export]
    use super::results::read_results;
    #[pymodule_export]
    use super::scenarios::{scenario_list, scenario_script};
    #[pymodule_export]
    use super::script::Script;
    #[pymodule_export]
    use super::solving::{par, solve};
    #[pymodule_export]
    use super::studies::{
        interval_decimals, share_interval, study_contracts, study_deals, study_leads, whole_hand,
    };
    #[pymodule_export]
    use super::suits::{solve_suit, suit_book_rows};
    #[pymodule_export]
    use super::systems::check_system;
    #[pymodule_export]
    use super::tournament::{read_key_file, tournament_key_file};
    #[pymodule_export]
    use super::tricks::{Par, Solutions, Tricks};
    #[pymodule_export]
    use super::valuing::{metric, metric_scale, metrics, shape_text, value};
    #[pymodule_export]
    use super::verify::verify_boards;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("ScriptError", py.get_type::<super::script::ScriptError>())?;
        module.add("DealError", py.get_type::<super::script::DealError>())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
