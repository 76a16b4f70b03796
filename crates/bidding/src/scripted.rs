//! Systems that are written as scripts.

mod reading;

use std::collections::HashMap;
use std::fmt;

use cards::{CardSet, Deal, Hand, Seat, Side, Vulnerability};
use engine::{DealFacts, Machine, NoRandom, Options, PreparedPlan, Program};
use formats::Call;
use script::system::{CallerPosition, RuleValues, SystemScript};
use script::{Diagnostic, ScriptSource};

use crate::builtin::{BuiltInSystem, SYSTEM_NAMES};
use crate::robot::{
    Answer, BiddingSystem, CallExplanation, CallPosition, Detail, Robot, RobotError,
};
use formats::auction::{self, Auction, AuctionPattern};

pub use reading::CallCondition;

/// A bidding system that is written as a script.
///
/// ```
/// use croupier_bidding::{Auction, Detail, CallPosition, ScriptSystem, BiddingSystem};
/// use cards::{Seat, Vulnerability, notation};
/// use script::ScriptSource;
///
/// let source = ScriptSource::new("club.bid", "1C!: hcp(me) >= 16 \"any strong hand\"\nP: 1\n");
/// let system = ScriptSystem::parse(&source).unwrap();
/// let auction = Auction::new(Seat::North);
/// let hand = notation::hand("AKQ2.KQ5.A54.432").unwrap();
/// let question = CallPosition { hand, auction: &auction, vulnerability: Vulnerability::None };
/// let answer = system.robot()?.answer(&question, Detail::Explained)?;
/// assert_eq!(croupier_bidding::auction::call_text(answer.call), "1C");
/// assert_eq!(answer.explanation.unwrap().text, "any strong hand");
/// # Ok::<(), croupier_bidding::RobotError>(())
/// ```
pub struct ScriptSystem {
    name: String,
    script: SystemScript,
    rules: Vec<CallRule>,
    otherwise: Option<&'static BuiltInSystem>,
    /// The conditions compiled for each [`context`].
    contexts: Vec<Compiled>,
}

/// The calls of a rule.
#[derive(Clone, Debug)]
pub(crate) struct CallRule {
    /// The auction before the call, with the passes before the opening bid.
    pub pattern: AuctionPattern,
    /// The call.
    pub call: Call,
}

/// The conditions of all rules, compiled for a caller in the seat North.
struct Compiled {
    rules: RuleValues,
    program: Program,
}

/// Number of combinations of the caller's place in the first round and the vulnerability of both sides.
const CONTEXTS: usize = 16;

impl fmt::Debug for ScriptSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptSystem")
            .field("name", &self.name)
            .field("rules", &self.rules.len())
            .finish_non_exhaustive()
    }
}

/// Returns the caller of the next call: its seat, place and vulnerability.
pub(crate) fn position(auction: &Auction, vulnerability: Vulnerability) -> CallerPosition {
    let place = auction.calls().len();
    let caller = auction.seat(place);
    let ours = caller.side();
    let theirs = match ours {
        Side::NorthSouth => Side::EastWest,
        Side::EastWest => Side::NorthSouth,
    };
    CallerPosition {
        caller,
        turn: (place % 4) as u8 + 1,
        vulnerable: [ours, theirs].map(|side| vulnerability.includes(side)),
    }
}

/// Returns the number of a position among the [`CONTEXTS`].
fn context(position: CallerPosition) -> usize {
    let [ours, theirs] = position.vulnerable.map(usize::from);
    (usize::from(position.turn) - 1) * 4 + ours * 2 + theirs
}

/// Returns a deal in which North has this hand.
fn deal_of(hand: Hand) -> Deal {
    let mut others = [CardSet::EMPTY; 3];
    let rest = CardSet::FULL.iter().filter(|&card| !hand.contains(card));
    for (place, card) in rest.enumerate() {
        others[place / 13].insert(card);
    }
    let [east, south, west] = others;
    Deal::from_valid_hands([hand, east, south, west])
}

