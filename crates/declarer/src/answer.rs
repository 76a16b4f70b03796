//! The answer to a question of declarer: ranked plays, and the value of the contract.

use studies::StudyExecution;

use crate::layouts::LayoutSource;
use crate::plan::{PlanOptions, PlayPlan, PlayPlanError, rank_plays};
use crate::playout::{PlayoutOptions, Playouts, play_out};
use crate::question::PlayQuestion;

/// Maximum number of playouts.
pub const MAX_PLAYOUTS: usize = 1_000_000;

/// The options of [`answer`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclarerOptions {
    /// Number of declarer's cards to search before double-dummy results decide, 1 to [`MAX_DEPTH`](crate::MAX_DEPTH).
    /// Default: 2.
    pub depth: Option<usize>,
    /// Number of layouts of the defenders' cards for a decision, 1 to [`MAX_WORLDS`](crate::MAX_WORLDS). Default: 60 for
    /// the ranked plays, 20 for each decision of a playout.
    pub worlds: Option<usize>,
    /// Number of layouts on which the whole hand is played, 1 to [`MAX_PLAYOUTS`]. Default: none.
    pub playouts: Option<usize>,
}

impl DeclarerOptions {
    /// Returns the options of the ranked plays.
    #[must_use]
    pub fn plan(&self) -> PlanOptions {
        self.options(PlanOptions::default())
    }

    /// Returns the options of each decision of a playout.
    #[must_use]
    pub fn playout(&self) -> PlayoutOptions {
        let usual = PlanOptions {
            depth: PlanOptions::default().depth,
            ..PlayoutOptions::default().plan
        };
        PlayoutOptions {
            plan: self.options(usual),
        }
    }

    fn options(&self, usual: PlanOptions) -> PlanOptions {
        PlanOptions {
            depth: self.depth.unwrap_or(usual.depth),
            worlds: self.worlds.unwrap_or(usual.worlds),
            ..usual
        }
    }

    /// Checks the options, and that there is something to compute: ranked plays need a question in which declarer plays
    /// the next card.
    ///
    /// # Errors
    /// If an option is out of range, or a defender plays the next card and no playouts are requested.
    pub fn check(&self, question: &PlayQuestion) -> Result<(), PlayPlanError> {
        self.plan().check()?;
        match self.playouts {
            None if !question.is_declarers_turn() => Err(PlayPlanError::NotDeclarersTurn),
            None | Some(1..=MAX_PLAYOUTS) => Ok(()),
            Some(number) => Err(PlayPlanError::Playouts(number)),
        }
    }

    /// Ranks the cards that declarer can play next on layouts of `source`. Returns nothing if a defender plays the next
    /// card.
    ///
    /// # Errors
    /// As [`rank_plays`], or if there are no layouts.
    pub fn rank_plays(
        &self,
        question: &PlayQuestion,
        source: &dyn LayoutSource,
        execution: StudyExecution<'_>,
    ) -> Result<Option<PlayPlan>, PlayPlanError> {
        if !question.is_declarers_turn() {
            return Ok(None);
        }
        let options = self.plan();
        let layouts = source.layouts(question, options.layouts_needed(question))?;
        rank_plays(question, &layouts, &options, execution).map(Some)
    }

    /// Plays the hand on layouts of `source`, if the options request it.
    ///
    /// # Errors
    /// As [`play_out`], if there are no layouts, or if it is cancelled before the first result.
    pub fn play_out(
        &self,
        question: &PlayQuestion,
        source: &dyn LayoutSource,
        execution: StudyExecution<'_>,
    ) -> Result<Option<Playouts>, PlayPlanError> {
        let Some(number) = self.playouts else {
            return Ok(None);
        };
        let deals = source.layouts(question, number)?;
        let value = play_out(question, &deals, source, &self.playout(), execution)?;
        match value.deals {
            0 => Err(PlayPlanError::Cancelled),
            _ => Ok(Some(value)),
        }
    }
}

/// The answer to a question of declarer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeclarerAnswer {
    /// The ranked plays, if declarer plays the next card.
    pub plan: Option<PlayPlan>,
    /// The value of the contract, if playouts were requested.
    pub value: Option<Playouts>,
}

/// Ranks the cards that declarer can play next, and plays the hand on many layouts if the options request it. Playouts that
/// are cancelled count the deals played so far.
///
/// # Errors
/// If an option is out of range, a defender plays the next card and no playouts are requested, there are no layouts, or the
/// work is cancelled before it has a result.
pub fn answer(
    question: &PlayQuestion,
    source: &dyn LayoutSource,
    options: &DeclarerOptions,
    mut execution: StudyExecution<'_>,
) -> Result<DeclarerAnswer, PlayPlanError> {
    options.check(question)?;
    let plan = options.rank_plays(question, source, execution.reborrow())?;
    let value = match options.play_out(question, source, execution) {
        Err(PlayPlanError::Cancelled) if plan.is_some() => None,
        value => value?,
    };
    Ok(DeclarerAnswer { plan, value })
}
