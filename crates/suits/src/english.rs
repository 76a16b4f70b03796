//! Lines of play in English.

use std::fmt;

use cards::{Holding, Rank, Seat};

use crate::combination::rank_name;
use crate::line::{DeclarerReply, Lead, Seen, SuitLine, TrickPlan};
use crate::problem::WeightedCombination;
use crate::solver::FirstMove;

/// A line in words: the first play, and the next play in each case.
///
/// The cases belong to the last play of the text, and the first case that applies counts. A case that begins with `play`
/// names the card of third hand; every other case continues after the trick. If no case applies, declarer takes his
/// winners. Displays as an indented list with one case per line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineDescription {
    /// The play, without a capital and a full stop: `low to the queen, then cash the ace`. Empty if any play will do.
    pub text: String,
    /// The cases in which the play continues differently: the condition, `if it loses`, and the play.
    pub cases: Vec<(String, LineDescription)>,
}

impl LineDescription {
    fn of(text: &str) -> LineDescription {
        LineDescription {
            text: text.to_owned(),
            cases: Vec::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.cases.is_empty()
    }

    /// Appends the next play in every case.
    fn then(mut self, next: LineDescription) -> LineDescription {
        if next.is_empty() {
            return self;
        }
        if !self.text.is_empty() && !next.text.is_empty() {
            self.text += ", then ";
        }
        self.text += &next.text;
        self.cases = next.cases;
        self
    }

    /// Returns the lines of the list down to cases of depth `deepest`: the depth of each and its sentence. Deeper cases
    /// appear as an ellipsis.
    #[must_use]
    pub fn lines(&self, deepest: usize) -> Vec<(usize, String)> {
        let mut lines = Vec::new();
        self.add_lines("", 0, deepest, &mut lines);
        lines
    }

    fn add_lines(
        &self,
        condition: &str,
        depth: usize,
        deepest: usize,
        lines: &mut Vec<(usize, String)>,
    ) {
        let mut text = match (condition.is_empty(), self.text.is_empty()) {
            (true, true) => "any play will do".to_owned(),
            (true, false) => self.text.clone(),
            (false, true) => condition.to_owned(),
            (false, false) => format!("{condition}, {}", self.text),
        };
        let is_cut = depth == deepest && !self.cases.is_empty();
        text.push_str(match (self.text.is_empty(), is_cut) {
            (_, true) => " …",
            (true, false) if !condition.is_empty() => ":",
            _ => ".",
        });
        let mut characters = text.chars();
        let capital: String = characters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        lines.push((depth, capital + characters.as_str()));
        if !is_cut {
            for (condition, outline) in &self.cases {
                outline.add_lines(condition, depth + 1, deepest, lines);
            }
        }
    }
}

impl fmt::Display for LineDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (depth, sentence)) in self.lines(usize::MAX).into_iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{:indent$}{sentence}", "", indent = 2 * depth)?;
        }
        Ok(())
    }
}

impl SuitLine {
    /// Returns the line in words.
    #[must_use]
    pub fn outline(&self) -> LineDescription {
        let table = Table::new(self.hands, self.groups.clone(), self.has_free_entries);
        match &**self.start() {
            TrickPlan::TopTricks => LineDescription::of("take the top tricks"),
            step => table.outline(step),
        }
    }

    /// Returns the first play of the line in words.
    #[must_use]
    pub fn first_play(&self) -> String {
        let table = Table::new(self.hands, self.groups.clone(), self.has_free_entries);
        match &**self.start() {
            TrickPlan::Anything => "any play".to_owned(),
            TrickPlan::TopTricks => "take the top tricks".to_owned(),
            TrickPlan::Lead(lead) => table.usual_play(lead),
        }
    }
}

impl FirstMove {
    /// Returns the move in words: `low to the queen`.
    #[must_use]
    pub fn text(&self, problem: &WeightedCombination) -> String {
        let combination = problem.combination();
        let hands = [combination.north(), combination.south()];
        let table = Table::new(hands, problem.equal_cards(), problem.entries.is_none());
        table.play(self.leader, self.lead, self.third)
    }
}

