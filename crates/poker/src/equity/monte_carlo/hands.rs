//! The hands of players with ranges. A batch of choices is drawn at a time; a choice in which two hands share a card is
//! rejected as a whole.

use cards::CardSet;
use cpu::CpuPath;
use shuffle::BlockWords;

use super::lanes::{BATCH, Column, HandWords, draw_hands};
use crate::equity::random::WeightedChoice;

/// Up to this sum of weights each choice is listed as often as its weight, so that all entries are equally likely.
const LONGEST_EXPANSION: u128 = 1 << 14;
/// Up to this number of choices two groups are joined, so that their hands need not be compared. The list has a few
/// hundred kilobytes; longer ones do not fit in the cache.
const LONGEST_JOINED: usize = 1 << 14;

/// Maximum number of pairs of choices that are compared to join two groups.
const MAX_COMPARED_PAIRS: usize = 1 << 20;

/// Players whose hands are drawn together, and their possible hands.
#[derive(Clone)]
pub(super) struct Choices {
    /// The players.
    pub(super) players: Vec<usize>,
    /// Hands of all choices, one choice after the other.
    pub(super) hands: Vec<CardSet>,
    /// The weights of the choices: the products of the weights of their hands.
    pub(super) weights: Vec<u128>,
}

impl Choices {
    /// Returns the choices with their weights.
    fn iter(&self) -> impl Iterator<Item = (&[CardSet], u128)> {
        let hands = self.hands.chunks_exact(self.players.len());
        hands.zip(self.weights.iter().copied())
    }

    /// Joins two groups and omits choices in which hands share a card. `None` if there are more than `longest` choices.
    pub(super) fn join(&self, other: &Choices, longest: usize) -> Option<Choices> {
        let mut joined = Choices {
            players: [&self.players[..], &other.players].concat(),
            hands: Vec::new(),
            weights: Vec::new(),
        };
        for (hands, weight) in self.iter() {
            let used = together(hands);
            for (others, other_weight) in other.iter() {
                if !together(others).is_disjoint(used) {
                    continue;
                }
                if joined.weights.len() == longest {
                    return None;
                }
                joined.hands.extend(hands);
                joined.hands.extend(others);
                joined.weights.push(weight.checked_mul(other_weight)?);
            }
        }
        Some(joined)
    }

    /// Returns whether one random word can choose by these weights.
    fn can_be_drawn(&self) -> bool {
        let mut weights = self.weights.iter();
        let sum = weights.try_fold(0u128, |sum, &weight| sum.checked_add(weight));
        sum.is_some_and(|sum| sum <= u128::from(u64::MAX))
    }
}

/// Joins the shortest groups while the lists stay short.
pub(super) fn join_short(mut groups: Vec<Choices>) -> Vec<Choices> {
    loop {
        groups.sort_by_key(|group| (group.weights.len(), group.players[0]));
        let [first, second, ..] = &groups[..] else {
            return groups;
        };
        let pairs = first.weights.len().saturating_mul(second.weights.len());
        let joined = (pairs <= MAX_COMPARED_PAIRS)
            .then(|| first.join(second, LONGEST_JOINED))
            .flatten()
            .filter(Choices::can_be_drawn);
        let Some(joined) = joined else {
            return groups;
        };
        groups.splice(..2, [joined]);
    }
}

/// Joins all groups. `None` if there are more than `longest` choices, or the weights are too fine.
pub(super) fn join_all(groups: &[Choices], longest: usize) -> Option<Choices> {
    let (first, rest) = groups.split_first()?;
    let joined = rest
        .iter()
        .try_fold(first.clone(), |joined, group| joined.join(group, longest))?;
    joined.can_be_drawn().then_some(joined)
}

fn together(hands: &[CardSet]) -> CardSet {
    hands.iter().fold(CardSet::EMPTY, |all, &hand| all | hand)
}

/// [`Choices`] prepared for drawing.
pub(super) struct Group {
    /// The players.
    pub(super) players: Vec<usize>,
    /// The hands, those of one choice after those of another.
    pub(super) hands: Vec<CardSet>,
    /// The cards of every choice.
    used: Vec<CardSet>,
    /// The slots of the cards of every choice, ascending, one choice after another.
    pub(super) slots: Vec<u8>,
    way: DrawMethod,
}

/// The method by which a choice is drawn.
enum DrawMethod {
    /// All choices are equally likely; their number.
    Even(u32),
    Weighted(WeightedChoice),
}

impl Group {
    /// Prepares a group whose cards have the slots `slot_of`.
    pub(super) fn new(choices: &Choices, slot_of: &[u8; 64]) -> Group {
        let weights = &choices.weights;
        let total: u128 = weights.iter().sum();
        let even = weights.windows(2).all(|pair| pair[0] == pair[1]);
        let expanded = !even && total <= LONGEST_EXPANSION;
        let way = if even {
            DrawMethod::Even(weights.len() as u32)
        } else if expanded {
            DrawMethod::Even(total as u32)
        } else {
            DrawMethod::Weighted(WeightedChoice::new(weights))
        };
        let mut group = Group {
            players: choices.players.clone(),
            hands: Vec::new(),
            used: Vec::new(),
            slots: Vec::new(),
            way,
        };
        for (hands, weight) in choices.iter() {
            let used = together(hands);
            let bits = (0..64).filter(|bit| used.0 >> bit & 1 == 1);
            let slots: Vec<u8> = bits.map(|bit| slot_of[bit]).collect();
            for _ in 0..if expanded { weight } else { 1 } {
                group.hands.extend(hands);
                group.used.push(used);
                group.slots.extend(&slots);
            }
        }
        group
    }

