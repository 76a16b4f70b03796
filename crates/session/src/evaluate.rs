//! The actions of a script on deals that the caller has.

use cards::Deal;
use engine::{Options, RunDeals, SeriesSource, Sink};
use script::plan::Plan;

use crate::error::Error;
use crate::run::located;
use crate::session::Session;

impl Session {
    /// Evaluates the actions of the script on each of these deals and passes all of them to the sink. The condition, the
    /// predealt cards, the limits and the level of the script have no effect.
    ///
    /// ```
    /// use croupier_session::{Job, ProducedDeal};
    /// use std::ops::ControlFlow;
    ///
    /// let deal: cards::Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".parse()?;
    /// let script = "predeal north S2 condition 0 action average hcp(north)";
    /// let session = Job::new(script).seed(1).prepare()?;
    /// let mut points = Vec::new();
    /// session.evaluate([deal, deal.rotated(1)], &mut |deal: &ProducedDeal<'_>| {
    ///     points.extend_from_slice(deal.values(0));
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(points, [20, 15]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an expression fails on a deal.
    pub fn evaluate<D>(&self, deals: D, sink: &mut dyn Sink) -> Result<(), Error>
    where
        D: IntoIterator<Item = Deal, IntoIter: Send + 'static>,
    {
        self.check_robots()?;
        let plan = Plan::clone(&self.plan).without_condition();
        let deals = deals.into_iter().map(|deal| Ok(deal.into()));
        let source = SeriesSource::new(Box::new(deals)).with_key(self.settings.seed.key);
        let options = Options {
            generate: i64::MAX as u64,
            produce: i64::MAX as u64,
            threads: self.execution.threads,
            solver_memory: self.execution.solver_memory,
            cancel: Some(&self.execution.cancel),
            par_vulnerability: self.settings.par_vulnerability,
            opener: self.settings.opener,
            user_metrics: self.execution.metrics.as_deref(),
            auctions: self.settings.auctions(&self.execution),
            ..Options::default()
        };
        engine::run(&plan, RunDeals::Blocks(&source), &options, sink)
            .map(drop)
            .map_err(|error| located(&plan, error))
    }
}