/// The remaining cards at some point of the play.
#[derive(Clone)]
struct Table {
    hands: [Holding; 2],
    groups: Vec<Holding>,
    /// The number of remaining cards of each group of the defenders.
    left: Vec<usize>,
    has_free_entries: bool,
}

/// One course of a trick: the cards that the defenders show, whether declarer wins, and his next play.
struct Course {
    second: Seen,
    fourth: Seen,
    wins: bool,
    next: LineDescription,
}

impl Table {
    fn new(hands: [Holding; 2], groups: Vec<Holding>, has_free_entries: bool) -> Table {
        Table {
            hands,
            has_free_entries,
            left: groups.iter().map(|group| group.len()).collect(),
            groups,
        }
    }

    fn outline(&self, step: &TrickPlan) -> LineDescription {
        match step {
            // Cashing winners needs no explanation.
            TrickPlan::Anything | TrickPlan::TopTricks => LineDescription::default(),
            TrickPlan::Lead(lead) => self.lead(lead),
        }
    }

    /// Returns whether a card of declarer's beats every remaining card of the defenders.
    fn is_winner(&self, card: Rank) -> bool {
        self.left_where(|group| group > card) == 0
    }

    /// Returns whether a card beats no remaining card of the defenders.
    fn is_small(&self, card: Rank) -> bool {
        self.left_where(|group| group < card) == 0
    }

    fn left_where(&self, test: impl Fn(Rank) -> bool) -> usize {
        let groups = self.groups.iter().zip(&self.left);
        groups
            .filter(|(group, _)| group.iter().next().is_some_and(&test))
            .map(|(_, left)| left)
            .sum()
    }

    /// Returns the card that third hand plays if second hand plays its lowest card.
    fn usual_answer(&self, lead: &Lead) -> Option<Rank> {
        let followed = |answer: &&DeclarerReply| matches!(answer.second, Seen::OneOf(_));
        let usual = lead.answers.iter().rev().find(followed);
        usual
            .or(lead.answers.first())
            .and_then(|answer| answer.third)
    }

    /// Returns whether a card is the lowest of its hand.
    fn is_lowest(&self, card: Rank) -> bool {
        let hand = self.hands.iter().find(|hand| hand.contains(card));
        hand.and_then(|hand| hand.iter().last()) == Some(card)
    }

    /// Returns the words for a lead of `card` and the card `third` of third hand: `low to the queen`.
    fn play(&self, leader: Seat, card: Rank, third: Option<Rank>) -> String {
        let name = rank_name(card);
        let leader = match leader {
            Seat::North => "North",
            _ => "South",
        };
        let is_low = self.is_lowest(card);
        let Some(third) = third else {
            return match () {
                () if self.is_winner(card) => format!("cash the {name}"),
                () if is_low => format!("lead low from {leader}"),
                () => format!("lead the {name} from {leader}"),
            };
        };
        let follows_low = self.is_lowest(third);
        if is_low && follows_low && self.is_small(card) && self.is_small(third) {
            return format!("duck a round from {leader}");
        }
        if third < card && follows_low {
            return match self.is_winner(card) {
                true => format!("cash the {name}"),
                false => format!("run the {name}"),
            };
        }
        match third > card && is_low {
            true => format!("low to the {}", rank_name(third)),
            false => format!("lead the {name} to the {}", rank_name(third)),
        }
    }

    /// Returns the words for a lead if second hand plays low. A winner that third hand always plays is a winner to cash:
    /// the hand that leads does not matter then, unless entries are limited.
    fn usual_play(&self, lead: &Lead) -> String {
        let third = self.usual_answer(lead);
        let is_fixed =
            self.has_free_entries && lead.answers.iter().all(|answer| answer.third == third);
        match third {
            Some(winner) if is_fixed && self.is_lowest(lead.card) && self.is_winner(winner) => {
                format!("cash the {}", rank_name(winner))
            }
            third => self.play(lead.leader, lead.card, third),
        }
    }

