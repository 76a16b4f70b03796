//! The profile model: the requirements of a teacher on each seat.
//!
//! The field names are those of the files; see docs/profiles.md for the meaning of each.

use std::collections::BTreeMap;

use cards::{BySeat, BySuit, Seat, Shape, ShapeSet, Suit};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// Fields of a file that the model does not have. They are written back.
pub type Extra = BTreeMap<String, serde_json::Value>;

/// A bidding scenario, described seat by seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HandProfile {
    /// Name, never empty.
    pub profile_name: String,
    /// Purpose of the profile.
    pub description: String,
    /// Author of the profile.
    pub author: String,
    /// Version of the profile.
    pub version: String,
    /// Dealer of the board before rotation.
    #[serde(serialize_with = "seat_letter")]
    pub dealer: Seat,
    /// The order in which seats are checked and, with pre-allocation, filled.
    #[serde(serialize_with = "seat_letters")]
    pub hand_dealing_order: [Seat; 4],
    /// A label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<Tag>,
    /// Whether boards are turned by default.
    pub rotate_deals_by_default: bool,
    /// How North and South choose their subprofiles.
    pub ns_role_mode: RoleMode,
    /// The subprofiles of each seat, North first; none for a seat without requirements.
    #[serde(serialize_with = "by_seat")]
    pub seat_profiles: BySeat<Option<Vec<SubProfile>>>,
    /// Hands that are rejected although they match.
    pub subprofile_exclusions: Vec<Exclusion>,
    /// Position in a listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort_order: Option<i64>,
    /// Kept when the file is written back; no effect on dealing.
    pub is_invariants_safety_profile: bool,
    /// Kept when the file is written back; no effect on dealing.
    pub use_rs_w_only_path: bool,
    /// Fields that the model does not have.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The category of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Tag {
    Opener,
    Overcaller,
}

/// Which hand of the North-South side chooses its subprofile first (the driver).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleMode {
    /// North and South choose independently.
    #[default]
    NoDriverNoIndex,
    /// The first of the two in the dealing order is the driver.
    NoDriver,
    /// North is the driver.
    NorthDrives,
    /// South is the driver.
    SouthDrives,
    /// A random seat is the driver of each board.
    RandomDriver,
}

/// The roles in which a subprofile may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleUsage {
    /// Both roles.
    #[default]
    Any,
    /// Only if the seat is the driver.
    DriverOnly,
    /// Only if the seat follows the driver.
    FollowerOnly,
}

/// One alternative for a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubProfile {
    /// A name for reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Lengths and points.
    pub standard: Standard,
    /// At most one further constraint.
    #[serde(flatten, serialize_with = "special")]
    pub special: Option<Special>,
    /// Relative frequency of this alternative among those of the seat.
    pub weight_percent: f64,
    /// Roles in which the subprofile may be used.
    pub ns_role_usage: RoleUsage,
    /// Fields that the model does not have.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Least and most cards and points in a suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SuitRange {
    /// Fewest cards.
    pub min_cards: u8,
    /// Most cards.
    pub max_cards: u8,
    /// Fewest points.
    pub min_hcp: u8,
    /// Most points.
    pub max_hcp: u8,
}

impl SuitRange {
    /// No limits.
    pub const OPEN: SuitRange = SuitRange {
        min_cards: 0,
        max_cards: 13,
        min_hcp: 0,
        max_hcp: 37,
    };

    /// Returns the intersection. If its minimum exceeds its maximum, no hand satisfies it.
    #[must_use]
    pub fn and(self, other: SuitRange) -> SuitRange {
        SuitRange {
            min_cards: self.min_cards.max(other.min_cards),
            max_cards: self.max_cards.min(other.max_cards),
            min_hcp: self.min_hcp.max(other.min_hcp),
            max_hcp: self.max_hcp.min(other.max_hcp),
        }
    }
}

