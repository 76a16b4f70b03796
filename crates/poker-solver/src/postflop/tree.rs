//! The tree of actions, without cards.
//!
//! Bets do not depend on the cards dealt, so one tree serves all runouts: a chance node has a single child for all
//! cards. [`Tree::extent`] returns the size of the storage of a subtree on a board.

use std::fmt;

use super::bets::{BetSize, SizeTable, Street, round};
use super::deals::{Board, Level};

/// The largest number of nodes of a tree.
const MOST_NODES: usize = 1 << 18;

/// An action of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BettingAction {
    /// Gives up the pot.
    Fold,
    /// Bets nothing.
    Check,
    /// Matches the opponent's bet.
    Call,
    /// Bets the given number of chips.
    Bet(f64),
    /// Raises to the given number of chips on the street.
    Raise(f64),
    /// Bets or raises to this many chips on the street, which is all that is left.
    AllIn(f64),
}

impl fmt::Display for BettingAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BettingAction::Fold => f.write_str("fold"),
            BettingAction::Check => f.write_str("check"),
            BettingAction::Call => f.write_str("call"),
            BettingAction::Bet(chips) => write!(f, "bet {chips}"),
            BettingAction::Raise(chips) => write!(f, "raise {chips}"),
            BettingAction::AllIn(_) => f.write_str("all-in"),
        }
    }
}

impl BettingAction {
    /// Returns whether `text` names this action: `fold` or `f`, `check` or `x`, `call` or `c`, `bet 50` or `b50`,
    /// `raise 150` or `r150`, `all-in` or `a`.
    pub(super) fn is_named(&self, text: &str) -> bool {
        let text = text.trim().to_ascii_lowercase();
        let chips = |long: &str, short: char, amount: f64| {
            let digits = text.strip_prefix(long).or_else(|| text.strip_prefix(short));
            digits
                .and_then(|d| d.trim().parse::<f64>().ok())
                .is_some_and(|d| (d - amount).abs() < 1e-6)
        };
        match *self {
            BettingAction::Fold => matches!(text.as_str(), "fold" | "f"),
            BettingAction::Check => matches!(text.as_str(), "check" | "x" | "k"),
            BettingAction::Call => matches!(text.as_str(), "call" | "c"),
            BettingAction::Bet(amount) => chips("bet", 'b', amount),
            BettingAction::Raise(amount) => chips("raise", 'r', amount),
            BettingAction::AllIn(_) => matches!(text.as_str(), "all-in" | "allin" | "a"),
        }
    }
}

/// A decision of a player.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    /// The player who decides: 0 is out of position, 1 in position.
    pub player: usize,
    pub street: Street,
    /// Chips in the pot, including bets of this street.
    pub pot: f64,
    /// Chips that each player has paid since the start.
    pub paid: [f64; 2],
    pub actions: Vec<BettingAction>,
    pub children: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Decision(Decision),
    /// A card is dealt.
    Chance {
        child: usize,
    },
    /// A player has folded; `winner` gains `amount`: half of the first pot and the chips that the other has paid.
    Fold {
        winner: usize,
        amount: f64,
    },
    /// The better hand gains `amount`.
    Showdown {
        amount: f64,
    },
}

/// Storage in a subtree by street, counted from the street of its first node: values per hand of each player, and
/// decisions.
type Coefficients = [([usize; 2], usize); 3];

/// Numbers of stored values and of decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub values: usize,
    pub decisions: usize,
}

/// The tree; its first node is the root.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    coefficients: Vec<Coefficients>,
}

/// Builds a tree.
pub(super) struct Builder<'a> {
    pub pot: f64,
    pub stack: f64,
    pub bets: &'a SizeTable,
    pub raises: &'a SizeTable,
    /// A bet that leaves at most this share of the pot after a call is all-in.
    pub all_in_threshold: f64,
    /// The largest number of raises on a street, the first bet not counted.
    pub raise_limit: usize,
    pub nodes: Vec<Node>,
}

/// The state of the betting before a decision.
#[derive(Clone, Copy)]
struct Line {
    street: Street,
    /// Chips paid since the start.
    paid: [f64; 2],
    /// Chips that each player had paid when the street began.
    before: f64,
    player: usize,
    last_raise: f64,
    bets: usize,
    checked: bool,
}

/// The tree has too many nodes.
pub(super) struct TooLarge;