    /// Draws a choice for every deal. Sets `refused` to a value other than zero where the random bits are rejected.
    pub(super) fn pick(
        &self,
        path: CpuPath,
        random: &mut BlockWords,
        picks: &mut Column<u32>,
        refused: &mut Column<u32>,
    ) {
        match &self.way {
            DrawMethod::Even(count) => {
                let mut words: HandWords = [0; BATCH / 2];
                random.fill(&mut words);
                draw_hands(path, &words, *count, picks, refused);
            }
            DrawMethod::Weighted(choice) => {
                for pick in picks {
                    *pick = choice.draw(random) as u32;
                }
            }
        }
    }

    /// Writes the hands of a player (by position in the group) with the cards of `shared`, for all deals.
    pub(super) fn hands_of(
        &self,
        place: usize,
        picks: &Column<u32>,
        shared: &Column<CardSet>,
        hands: &mut Column<CardSet>,
    ) {
        let players = self.players.len();
        for (hand, (&pick, &shared)) in hands.iter_mut().zip(picks.iter().zip(shared)) {
            *hand = self.hands[pick as usize * players + place] | shared;
        }
    }

    /// Writes the cards of all players of the group, for all deals.
    pub(super) fn used_by(&self, picks: &Column<u32>, used: &mut Column<CardSet>) {
        for (used, &pick) in used.iter_mut().zip(picks) {
            *used = self.used[pick as usize];
        }
    }

    /// Writes the slots of the cards of all deals into as many columns as a choice has cards.
    pub(super) fn slots_of(&self, picks: &Column<u32>, columns: &mut [Column<u8>]) {
        match columns {
            [a, b] => self.slots_of_some([a, b], picks),
            [a, b, c, d] => self.slots_of_some([a, b, c, d], picks),
            [a, b, c, d, e, f] => self.slots_of_some([a, b, c, d, e, f], picks),
            _ => {
                let cards = columns.len();
                for (card, column) in columns.iter_mut().enumerate() {
                    for (slot, &pick) in column.iter_mut().zip(picks) {
                        *slot = self.slots[pick as usize * cards + card];
                    }
                }
            }
        }
    }

    fn slots_of_some<const N: usize>(&self, columns: [&mut Column<u8>; N], picks: &Column<u32>) {
        let (slots, _) = self.slots.as_chunks::<N>();
        for (deal, &pick) in picks.iter().enumerate() {
            let slots = slots[pick as usize];
            for card in 0..N {
                columns[card][deal] = slots[card];
            }
        }
    }
}

/// Capacity: the rest of one batch and another whole batch.
const ROOM: usize = 2 * BATCH;

/// Accepted choices of several groups that have not been dealt yet.
pub(super) struct Pool {
    path: CpuPath,
    /// The choices by group.
    picks: Vec<[u32; ROOM]>,
    /// The cards of the choices of all groups.
    used: [CardSet; ROOM],
    waiting: usize,
    fresh: Vec<Column<u32>>,
}

impl Pool {
    pub(super) fn new(groups: &[Group], path: CpuPath) -> Pool {
        Pool {
            path,
            picks: vec![[0; ROOM]; groups.len()],
            used: [CardSet::EMPTY; ROOM],
            waiting: 0,
            fresh: vec![[0; BATCH]; groups.len()],
        }
    }

    /// Drops all choices, for a new block.
    pub(super) fn clear(&mut self) {
        self.waiting = 0;
    }

    /// Returns the number of choices.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Draws a batch of choices and keeps those without a common card. Call it only with less than a batch in the pool.
    pub(super) fn draw(&mut self, groups: &[Group], random: &mut BlockWords) {
        let mut used = [CardSet::EMPTY; BATCH];
        let mut clash = [CardSet::EMPTY; BATCH];
        let mut refused = [0u32; BATCH];
        for (group, picks) in groups.iter().zip(&mut self.fresh) {
            group.pick(self.path, random, picks, &mut refused);
            for (deal, &pick) in picks.iter().enumerate() {
                let cards = group.used[pick as usize];
                clash[deal] |= used[deal] & cards;
                used[deal] |= cards;
            }
        }
        // A rejected choice is overwritten by the next one.
        let mut places = [0u16; BATCH];
        let mut end = self.waiting;
        for deal in 0..BATCH {
            places[deal] = end as u16;
            self.used[end % ROOM] = used[deal];
            end += usize::from(clash[deal].0 | u64::from(refused[deal]) == 0);
        }
        for (picks, fresh) in self.picks.iter_mut().zip(&self.fresh) {
            for (&place, &pick) in places.iter().zip(fresh) {
                picks[usize::from(place) % ROOM] = pick;
            }
        }
        self.waiting = end;
    }

    /// Returns the choices of a group in the first batch.
    pub(super) fn front(&self, group: usize) -> &Column<u32> {
        self.picks[group].first_chunk().expect("a batch has room")
    }

    /// Returns the cards of all groups in the first batch.
    pub(super) fn front_used(&self) -> &Column<CardSet> {
        self.used.first_chunk().expect("a batch has room")
    }

    /// Removes the first batch.
    pub(super) fn advance(&mut self) {
        self.used.copy_within(BATCH.., 0);
        for picks in &mut self.picks {
            picks.copy_within(BATCH.., 0);
        }
        self.waiting -= BATCH;
    }
}