impl ScriptSystem {
    /// Reads a system and checks its calls and conditions.
    ///
    /// # Errors
    /// All errors of the script.
    pub fn parse(source: &ScriptSource) -> Result<ScriptSystem, Vec<Diagnostic>> {
        let script = SystemScript::parse(source)?;
        let mut errors = Vec::new();
        let mut rules = Vec::new();
        for rule in script.rules() {
            match CallRule::new(&rule.auction, &rule.call) {
                Ok(rule) => rules.push(rule),
                Err(message) => errors.push(script.error("E812", rule.head.clone(), message)),
            }
        }
        let otherwise = match script.otherwise() {
            Some(other) => match BuiltInSystem::by_name(&other.name) {
                Some(system) => Some(system),
                None if other.name.eq_ignore_ascii_case("pass") => None,
                None => {
                    let names = SYSTEM_NAMES.join(", ");
                    let message =
                        format!("there is no system {:?}; use {names} or pass", other.name);
                    errors.push(script.error("E813", other.range.clone(), message));
                    None
                }
            },
            None => None,
        };
        if !errors.is_empty() {
            return Err(errors);
        }
        let contexts = (0..CONTEXTS).map(|context| Compiled::new(&script, context));
        let contexts = contexts.collect::<Result<Vec<Compiled>, _>>()?;
        Ok(ScriptSystem {
            name: script.title().unwrap_or(&source.name).to_owned(),
            script,
            rules,
            otherwise,
            contexts,
        })
    }

    /// Returns the script.
    #[must_use]
    pub fn script(&self) -> &SystemScript {
        &self.script
    }

    /// Returns the built-in system that calls where the script has no rules; none if the script passes there.
    #[must_use]
    pub fn otherwise(&self) -> Option<&'static BuiltInSystem> {
        self.otherwise
    }

    /// Returns the call of a rule.
    #[must_use]
    pub fn call(&self, rule: usize) -> Call {
        self.rules[rule].call
    }

    /// Returns the rules for the next call, in the order of their priority.
    #[must_use]
    pub fn rules_after(&self, auction: &Auction) -> Vec<usize> {
        let fits = |rule: &CallRule| {
            rule.pattern.matches_whole(auction.calls()) && auction.check(rule.call).is_ok()
        };
        let rules = self.rules.iter().enumerate();
        rules
            .filter(|(_, rule)| fits(rule))
            .map(|(number, _)| number)
            .collect()
    }

    /// Returns whether the script has rules for this auction or one that continues it.
    #[must_use]
    pub fn reaches(&self, auction: &Auction) -> bool {
        let calls = auction.calls();
        self.rules
            .iter()
            .any(|rule| rule.pattern.can_begin_with(calls))
    }

    /// Creates an evaluator of the rules' conditions.
    #[must_use]
    pub fn conditions(&self) -> RuleConditions<'_> {
        RuleConditions {
            system: self,
            prepared: [const { None }; CONTEXTS],
        }
    }
}

impl Compiled {
    fn new(script: &SystemScript, context: usize) -> Result<Compiled, Vec<Diagnostic>> {
        let rules = script.compile(CallerPosition {
            caller: Seat::North,
            turn: (context / 4) as u8 + 1,
            vulnerable: [context & 2 != 0, context & 1 != 0],
        })?;
        let program = Program::new(&rules.plan, rules.values.iter().copied());
        Ok(Compiled { rules, program })
    }
}

impl CallRule {
    /// Reads the calls before a rule's call, and checks that the rule's call is legal after them.
    fn new(before: &str, call: &str) -> Result<CallRule, String> {
        let call = auction::read_call(call).ok_or_else(|| format!("`{call}` is not a call"))?;
        let wrong = |error: auction::AuctionError| error.to_string();
        let begins_with_pass = before
            .split('-')
            .next()
            .is_some_and(|word| word.to_ascii_uppercase().starts_with('P'));
        let text = match (before, begins_with_pass) {
            ("", _) => "P*".to_owned(),
            (before, true) => before.to_owned(),
            (before, false) => format!("P*-{before}"),
        };
        let pattern: AuctionPattern = text.parse().map_err(wrong)?;
        if !before.contains(['?', '*']) && !before.to_ascii_lowercase().contains("any") {
            let mut auction = Auction::parse(before, Seat::North).map_err(wrong)?;
            auction.push(call).map_err(wrong)?;
        }
        Ok(CallRule { pattern, call })
    }
}

/// Evaluates the conditions of a system's rules, on one thread.
pub struct RuleConditions<'a> {
    system: &'a ScriptSystem,
    prepared: [Option<Box<PreparedPlan<'a>>>; CONTEXTS],
}

