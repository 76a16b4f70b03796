//! The search over declarer's information sets for the results that a line of play can reach against best defence.
//!
//! The defenders know all cards and declarer's line. After a card of theirs declarer's information set is every world
//! in which that card could have been played. He chooses one result for each card that he sees, and in every world the
//! defender plays the worst for him of the cards that he holds there.

use crate::classes::{Classes, Following, Holders, VOID};
use crate::counts::Counts;
use crate::front::Front;
use crate::hashing::Map;
use crate::root::SIMPLE_NODES;
use crate::rules::{Rules, Side, Trick};
use crate::worlds::WorldSet;

/// A position at the start of a trick with the number of tricks in question.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key<S, const W: usize> {
    state: S,
    left: Counts,
    need: i8,
    levels: u8,
    worlds: WorldSet<W>,
}

/// A search with its tables, which are shared by all goals for one combination.
pub(crate) struct Search<R: Rules, const W: usize> {
    pub(crate) rules: R,
    pub(crate) classes: Classes,
    pub(crate) holders: Holders<W>,
    /// For each position the range of its front in `results`: first set and number of sets.
    fronts: Map<Key<R::State, W>, (u32, u32)>,
    results: Vec<WorldSet<W>>,
    double_dummy: Map<(R::State, Counts, i8), WorldSet<W>>,
    possible: Map<Counts, WorldSet<W>>,
    /// The number of nodes after which the search at the root changes to the bound from fractional weights.
    pub(crate) simple_nodes: u64,
    /// The size of a front at which the search gives up.
    most_results: usize,
    /// Whether the search gave up. Its fronts are then incomplete and are discarded.
    gave_up: bool,
}

/// A position at the start of a trick, for which the front of results from `need` tricks on is searched.
#[derive(Clone, Copy)]
pub(crate) struct Position<S, const W: usize> {
    pub(crate) state: S,
    pub(crate) left: Counts,
    pub(crate) worlds: WorldSet<W>,
    /// The number of tricks of the first level.
    pub(crate) need: i8,
}

/// Returns the numbers of the bits of `mask`, lowest first.
pub(crate) fn bits(mask: u16) -> impl DoubleEndedIterator<Item = u8> {
    (0..16).filter(move |bit| mask >> bit & 1 == 1)
}

/// Returns the cards of third hand in `thirds`, lowest card first, or [`VOID`] if there is none.
pub(crate) fn third_hand(thirds: u16) -> impl Iterator<Item = u8> {
    let void = (thirds == 0).then_some(VOID);
    bits(thirds).rev().chain(void)
}

impl<R: Rules, const W: usize> Search<R, W> {
    pub(crate) fn new(rules: R, classes: Classes) -> Self {
        Search {
            rules,
            holders: Holders::new(&classes),
            classes,
            fronts: Map::default(),
            results: Vec::new(),
            double_dummy: Map::default(),
            possible: Map::default(),
            simple_nodes: SIMPLE_NODES,
            most_results: usize::MAX,
            gave_up: false,
        }
    }

    /// Returns the position before the first trick, with the given worlds.
    pub(crate) fn start(&self, worlds: WorldSet<W>, need: i8) -> Position<R::State, W> {
        let left = self.classes.sizes();
        Position {
            state: self.rules.canonical(self.rules.start(), left),
            left,
            worlds,
            need,
        }
    }

    /// Returns the worlds that are possible if the cards `left` of the defenders remain.
    fn possible(&mut self, left: Counts) -> WorldSet<W> {
        let classes = &self.classes;
        *self.possible.entry(left).or_insert_with(|| {
            WorldSet::collect(classes.worlds(), |world| {
                (0..classes.len()).all(|class| classes.west_holds(world, class) <= left.get(class))
            })
        })
    }