    fn lead(&self, lead: &Lead) -> LineDescription {
        let usual = self.usual_answer(lead);
        let same = |answer: &&DeclarerReply| answer.third == usual;
        let courses: Vec<Course> = (lead.answers.iter().filter(same))
            .flat_map(|answer| self.courses(lead, answer))
            .collect();
        let (second, fourth) = match lead.leader {
            Seat::North => ("East", "West"),
            _ => ("West", "East"),
        };
        let outline = LineDescription::of(&self.usual_play(lead));
        let next = self.next(courses, second, fourth);
        let mut others: Vec<(Vec<Seen>, LineDescription)> = Vec::new();
        for answer in lead.answers.iter().filter(|answer| !same(answer)) {
            let play = match answer.third {
                Some(third) if self.is_lowest(third) => "play low".to_owned(),
                Some(third) => format!("play the {}", rank_name(third)),
                None => String::new(),
            };
            let courses = self.courses(lead, answer);
            let play = LineDescription::of(&play).then(self.next(courses, second, fourth));
            match others.iter_mut().find(|(_, other)| *other == play) {
                Some((seen, _)) => seen.push(answer.second),
                None => others.push((vec![answer.second], play)),
            }
        }
        if others.is_empty() {
            return outline.then(next);
        }
        let answers = others.into_iter().map(|(seen, play)| {
            let condition = format!("if {second} {}", self.shows(&seen));
            (condition, play)
        });
        // The cases of the next play are not those of this one.
        let after = match next.text.is_empty() {
            true => next.cases,
            false => vec![("otherwise".to_owned(), next)],
        };
        LineDescription {
            cases: answers.chain(after).collect(),
            ..outline
        }
    }

    /// Returns every course of the trick after an answer.
    fn courses(&self, lead: &Lead, answer: &DeclarerReply) -> Vec<Course> {
        let mut after = self.clone();
        let (first, other) = match lead.leader {
            Seat::North => (0, 1),
            _ => (1, 0),
        };
        after.hands[first].0 &= !(1 << lead.card.index());
        if let Some(third) = answer.third {
            after.hands[other].0 &= !(1 << third.index());
        }
        after.take(answer.second);
        let declarer = answer.third.map_or(lead.card, |third| third.max(lead.card));
        let beaten = |seen: Seen| match seen {
            Seen::ShowsOut => false,
            Seen::OneOf(cards) => cards.iter().next().is_some_and(|rank| rank > declarer),
        };
        let next = answer.next.iter().map(|(fourth, step)| {
            let mut after = after.clone();
            after.take(*fourth);
            Course {
                second: answer.second,
                fourth: *fourth,
                wins: !beaten(answer.second) && !beaten(*fourth),
                next: after.outline(step),
            }
        });
        next.collect()
    }

    fn take(&mut self, seen: Seen) {
        if let Seen::OneOf(cards) = seen
            && let Some(place) = self.groups.iter().position(|&group| group == cards)
        {
            self.left[place] -= 1;
        }
    }

    /// Returns the play after the trick, with conditions if the courses differ.
    fn next(&self, courses: Vec<Course>, second: &str, fourth: &str) -> LineDescription {
        let mut kinds: Vec<(LineDescription, Vec<usize>)> = Vec::new();
        for (place, course) in courses.iter().enumerate() {
            match kinds.iter_mut().find(|(next, _)| *next == course.next) {
                Some((_, places)) => places.push(place),
                None => kinds.push((course.next.clone(), vec![place])),
            }
        }
        if kinds.len() <= 1 {
            return kinds.pop().map(|(next, _)| next).unwrap_or_default();
        }
        kinds.sort_by_key(|(_, places)| places.len());
        let conditions: Vec<Option<String>> = (kinds.iter())
            .map(|(_, places)| self.condition(&courses, places, second, fourth))
            .collect();
        // Of the kinds without a short condition, the one with the most courses is the last case, "otherwise". The winners
        // that declarer takes in some course need a case only if another kind would include that course.
        let rest = conditions.iter().rposition(Option::is_none);
        let is_open = rest.is_some_and(|rest| !kinds[rest].0.is_empty());
        let mut cases = Vec::new();
        let mut last = None;
        for (number, ((next, places), condition)) in kinds.into_iter().zip(conditions).enumerate() {
            let next = match next.is_empty() {
                true if is_open => LineDescription::of("take the top tricks"),
                true => continue,
                false => next,
            };
            match condition {
                Some(condition) => cases.push((condition, next)),
                None if rest == Some(number) => last = Some(("otherwise".to_owned(), next)),
                None => cases.push((self.listed(&courses, &places, second, fourth), next)),
            }
        }
        cases.extend(last);
        LineDescription {
            text: String::new(),
            cases,
        }
    }

