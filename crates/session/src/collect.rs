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
    /// Number of the deal among the generated deals, from 0.
    pub number: u64,
    /// The cards.
    #[serde(with = "crate::text")]
    pub deal: Deal,
    /// All double-dummy results by declarer (North first) and strain (clubs first), if an action needs them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tricks: Option<[[u8; 5]; 4]>,
    /// The values of all actions, in the order of [`Outcome::columns`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<i32>,
}

impl KeptDeal {
    /// Returns all double-dummy results.
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

/// A sink that stores the produced deals if `wanted` is set.
#[derive(Default)]
pub(crate) struct Keep {
    pub wanted: bool,
    pub deals: Vec<KeptDeal>,
}

impl Sink for Keep {
    fn needs_deals(&self) -> bool {
        self.wanted
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.deals.push(deal.into());
        ControlFlow::Continue(())
    }
}

/// The result of a run with its deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collected {
    /// The produced deals with their values.
    pub deals: Vec<KeptDeal>,
    /// Tables, counts and the reason for the end.
    pub outcome: Outcome,
}

impl Job {
    /// Runs the job and keeps the produced deals in memory.
    ///
    /// # Errors
    /// The errors of [`Job::run`].
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