    /// Returns the worlds in which declarer takes at least `need` tricks if he sees all cards.
    pub(crate) fn double_dummy(&mut self, state: R::State, left: Counts, need: i8) -> WorldSet<W> {
        let all = self.possible(left);
        if need <= 0 {
            return all;
        }
        let state = self.rules.canonical(state, left);
        if need > self.rules.most(state) {
            return WorldSet::EMPTY;
        }
        if need <= self.rules.sure(state) {
            return all;
        }
        if let Some(&known) = self.double_dummy.get(&(state, left, need)) {
            return known;
        }
        let mut best = WorldSet::EMPTY;
        'leads: for leader in Side::BOTH {
            for lead in bits(self.rules.leads(state, leader, left)) {
                best |= self.double_dummy_lead(state, left, all, need, leader, lead);
                if best == all {
                    break 'leads;
                }
            }
        }
        self.double_dummy.insert((state, left, need), best);
        best
    }

    fn double_dummy_lead(
        &mut self,
        state: R::State,
        left: Counts,
        all: WorldSet<W>,
        need: i8,
        leader: Side,
        lead: u8,
    ) -> WorldSet<W> {
        let is_west = leader.west_is_second();
        let mut won = all;
        for second in self.holders.cards() {
            let Some(after) = self.holders.follow(is_west, second, left, &all) else {
                continue;
            };
            let within = after.worlds.shifted_down(after.shift);
            let thirds = self
                .rules
                .thirds(state, leader, lead, second, left, after.left);
            let mut best = WorldSet::EMPTY;
            for third in third_hand(thirds) {
                let trick = Trick {
                    leader,
                    lead,
                    third,
                };
                best |= self.double_dummy_fourth(state, trick, second, after.left, within, need);
            }
            let lost = after.worlds.without(&best.shifted_up(after.shift));
            won = won.without(&lost);
        }
        won
    }

    fn double_dummy_fourth(
        &mut self,
        state: R::State,
        trick: Trick,
        second: u8,
        left: Counts,
        within: WorldSet<W>,
        need: i8,
    ) -> WorldSet<W> {
        let is_west = !trick.leader.west_is_second();
        let mut won = within;
        for fourth in self.holders.cards() {
            let Some(after) = self.holders.follow(is_west, fourth, left, &within) else {
                continue;
            };
            let wins = self.rules.wins(trick, second, fourth);
            let next = self.rules.after(state, trick, wins);
            let rest = self.double_dummy(next, after.left, need - i8::from(wins));
            let lost = after.worlds.without(&rest.shifted_up(after.shift));
            won = won.without(&lost);
        }
        won
    }

    /// Returns the front at the start of a trick: results with `levels` levels.
    pub(crate) fn front(&mut self, position: Position<R::State, W>, levels: usize) -> Front<W> {
        let Position {
            left, worlds, need, ..
        } = position;
        let state = self.rules.canonical(position.state, left);
        let sure = self.rules.sure(state);
        // The search omits levels at the bottom that are certain and levels at the top that are impossible.
        let low = (0..levels)
            .find(|&level| need + level as i8 > sure)
            .unwrap_or(levels);
        let mut caps: Vec<WorldSet<W>> = (low..levels)
            .map(|level| worlds & self.double_dummy(state, left, need + level as i8))
            .collect();
        while caps.last().is_some_and(WorldSet::is_empty) {
            caps.pop();
        }
        let complete = |results: &[WorldSet<W>], out: &mut Vec<WorldSet<W>>| {
            let inner = caps.len();
            for result in results.chunks(inner.max(1)) {
                out.extend((0..low).map(|_| worlds));
                out.extend_from_slice(result);
                out.extend((low + inner..levels).map(|_| WorldSet::EMPTY));
            }
        };
        let mut sets = Vec::new();
        if caps.is_empty() {
            sets.resize(low, worlds);
            sets.resize(levels, WorldSet::EMPTY);
            return Front::from_sets(levels, sets);
        }
        let within = caps[0];
        // In a single world declarer sees all cards.
        if within.len() == 1 {
            complete(&caps, &mut sets);
            return Front::from_sets(levels, sets);
        }
        let key = Key {
            state,
            left,
            need: need + low as i8,
            levels: caps.len() as u8,
            worlds: within,
        };
        if let Some(&(first, number)) = self.fronts.get(&key) {
            let (first, number) = (first as usize, number as usize);
            complete(&self.results[first..first + number], &mut sets);
            return Front::from_sets(levels, sets);
        }
        let position = Position {
            state,
            left,
            worlds: within,
            need: key.need,
        };
        let front = self.front_of_leads(position, &caps);
        if self.gave_up {
            complete(&caps, &mut sets);
            return Front::from_sets(levels, sets);
        }
        let place = (self.results.len() as u32, front.sets().len() as u32);
        self.results.extend_from_slice(front.sets());
        self.fronts.insert(key, place);
        complete(front.sets(), &mut sets);
        Front::from_sets(levels, sets)
    }

    fn front_of_leads(
        &mut self,
        position: Position<R::State, W>,
        caps: &[WorldSet<W>],
    ) -> Front<W> {
        let mut front = Front::new(caps.len());
        for leader in Side::BOTH {
            let leads = self.rules.leads(position.state, leader, position.left);
            for lead in bits(leads) {
                front.merge(&self.front_of_lead(position, caps, leader, lead));
                if front.is_only(caps) {
                    return front;
                }
            }
        }
        front
    }

    /// Returns the front of the lines that begin with this lead. `caps` bounds the worlds that can be won at each level.
    pub(crate) fn front_of_lead(
        &mut self,
        position: Position<R::State, W>,
        caps: &[WorldSet<W>],
        leader: Side,
        lead: u8,
    ) -> Front<W> {
        let Position {
            state,
            left,
            worlds,
            need,
        } = position;
        let is_west = leader.west_is_second();
        self.defend(
            is_west,
            left,
            &worlds,
            caps,
            |search, second, after, caps| {
                let thirds = search
                    .rules
                    .thirds(state, leader, lead, second, left, after.left);
                let mut front = Front::new(caps.len());
                for third in third_hand(thirds) {
                    let trick = Trick {
                        leader,
                        lead,
                        third,
                    };
                    let within = Position {
                        state,
                        left: after.left,
                        worlds: after.worlds,
                        need,
                    };
                    front.merge(&search.front_of_third(within, trick, second, caps));
                    if front.is_only(caps) {
                        break;
                    }
                }
                front
            },
        )
    }

    fn front_of_third(
        &mut self,
        position: Position<R::State, W>,
        trick: Trick,
        second: u8,
        caps: &[WorldSet<W>],
    ) -> Front<W> {
        let Position {
            state,
            left,
            worlds,
            need,
        } = position;
        let is_west = !trick.leader.west_is_second();
        let levels = caps.len();
        self.defend(is_west, left, &worlds, caps, |search, fourth, after, _| {
            let won = search.rules.wins(trick, second, fourth);
            let next = Position {
                state: search.rules.after(state, trick, won),
                left: after.left,
                worlds: after.worlds,
                need: need - i8::from(won),
            };
            search.front(next, levels)
        })
    }

    /// Returns the front where a defender plays: in each world he plays the worst for declarer of the cards that he
    /// holds.
    ///
    /// `child` returns the front after a card, in the indices after it. It receives the worlds and `caps` in these
    /// indices.
    fn defend(
        &mut self,
        is_west: bool,
        left: Counts,
        worlds: &WorldSet<W>,
        caps: &[WorldSet<W>],
        mut child: impl FnMut(&mut Self, u8, Following<W>, &[WorldSet<W>]) -> Front<W>,
    ) -> Front<W> {
        let levels = caps.len();
        let mut caps = caps.to_vec();
        // Small sets first: worlds that are lost there need not be searched in the large ones.
        let mut cards: Vec<(u32, u8)> = Vec::with_capacity(14);
        for card in self.holders.cards() {
            if let Some(after) = self.holders.follow(is_west, card, left, worlds) {
                cards.push((after.worlds.len(), card));
            }
        }
        cards.sort_unstable();
        let mut fronts: Vec<(WorldSet<W>, Front<W>)> = Vec::with_capacity(cards.len());
        let mut inner = Vec::with_capacity(levels);
        for (_, card) in cards {
            let alive = *worlds & caps[0];
            let Some(after) = self.holders.follow(is_west, card, left, &alive) else {
                continue;
            };
            let (seen, shift) = (after.worlds, after.shift);
            inner.clear();
            inner.extend(caps.iter().map(|&cap| (cap & seen).shifted_down(shift)));
            let after = Following {
                worlds: seen.shifted_down(shift),
                ..after
            };
            if self.gave_up {
                break;
            }
            let front = child(self, card, after, &inner).map(|set| set.shifted_up(shift));
            for (level, cap) in caps.iter_mut().enumerate() {
                *cap = cap.without(&seen.without(&front.winnable(level)));
            }
            if caps[0].is_empty() {
                return Front::of(caps);
            }
            fronts.push((seen, front));
        }
        if self.gave_up {
            return Front::of(caps);
        }
        match combine(&caps, fronts, self.most_results) {
            Some(front) => front,
            None => {
                self.gave_up = true;
                Front::of(caps)
            }
        }
    }
}

