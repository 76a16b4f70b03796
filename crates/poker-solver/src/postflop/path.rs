//! Paths through the tree, as text: actions and cards separated by commas.

use cards::CardSet;
use poker::{card_text, parse_cards};

use super::deals::Board;
use super::game::Game;
use super::spot::PathError;
use super::suits::SuitExchange;
use super::tree::{Decision, Extent, Node};

/// A step of a path as it was followed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// The action with this number at a decision.
    Action(usize),
    /// The index of a card among those that are played out.
    Card(usize),
}

/// A node, its board and the start of its storage.
pub(super) struct Position<'a> {
    pub node: usize,
    pub board: &'a Board,
    pub start: Extent,
    pub steps: Vec<Step>,
    /// Maps the cards that are played out to the cards of the path.
    pub exchange: SuitExchange,
}

fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.split(',')
        .map(str::trim)
        .filter(|step| !step.is_empty())
}

/// Returns the cards in a path.
pub(super) fn path_cards(path: &str) -> impl Iterator<Item = CardSet> {
    steps(path).filter_map(|step| parse_cards(step).ok().filter(|cards| cards.len() == 1))
}

impl<'a> Position<'a> {
    pub fn root(game: &'a Game) -> Position<'a> {
        Position {
            node: 0,
            board: &game.deals.root,
            start: Extent::default(),
            steps: Vec::new(),
            exchange: SuitExchange::IDENTITY,
        }
    }

    /// Follows a path from the root.
    pub fn follow(game: &'a Game, path: &str) -> Result<Position<'a>, PathError> {
        let mut position = Position::root(game);
        for step in steps(path) {
            match &game.tree.nodes[position.node] {
                Node::Decision(decision) => {
                    let action = position.action(decision, step)?;
                    position.act(game, action);
                }
                Node::Chance { .. } => position.deal(game, step)?,
                Node::Fold { .. } | Node::Showdown { .. } => {
                    return Err(PathError::Step(step.to_owned(), Vec::new()));
                }
            }
        }
        Ok(position)
    }

    /// Returns the number of an action by its name.
    pub fn action(&self, decision: &Decision, name: &str) -> Result<usize, PathError> {
        let found = decision
            .actions
            .iter()
            .position(|action| action.is_named(name));
        found.ok_or_else(|| {
            let names = decision.actions.iter().map(ToString::to_string).collect();
            PathError::Step(name.to_owned(), names)
        })
    }

    /// Takes an action at a decision.
    pub fn act(&mut self, game: &Game, action: usize) {
        let Node::Decision(decision) = &game.tree.nodes[self.node] else {
            return;
        };
        let hands = game.deals.sizes(self.board)[decision.player];
        self.start.values += hands * decision.actions.len();
        self.start.decisions += 1;
        for &child in &decision.children[..action] {
            self.skip(game.tree.extent(child, self.board));
        }
        self.node = decision.children[action];
        self.steps.push(Step::Action(action));
    }

    fn skip(&mut self, extent: Extent) {
        self.start.values += extent.values;
        self.start.decisions += extent.decisions;
    }

    /// Deals the card with this index at a chance node.
    pub fn deal_place(&mut self, game: &'a Game, place: usize) {
        let &Node::Chance { child } = &game.tree.nodes[self.node] else {
            return;
        };
        let board = self.board;
        for next in &board.next[..place] {
            self.skip(game.tree.extent(child, &next.board));
        }
        self.node = child;
        self.board = &board.next[place].board;
        self.steps.push(Step::Card(place));
    }

    fn deal(&mut self, game: &'a Game, text: &str) -> Result<(), PathError> {
        let impossible = || {
            let example = format!(
                "a card that is not on the board, such as {}",
                self.example_card()
            );
            PathError::Step(text.to_owned(), vec![example])
        };
        let card = parse_cards(text).ok().filter(|cards| cards.len() == 1);
        let card = self.exchange.inverse().apply(card.ok_or_else(impossible)?);
        let number = card.0.trailing_zeros() as u8;
        for (place, next) in self.board.next.iter().enumerate() {
            if next.card == number {
                self.deal_place(game, place);
                return Ok(());
            }
            if let Some(image) = next.images.iter().find(|image| image.card == number) {
                self.exchange = self
                    .exchange
                    .after(game.deals.symmetries[image.symmetry].exchange);
                self.deal_place(game, place);
                return Ok(());
            }
        }
        Err(impossible())
    }

    fn example_card(&self) -> String {
        let free = CardSet::FULL - self.exchange.apply(self.board.cards);
        free.iter().next().map(card_text).unwrap_or_default()
    }

    /// Returns the error for a path that ends here, where no player decides.
    pub fn no_decision(&self, game: &Game) -> PathError {
        PathError::NoDecision(match &game.tree.nodes[self.node] {
            Node::Chance { .. } => format!(
                "add the next card to the path, such as {}",
                self.example_card()
            ),
            _ => "the hand is over".to_owned(),
        })
    }
}
