//! What the result slots of a metric hold.

use cards::{Seat, Side};

/// Whom a result is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Both hands together.
    Side,
    /// North or East.
    First,
    /// South or West.
    Second,
}

impl Whose {
    pub(super) const ALL: [Whose; 3] = [Whose::Side, Whose::First, Whose::Second];

    /// The seat it means on the given side, or `None` for the side itself.
    pub fn seat(self, side: Side) -> Option<Seat> {
        match self {
            Whose::Side => None,
            Whose::First => Some(side.seats()[0]),
            Whose::Second => Some(side.seats()[1]),
        }
    }
}

/// What one result slot holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The slot, 0 to 127.
    pub slot: usize,
    /// Whom it is about.
    pub whose: Whose,
    /// What it is.
    pub text: String,
    /// How many units make a point: 1 or 100.
    pub scale: i32,
}

/// A value that a metric reports, by name and unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    name: &'static str,
    scale: i32,
}

/// A value in whole points.
pub(super) const fn whole(name: &'static str) -> Value {
    Value { name, scale: 1 }
}

/// A value in hundredths of a point.
pub(super) const fn cents(name: &'static str) -> Value {
    Value { name, scale: 100 }
}

/// A run of slots.
#[derive(Clone, Copy, Debug)]
pub(super) enum Group {
    /// Side, first hand, second hand.
    Totals(Value),
    /// All values of the first hand, then all of the second.
    EachHand(&'static [Value]),
    /// Values of one hand.
    Hand(Whose, &'static [Value]),
}

/// Labels for consecutive slots.
pub(super) struct Labels {
    labels: Vec<Label>,
    next: usize,
}

impl Labels {
    pub(super) fn new() -> Labels {
        Labels {
            labels: Vec::new(),
            next: 0,
        }
    }

    pub(super) fn push(&mut self, whose: Whose, text: impl Into<String>, scale: i32) {
        self.labels.push(Label {
            slot: self.next,
            whose,
            text: text.into(),
            scale,
        });
        self.next += 1;
    }

    /// Side, first and second hand of the same thing.
    pub(super) fn totals(&mut self, text: &str, scale: i32) {
        for whose in Whose::ALL {
            self.push(whose, text, scale);
        }
    }

    pub(super) fn skip_to(&mut self, slot: usize) {
        self.next = slot;
    }

    pub(super) fn groups(&mut self, groups: &[Group]) {
        for group in groups {
            match *group {
                Group::Totals(value) => self.totals(value.name, value.scale),
                Group::EachHand(values) => {
                    self.hand(Whose::First, values);
                    self.hand(Whose::Second, values);
                }
                Group::Hand(whose, values) => self.hand(whose, values),
            }
        }
    }

    fn hand(&mut self, whose: Whose, values: &[Value]) {
        for value in values {
            self.push(whose, value.name, value.scale);
        }
    }

    pub(super) fn into_vec(self) -> Vec<Label> {
        self.labels
    }
}