    /// Returns a short condition that holds for exactly the given courses, if there is one.
    fn condition(
        &self,
        courses: &[Course],
        places: &[usize],
        second: &str,
        fourth: &str,
    ) -> Option<String> {
        let fits = |test: &dyn Fn(&Course) -> bool| {
            (0..courses.len()).all(|place| test(&courses[place]) == places.contains(&place))
        };
        if fits(&|course| course.wins) {
            return Some("if it wins".to_owned());
        }
        if fits(&|course| !course.wins) {
            return Some("if it loses".to_owned());
        }
        let shown = |pick: fn(&Course) -> Seen| {
            let mut shown: Vec<Seen> = Vec::new();
            for &place in places {
                let seen = pick(&courses[place]);
                if !shown.contains(&seen) {
                    shown.push(seen);
                }
            }
            shown
        };
        let (seconds, fourths) = (shown(|course| course.second), shown(|course| course.fourth));
        if fits(&|course| fourths.contains(&course.fourth)) {
            return Some(format!("if {fourth} {}", self.shows(&fourths)));
        }
        if fits(&|course| seconds.contains(&course.second)) {
            return Some(format!("if {second} {}", self.shows(&seconds)));
        }
        if fits(&|course| seconds.contains(&course.second) && fourths.contains(&course.fourth)) {
            let is_low = |seen: &Seen| match seen {
                Seen::ShowsOut => true,
                Seen::OneOf(group) => self.group_name(*group) == "low",
            };
            let follow = |all: &[Seen]| !all.contains(&Seen::ShowsOut);
            if seconds.iter().chain(&fourths).all(is_low) {
                if follow(&seconds) && follow(&fourths) {
                    return Some("if both play low".to_owned());
                }
                if seconds.len() == 2 && fourths.len() == 2 {
                    return Some("if only low cards appear".to_owned());
                }
            }
            return Some(format!(
                "if {second} {} and {fourth} {}",
                self.shows(&seconds),
                self.shows(&fourths)
            ));
        }
        None
    }

    /// Returns the condition that lists the given courses one by one.
    fn listed(&self, courses: &[Course], places: &[usize], second: &str, fourth: &str) -> String {
        let course = |&place: &usize| {
            let Course {
                second: one,
                fourth: other,
                ..
            } = &courses[place];
            format!(
                "{second} {} and {fourth} {}",
                self.shows(&[*one]),
                self.shows(&[*other])
            )
        };
        let all: Vec<String> = places.iter().map(course).collect();
        format!("if {}", all.join(", or "))
    }

    /// Returns the words for the cards that a defender shows: `plays the king`, `shows out`.
    fn shows(&self, seen: &[Seen]) -> String {
        let mut cards: Vec<String> = Vec::new();
        for &seen in seen {
            if let Seen::OneOf(group) = seen {
                cards.push(self.group_name(group));
            }
        }
        let mut phrases = Vec::new();
        if !cards.is_empty() {
            phrases.push(format!("plays {}", cards.join(" or ")));
        }
        if seen.contains(&Seen::ShowsOut) {
            phrases.push("shows out".to_owned());
        }
        phrases.join(" or ")
    }

    fn group_name(&self, group: Holding) -> String {
        let is_lowest = self.groups.last() == Some(&group);
        let highest = group.iter().next();
        if is_lowest && (group.len() > 1 || highest.is_some_and(|rank| rank <= Rank::NINE)) {
            return "low".to_owned();
        }
        let are_honours =
            |group: &&Holding| group.len() > 1 && group.iter().all(|rank| rank >= Rank::TEN);
        if are_honours(&&group) && self.groups.iter().filter(are_honours).count() == 1 {
            return "an honour".to_owned();
        }
        let names: Vec<&str> = group.iter().map(rank_name).collect();
        format!("the {}", names.join(" or "))
    }
}
