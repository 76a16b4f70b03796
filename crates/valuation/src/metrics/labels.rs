//! Labels of the result slots of a metric.

use cards::{Seat, Side};

/// The hand or side that a result is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelOwner {
    /// Both hands together.
    Side,
    /// North or East.
    First,
    /// South or West.
    Second,
}

impl LabelOwner {
    pub(super) const ALL: [LabelOwner; 3] =
        [LabelOwner::Side, LabelOwner::First, LabelOwner::Second];

    /// Returns the seat on the given side, or `None` for the side itself.
    pub fn seat(self, side: Side) -> Option<Seat> {
        match self {
            LabelOwner::Side => None,
            LabelOwner::First => Some(side.seats()[0]),
            LabelOwner::Second => Some(side.seats()[1]),
        }
    }
}

/// The label of one result slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The slot, 0 to 127.
    pub slot: usize,
    /// The hand or side it is about.
    pub whose: LabelOwner,
    /// Description of the value.
    pub text: String,
    /// Number of units in a point: 1 or 100.
    pub scale: i32,
}

/// A value that a metric reports, by name and unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    name: &'static str,
    scale: i32,
}

/// Returns a value in whole points.
pub(super) const fn whole(name: &'static str) -> Value {
    Value { name, scale: 1 }
}

/// Returns a value in hundredths of a point.
pub(super) const fn cents(name: &'static str) -> Value {
    Value { name, scale: 100 }
}

/// A group of consecutive slots.
#[derive(Clone, Copy, Debug)]
pub(super) enum Group {
    /// Side, first hand, second hand.
    Totals(Value),
    /// All values of the first hand, then all of the second.
    EachHand(&'static [Value]),
    /// Values of one hand.
    Hand(LabelOwner, &'static [Value]),
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

    pub(super) fn push(&mut self, whose: LabelOwner, text: impl Into<String>, scale: i32) {
        self.labels.push(Label {
            slot: self.next,
            whose,
            text: text.into(),
            scale,
        });
        self.next += 1;
    }

    /// Adds labels for side, first and second hand.
    pub(super) fn totals(&mut self, text: &str, scale: i32) {
        for whose in LabelOwner::ALL {
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
                    self.hand(LabelOwner::First, values);
                    self.hand(LabelOwner::Second, values);
                }
                Group::Hand(whose, values) => self.hand(whose, values),
            }
        }
    }

    fn hand(&mut self, whose: LabelOwner, values: &[Value]) {
        for value in values {
            self.push(whose, value.name, value.scale);
        }
    }

    pub(super) fn into_vec(self) -> Vec<Label> {
        self.labels
    }
}