impl<R: Rules, const W: usize> Search<R, W> {
    /// Returns the front of [`front_of_lead`](Self::front_of_lead), if it has at most `most` results.
    pub(crate) fn limited_front_of_lead(
        &mut self,
        position: Position<R::State, W>,
        caps: &[WorldSet<W>],
        leader: Side,
        lead: u8,
        most: usize,
    ) -> Option<Front<W>> {
        self.most_results = most;
        self.gave_up = false;
        let front = self.front_of_lead(position, caps, leader, lead);
        self.most_results = usize::MAX;
        (!std::mem::take(&mut self.gave_up)).then_some(front)
    }
}

/// Returns the front of all choices of one result from every front, where a result counts only in the worlds of its
/// front; `None` if it has more than `most` results.
fn combine<const W: usize>(
    caps: &[WorldSet<W>],
    mut fronts: Vec<(WorldSet<W>, Front<W>)>,
    most: usize,
) -> Option<Front<W>> {
    let levels = caps.len();
    let mut result = vec![WorldSet::EMPTY; levels];
    for (_, front) in &mut fronts {
        let mut reduced = Front::new(levels);
        for full in front.results() {
            for level in 0..levels {
                result[level] = full[level] & caps[level];
            }
            reduced.add(&result);
        }
        *front = reduced;
    }
    fronts.sort_by_key(|(_, front)| front.len());
    let mut product = Front::of(caps.to_vec());
    for (seen, front) in &fronts {
        let mut next = Front::new(levels);
        for chosen in product.results() {
            for added in front.results() {
                for level in 0..levels {
                    result[level] = chosen[level].without(&seen.without(&added[level]));
                }
                next.add(&result);
            }
            if next.len() > most {
                return None;
            }
        }
        product = next;
    }
    Some(product)
}