/// Ranges for the four suits and for the whole hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard {
    /// By suit, clubs first.
    pub suits: BySuit<SuitRange>,
    /// Fewest points.
    pub total_min_hcp: u8,
    /// Most points.
    pub total_max_hcp: u8,
}

impl Standard {
    /// No limits.
    pub const OPEN: Standard = Standard {
        suits: BySuit([SuitRange::OPEN; 4]),
        total_min_hcp: 0,
        total_max_hcp: 37,
    };
}

/// A constraint beyond the standard ranges.
#[derive(Clone, Debug, PartialEq)]
pub enum Special {
    /// Ranges for suits that are drawn for every board.
    RandomSuit(RandomSuit),
    /// A range for the suit that partner has drawn.
    Partner(Contingent),
    /// A range for the suit that an opponent has drawn.
    Opponent(Contingent),
}

/// Ranges for suits drawn at random.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RandomSuit {
    /// Number of suits to draw.
    pub required_suits_count: usize,
    /// The suits to draw from.
    #[serde(serialize_with = "suit_letters")]
    pub allowed_suits: Vec<Suit>,
    /// The ranges of the first, second, ... drawn suit.
    pub suit_ranges: Vec<SuitRange>,
    /// With two suits: other ranges for particular pairs.
    pub pair_overrides: Vec<PairOverride>,
}

/// Ranges for one pair of drawn suits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairOverride {
    /// The pair.
    #[serde(serialize_with = "suit_letters")]
    pub suits: [Suit; 2],
    /// Range of the first suit.
    pub first_range: SuitRange,
    /// Range of the second suit.
    pub second_range: SuitRange,
}

/// A range for the first suit that another seat has drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contingent {
    /// The other seat.
    pub seat: Seat,
    /// Range for this hand in the suit that the other seat has drawn.
    pub suit_range: SuitRange,
    /// Whether the range is for the one allowed suit that the other seat did *not* draw.
    pub use_non_chosen_suit: bool,
}

/// Hands of a subprofile that are rejected.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exclusion {
    /// The seat.
    #[serde(serialize_with = "seat_letter")]
    pub seat: Seat,
    /// The number of the subprofile, from 1.
    pub subprofile_index: usize,
    /// The rule that describes the hands.
    #[serde(flatten)]
    pub rule: ExclusionRule,
}

/// The description of rejected hands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ExclusionRule {
    /// By shape.
    #[serde(rename = "excluded_shapes", serialize_with = "shape_digits")]
    Shapes(Vec<Shape>),
    /// By the number of suits of a group with a given length; all clauses must hold.
    #[serde(rename = "clauses")]
    Clauses(Vec<LengthClause>),
}

/// A condition: exactly `count` suits of the group have the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LengthClause {
    /// The suits.
    pub group: SuitGroup,
    /// The length.
    pub length_eq: u8,
    /// Number of suits.
    pub count: u8,
}

/// A group of suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SuitGroup {
    Any,
    Major,
    Minor,
}

impl Exclusion {
    /// Returns the shapes that this exclusion rejects.
    #[must_use]
    pub fn shapes(&self) -> ShapeSet {
        match &self.rule {
            ExclusionRule::Shapes(shapes) => shapes.iter().copied().collect(),
            ExclusionRule::Clauses(clauses) => Shape::all()
                .filter(|shape| clauses.iter().all(|clause| clause.holds(*shape)))
                .collect(),
        }
    }
}

impl LengthClause {
    fn holds(&self, shape: Shape) -> bool {
        let lengths = shape.lengths();
        let group = match self.group {
            SuitGroup::Any => &lengths[..],
            SuitGroup::Major => &lengths[..2],
            SuitGroup::Minor => &lengths[2..],
        };
        group
            .iter()
            .filter(|&&length| length == self.length_eq)
            .count()
            == usize::from(self.count)
    }
}

