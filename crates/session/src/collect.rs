//! The produced deals of a run in memory.

use std::ops::ControlFlow;

use cards::{Deal, TrickTable};
use engine::{ProducedDeal, Sink};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::job::Job;
use crate::outcome::Outcome;

/// A produced deal that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDeal {
    /// Its number among the deals looked at, from 0.
    pub number: u64,
    /// The cards.
    #[serde(with = "crate::text")]
    pub deal: Deal,
    /// All double-dummy results by declarer (North first) and strain (clubs first), if an action asks for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tricks: Option<[[u8; 5]; 4]>,
    /// The values of all actions, in the order of [`Outcome::columns`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<i32>,
}

impl KeptDeal {
    /// All double-dummy results.
    #[must_use]
    pub fn trick_table(&self) -> Option<TrickTable> {
        self.tricks.and_then(TrickTable::new)
    }
}

impl From<&ProducedDeal<'_>> for KeptDeal {
    fn from(deal: &ProducedDeal<'_>) -> KeptDeal {
        KeptDeal {
            number: deal.index,
            deal: deal.deal,
            tricks: deal.tricks.map(|table| table.rows()),
            values: deal.all_values().to_vec(),
        }
    }
}

/// Keeps the produced deals, if they are wanted.
pub(crate) struct Keep {
    pub wanted: bool,
    pub deals: Vec<KeptDeal>,
}

impl Sink for Keep {
    fn wants_deals(&self) -> bool {
        self.wanted
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.deals.push(deal.into());
        ControlFlow::Continue(())
    }
}

/// Everything that a run gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collected {
    /// The produced deals with their values.
    pub deals: Vec<KeptDeal>,
    /// Tables, counts and how it ended.
    pub outcome: Outcome,
}

impl Job {
    /// Does the job and keeps the produced deals in memory.
    ///
    /// # Errors
    /// Those of [`Job::run`].
    pub fn collect(self) -> Result<Collected, Error> {
        let mut keep = Keep {
            wanted: true,
            deals: Vec::new(),
        };
        let outcome = self.run(&mut keep)?;
        Ok(Collected {
            deals: keep.deals,
            outcome,
        })
    }
}