impl<'a> RuleConditions<'a> {
    /// Calls `found` with each of `rules` whose condition the hand satisfies, in their order, until it returns false.
    fn each(
        &mut self,
        rules: &[usize],
        hand: Hand,
        position: CallerPosition,
        mut found: impl FnMut(usize) -> bool,
    ) {
        let context = context(position);
        let compiled: &'a Compiled = &self.system.contexts[context];
        let prepared = self.prepared[context].get_or_insert_with(|| {
            Box::new(PreparedPlan::new(&compiled.rules.plan, &Options::default()))
        });
        let mut machine = Machine::new(prepared, &compiled.program);
        machine.set_deal(deal_of(hand), DealFacts::new(), 0, 0);
        for &rule in rules {
            // A condition that fails, for example by a division by zero, is not satisfied.
            let value = machine.evaluate(compiled.rules.values[rule], &mut NoRandom);
            if value.is_ok_and(|value| value != 0) && !found(rule) {
                return;
            }
        }
    }

    /// Returns the first of `rules` whose condition the hand satisfies.
    pub fn first(
        &mut self,
        rules: &[usize],
        hand: Hand,
        position: CallerPosition,
    ) -> Option<usize> {
        let mut first = None;
        self.each(rules, hand, position, |rule| {
            first = Some(rule);
            false
        });
        first
    }

    /// Returns all of `rules` whose conditions the hand satisfies.
    pub fn all(&mut self, rules: &[usize], hand: Hand, position: CallerPosition) -> Vec<usize> {
        let mut all = Vec::new();
        self.each(rules, hand, position, |rule| {
            all.push(rule);
            true
        });
        all
    }
}

impl BiddingSystem for ScriptSystem {
    fn name(&self) -> &str {
        &self.name
    }

    fn robot(&self) -> Result<Box<dyn Robot + '_>, RobotError> {
        Ok(Box::new(ScriptRobot {
            system: self,
            conditions: self.conditions(),
            rules: HashMap::new(),
            otherwise: self.otherwise.map(BiddingSystem::robot).transpose()?,
        }))
    }
}

/// Maximum number of auctions whose rules a robot keeps.
const KEPT_AUCTIONS: usize = 10_000;

struct ScriptRobot<'a> {
    system: &'a ScriptSystem,
    conditions: RuleConditions<'a>,
    /// The rules for the next call, by the calls so far.
    rules: HashMap<Vec<Call>, Vec<usize>>,
    otherwise: Option<Box<dyn Robot + 'a>>,
}

impl Robot for ScriptRobot<'_> {
    fn answer(
        &mut self,
        question: &CallPosition<'_>,
        detail: Detail,
    ) -> Result<Answer, RobotError> {
        let auction = question.auction;
        if self.rules.len() >= KEPT_AUCTIONS {
            self.rules.clear();
        }
        let rules = self
            .rules
            .entry(auction.calls().to_vec())
            .or_insert_with(|| self.system.rules_after(auction));
        if rules.is_empty() {
            return match &mut self.otherwise {
                Some(robot) => robot.answer(question, detail),
                None => Ok(pass()),
            };
        }
        let position = position(auction, question.vulnerability);
        let Some(rule) = self.conditions.first(rules, question.hand, position) else {
            return Ok(pass());
        };
        let explanation = (detail == Detail::Explained).then(|| self.system.explanation(rule));
        Ok(Answer {
            call: self.system.call(rule),
            explanation,
        })
    }
}

fn pass() -> Answer {
    Answer {
        call: Call::Pass,
        explanation: None,
    }
}

impl ScriptSystem {
    /// Returns the explanation of the call of a rule: its text, or its condition.
    pub(crate) fn explanation(&self, rule: usize) -> CallExplanation {
        let written = &self.script.rules()[rule];
        CallExplanation {
            text: self.rule_text(rule),
            is_alerted: written.is_alerted,
            meaning: None,
        }
    }

    /// Returns a rule in words: its text, or its condition.
    pub(crate) fn rule_text(&self, rule: usize) -> String {
        let text = self.script.rules()[rule].text.clone();
        text.unwrap_or_else(|| match self.script.condition_text(rule).as_str() {
            "1" => "any hand".to_owned(),
            condition => condition.replace("(me)", "").replace("(me, ", "("),
        })
    }
}