impl Builder<'_> {
    /// Builds the tree from a street on, out of position first.
    pub fn build(mut self, street: Street) -> Result<Tree, TooLarge> {
        self.open(street, 0.0)?;
        let coefficients = coefficients(&self.nodes);
        Ok(Tree {
            nodes: self.nodes,
            coefficients,
        })
    }

    fn push(&mut self, node: Node) -> Result<usize, TooLarge> {
        if self.nodes.len() == MOST_NODES {
            return Err(TooLarge);
        }
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    /// Starts a street on which both players have paid `paid` before.
    fn open(&mut self, street: Street, paid: f64) -> Result<usize, TooLarge> {
        if self.stack - paid <= 1e-9 {
            return self.close(street, paid);
        }
        self.decide(Line {
            street,
            paid: [paid; 2],
            before: paid,
            player: 0,
            last_raise: 0.0,
            bets: 0,
            checked: false,
        })
    }

    /// Ends a street: the next card, or the showdown.
    fn close(&mut self, street: Street, paid: f64) -> Result<usize, TooLarge> {
        let Some(next) = street.next() else {
            return self.push(Node::Showdown {
                amount: self.pot / 2.0 + paid,
            });
        };
        let node = self.push(Node::Chance { child: 0 })?;
        let child = self.open(next, paid)?;
        self.nodes[node] = Node::Chance { child };
        Ok(node)
    }

    fn decide(&mut self, line: Line) -> Result<usize, TooLarge> {
        let (me, other) = (line.player, 1 - line.player);
        let facing = line.paid[other] - line.paid[me];
        let mut actions = if facing > 0.0 {
            vec![BettingAction::Fold, BettingAction::Call]
        } else {
            vec![BettingAction::Check]
        };
        actions.extend(self.sizes(&line));
        let node = self.push(Node::Decision(Decision {
            player: me,
            street: line.street,
            pot: self.pot + line.paid[0] + line.paid[1],
            paid: line.paid,
            actions: actions.clone(),
            children: Vec::new(),
        }))?;
        let mut children = Vec::with_capacity(actions.len());
        for action in actions {
            children.push(self.after(&line, action)?);
        }
        if let Node::Decision(decision) = &mut self.nodes[node] {
            decision.children = children;
        }
        Ok(node)
    }

    fn after(&mut self, line: &Line, action: BettingAction) -> Result<usize, TooLarge> {
        let (me, other) = (line.player, 1 - line.player);
        match action {
            BettingAction::Fold => self.push(Node::Fold {
                winner: other,
                amount: self.pot / 2.0 + line.paid[me],
            }),
            BettingAction::Check if line.checked => self.close(line.street, line.before),
            BettingAction::Check => self.decide(Line {
                player: other,
                checked: true,
                ..*line
            }),
            BettingAction::Call => self.close(line.street, line.paid[other]),
            BettingAction::Bet(to) | BettingAction::Raise(to) | BettingAction::AllIn(to) => {
                let mut paid = line.paid;
                paid[me] = round(line.before + to);
                self.decide(Line {
                    paid,
                    player: other,
                    last_raise: paid[me] - paid[other],
                    bets: line.bets + 1,
                    ..*line
                })
            }
        }
    }

    /// Returns the bets or raises of a player, smallest first.
    fn sizes(&self, line: &Line) -> Vec<BettingAction> {
        let (me, other) = (line.player, 1 - line.player);
        let behind = self.stack - line.paid[me];
        let facing = line.paid[other] - line.paid[me];
        let raising = facing > 0.0;
        // A call may take the whole stack, and the number of raises is limited.
        if behind - facing <= 1e-9 || raising && line.bets > self.raise_limit {
            return Vec::new();
        }
        let table = if raising { self.raises } else { self.bets };
        let called = self.pot + 2.0 * line.paid[other];
        let mut totals: Vec<f64> = Vec::new();
        for &size in table.get(line.street, me) {
            let bet = line.paid[other] - line.before;
            let by = match size {
                BetSize::Pot(share) => share * called,
                BetSize::Times(times) => (times - 1.0) * bet,
                BetSize::Chips(chips) => chips - bet,
                BetSize::AllIn => behind,
            };
            let by = by.max(line.last_raise);
            let left = behind - facing - by;
            let is_all_in = left <= self.all_in_threshold * (called + 2.0 * by) || left <= 1e-9;
            let total = if is_all_in { behind } else { facing + by };
            totals.push(round(line.paid[me] + total - line.before));
        }
        totals.sort_by(f64::total_cmp);
        totals.dedup();
        let most = round(self.stack - line.before);
        let action = |to: f64| match to {
            _ if to >= most => BettingAction::AllIn(to),
            _ if raising => BettingAction::Raise(to),
            _ => BettingAction::Bet(to),
        };
        totals.into_iter().map(action).collect()
    }
}

fn coefficients(nodes: &[Node]) -> Vec<Coefficients> {
    let mut all = vec![Coefficients::default(); nodes.len()];
    // Children come after their parents.
    for (place, node) in nodes.iter().enumerate().rev() {
        let mut own = Coefficients::default();
        match node {
            Node::Decision(decision) => {
                own[0].0[decision.player] = decision.actions.len();
                own[0].1 = 1;
                for &child in &decision.children {
                    for (sum, part) in own.iter_mut().zip(&all[child]) {
                        sum.0[0] += part.0[0];
                        sum.0[1] += part.0[1];
                        sum.1 += part.1;
                    }
                }
            }
            Node::Chance { child } => {
                own[1] = all[*child][0];
                own[2] = all[*child][1];
            }
            Node::Fold { .. } | Node::Showdown { .. } => {}
        }
        all[place] = own;
    }
    all
}

impl Tree {
    /// Returns the storage of the subtree of a node on a board.
    pub fn extent(&self, node: usize, board: &Board) -> Extent {
        let mut extent = Extent::default();
        for ((values, decisions), level) in self.coefficients[node].iter().zip(&board.levels) {
            let Level { hands, boards } = level;
            extent.values += values[0] * hands[0] + values[1] * hands[1];
            extent.decisions += decisions * boards;
        }
        extent
    }
}