impl HandProfile {
    /// Returns the subprofiles of a seat. A seat without any has one without requirements.
    #[must_use]
    pub fn subprofiles(&self, seat: Seat) -> &[SubProfile] {
        static OPEN: std::sync::LazyLock<[SubProfile; 1]> =
            std::sync::LazyLock::new(|| [SubProfile::open()]);
        match &self.seat_profiles[seat] {
            Some(subprofiles) => subprofiles,
            None => &OPEN[..],
        }
    }

    /// Returns the shapes that are rejected for a subprofile (0 for the first).
    #[must_use]
    pub fn excluded_shapes(&self, seat: Seat, subprofile: usize) -> ShapeSet {
        self.subprofile_exclusions
            .iter()
            .filter(|e| e.seat == seat && e.subprofile_index == subprofile + 1)
            .fold(ShapeSet::EMPTY, |set, exclusion| {
                set.union(&exclusion.shapes())
            })
    }

    /// Returns the profile as a JSON file.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl SubProfile {
    /// Returns an alternative without requirements.
    #[must_use]
    pub fn open() -> SubProfile {
        SubProfile {
            name: None,
            standard: Standard::OPEN,
            special: None,
            weight_percent: 0.0,
            ns_role_usage: RoleUsage::Any,
            extra: Extra::new(),
        }
    }
}

fn seat_letter<S: Serializer>(seat: &Seat, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(seat.letter())
}

fn seat_letters<S: Serializer>(seats: &[Seat; 4], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(seats.iter().map(|seat| seat.letter()))
}

fn suit_letters<S: Serializer>(suits: &[Suit], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(suits.iter().map(|suit| suit.letter()))
}

fn shape_digits<S: Serializer>(shapes: &[Shape], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(shapes.iter().map(|shape| shape_text(*shape)))
}

/// Returns a shape as four digits, spades first; lengths above nine are `A` to `D`.
pub(crate) fn shape_text(shape: Shape) -> String {
    shape
        .lengths()
        .iter()
        .filter_map(|&n| char::from_digit(n.into(), 16))
        .collect::<String>()
        .to_uppercase()
}

fn by_seat<S: Serializer>(
    seats: &BySeat<Option<Vec<SubProfile>>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct SeatProfile<'a> {
        seat: char,
        subprofiles: &'a [SubProfile],
    }
    let mut map = serializer.serialize_map(None)?;
    for seat in Seat::ALL {
        if let Some(subprofiles) = &seats[seat] {
            let seat = seat.letter();
            map.serialize_entry(&seat, &SeatProfile { seat, subprofiles })?;
        }
    }
    map.end()
}

fn special<S: Serializer>(special: &Option<Special>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    match special {
        None => {}
        Some(Special::RandomSuit(random)) => {
            map.serialize_entry("random_suit_constraint", random)?
        }
        Some(Special::Partner(contingent)) => {
            map.serialize_entry(
                "partner_contingent_constraint",
                &contingent.named("partner_seat"),
            )?;
        }
        Some(Special::Opponent(contingent)) => map.serialize_entry(
            "opponents_contingent_suit_constraint",
            &contingent.named("opponent_seat"),
        )?,
    }
    map.end()
}

impl Contingent {
    fn named(&self, key: &'static str) -> impl Serialize + use<> {
        let mut map = serde_json::Map::new();
        map.insert(key.to_owned(), self.seat.letter().to_string().into());
        map.insert("suit_range".to_owned(), serde_json::json!(self.suit_range));
        if self.use_non_chosen_suit {
            map.insert("use_non_chosen_suit".to_owned(), true.into());
        }
        map
    }
}

impl Serialize for Standard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for suit in Suit::DESCENDING {
            map.serialize_entry(suit.name(), &self.suits[suit])?;
        }
        map.serialize_entry("total_min_hcp", &self.total_min_hcp)?;
        map.serialize_entry("total_max_hcp", &self.total_max_hcp)?;
        map.end()
    }
}
