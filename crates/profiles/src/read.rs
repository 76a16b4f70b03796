//! Reads a profile file, JSON or TOML, and reports all its mistakes.

mod constraint;

use cards::{BySeat, Seat, Suit};

use crate::decode::{At, Decoder, Fields};
use crate::model::*;
use crate::problem::ProfileMessage;
use crate::tree::{self, Tree};
use constraint::{contingent, exclusion, random_suit};

/// The notation of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Notation {
    Json,
    Toml,
}

impl Notation {
    /// Detects the notation: JSON begins with a brace, TOML never does.
    #[must_use]
    pub fn detect(text: &str) -> Notation {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        // A JSON file may begin with a `//` comment; comments of TOML begin with `#`.
        if text.starts_with(['{', '/']) {
            Notation::Json
        } else {
            Notation::Toml
        }
    }
}

/// Reads a profile; returns it with the warnings, or the errors.
///
/// ```
/// let (profile, warnings) = croupier_profiles::read(r#"
///     profile_name = "Weak two"
///     dealer = "N"
///     [[seat_profiles.N.subprofiles]]
///     standard.spades = { min_cards = 6, max_cards = 6 }
///     standard.total_min_hcp = 6
///     standard.total_max_hcp = 10
/// "#).unwrap();
/// assert_eq!(profile.subprofiles(cards::Seat::North)[0].standard.total_max_hcp, 10);
/// assert!(warnings.is_empty());
/// ```
///
/// # Errors
/// Every missing field, wrong type, unknown word and impossible range, with path, line and column.
pub fn read(text: &str) -> Result<(HandProfile, Vec<ProfileMessage>), Vec<ProfileMessage>> {
    let body = text.trim_start_matches('\u{feff}');
    let tree = match Notation::detect(body) {
        Notation::Json => tree::from_json(body),
        Notation::Toml => tree::from_toml(body),
    };
    let tree =
        tree.map_err(|(at, message)| vec![ProfileMessage::new(body, at, String::new(), message)])?;
    let mut decoder = Decoder::new(body);
    let profile = profile(&mut decoder, &tree);
    match profile {
        Some(profile) if decoder.errors.is_empty() => Ok((profile, decoder.warnings)),
        _ => {
            decoder
                .errors
                .sort_by_key(|problem| (problem.line, problem.column));
            Err(decoder.errors)
        }
    }
}

fn profile(d: &mut Decoder, tree: &Tree) -> Option<HandProfile> {
    let mut fields = d.fields(&At {
        tree,
        path: String::new(),
    })?;
    let f = &mut fields;
    let name = d.required(f, "profile_name").and_then(|value| {
        let text = d.text(&value)?;
        if text.trim().is_empty() {
            d.error(
                value.tree.at,
                &value.path,
                "the name of a profile must not be empty",
            );
            return None;
        }
        Some(text)
    });
    let description = text_or_empty(d, f, "description");
    let author = text_or_empty(d, f, "author");
    let version = text_or_empty(d, f, "version");
    let dealer = d.required(f, "dealer").and_then(|value| seat(d, &value));
    let order = match f.take("hand_dealing_order") {
        Some(value) => dealing_order(d, &value),
        None => dealer.map(|dealer| [0, 1, 2, 3].map(|i| dealer.clockwise(i))),
    };
    let tag = f.take("tag").and_then(|v| {
        d.word(
            &v,
            &[("Opener", Tag::Opener), ("Overcaller", Tag::Overcaller)],
        )
    });
    let rotate = flag(d, f, "rotate_deals_by_default", true);
    let role_mode = match f.take("ns_role_mode") {
        Some(value) => d.word(&value, &ROLE_MODES).unwrap_or_default(),
        None => RoleMode::default(),
    };
    let seat_profiles = d
        .required(f, "seat_profiles")
        .and_then(|value| seats(d, &value));
    let mut exclusions = Vec::new();
    if let Some(list) = f
        .take("subprofile_exclusions")
        .and_then(|value| d.list(&value))
    {
        for value in list {
            exclusions.extend(exclusion(d, &value, seat_profiles.as_ref()));
        }
    }
    let sort_order = f
        .take("sort_order")
        .and_then(|value| d.whole(&value, -1 << 52, 1 << 52));
    let safety = flag(d, f, "is_invariants_safety_profile", false);
    let rs_w_only = flag(d, f, "use_rs_w_only_path", false);
    let extra = d.unknown(fields);
    Some(HandProfile {
        profile_name: name?,
        description,
        author,
        version,
        dealer: dealer?,
        hand_dealing_order: order?,
        tag,
        rotate_deals_by_default: rotate,
        ns_role_mode: role_mode,
        seat_profiles: seat_profiles?,
        subprofile_exclusions: exclusions,
        sort_order,
        is_invariants_safety_profile: safety,
        use_rs_w_only_path: rs_w_only,
        extra,
    })
}

const ROLE_MODES: [(&str, RoleMode); 5] = [
    ("no_driver_no_index", RoleMode::NoDriverNoIndex),
    ("no_driver", RoleMode::NoDriver),
    ("north_drives", RoleMode::NorthDrives),
    ("south_drives", RoleMode::SouthDrives),
    ("random_driver", RoleMode::RandomDriver),
];

const SEATS: [(&str, Seat); 4] = [
    ("N", Seat::North),
    ("E", Seat::East),
    ("S", Seat::South),
    ("W", Seat::West),
];

const SUITS: [(&str, Suit); 4] = [
    ("S", Suit::Spades),
    ("H", Suit::Hearts),
    ("D", Suit::Diamonds),
    ("C", Suit::Clubs),
];

fn text_or_empty(d: &mut Decoder, fields: &mut Fields, key: &str) -> String {
    fields
        .take(key)
        .and_then(|value| d.text(&value))
        .unwrap_or_default()
}

fn flag(d: &mut Decoder, fields: &mut Fields, key: &str, default: bool) -> bool {
    fields
        .take(key)
        .and_then(|value| d.boolean(&value))
        .unwrap_or(default)
}

fn seat(d: &mut Decoder, value: &At) -> Option<Seat> {
    d.word(value, &SEATS)
}

fn dealing_order(d: &mut Decoder, value: &At) -> Option<[Seat; 4]> {
    let seats: Option<Vec<Seat>> = d.list(value)?.iter().map(|item| seat(d, item)).collect();
    let order: Result<[Seat; 4], _> = seats?.try_into();
    match order {
        Ok(order) if Seat::ALL.iter().all(|seat| order.contains(seat)) => Some(order),
        _ => {
            d.error(
                value.tree.at,
                &value.path,
                "the dealing order names each of N, E, S, W once",
            );
            None
        }
    }
}

fn seats(d: &mut Decoder, value: &At) -> Option<BySeat<Option<Vec<SubProfile>>>> {
    let mut all = BySeat::default();
    for (key, value) in d.fields(value)?.take_all() {
        let Some((_, seat)) = SEATS
            .iter()
            .find(|(word, _)| word.eq_ignore_ascii_case(&key))
        else {
            d.error(
                value.tree.at,
                &value.path,
                format!("unknown seat {key:?}; the seats are N, E, S, W"),
            );
            continue;
        };
        all[*seat] = seat_profile(d, &value, *seat);
    }
    Some(all)
}

fn seat_profile(d: &mut Decoder, value: &At, at_seat: Seat) -> Option<Vec<SubProfile>> {
    let mut fields = d.fields(value)?;
    if let Some(value) = fields.take("seat")
        && seat(d, &value).is_some_and(|seat| seat != at_seat)
    {
        let message = format!("this is the description of seat {}", at_seat.letter());
        d.error(value.tree.at, &value.path, message);
    }
    let list = d
        .required(&mut fields, "subprofiles")
        .and_then(|value| d.list(&value));
    d.unknown(fields);
    let list = list?;
    if list.is_empty() {
        d.error(
            value.tree.at,
            &value.path,
            "a seat that is described needs at least one subprofile",
        );
    }
    let mut subprofiles = Vec::new();
    for (i, item) in list.iter().enumerate() {
        let place = format!("seat {}, subprofile {}", at_seat.letter(), i + 1);
        subprofiles.extend(subprofile(d, item, at_seat, &place));
    }
    weights(d, value, at_seat, &subprofiles);
    Some(subprofiles)
}

fn weights(d: &mut Decoder, value: &At, seat: Seat, subprofiles: &[SubProfile]) {
    let sum: f64 = subprofiles.iter().map(|s| s.weight_percent).sum();
    if sum != 0.0 && (sum - 100.0).abs() > 0.5 {
        let message = format!(
            "the weights of seat {} add up to {sum}, not to 100",
            seat.letter()
        );
        d.warn(value.tree.at, &value.path, message);
    }
}

fn subprofile(d: &mut Decoder, value: &At, seat: Seat, place: &str) -> Option<SubProfile> {
    let mut fields = d.fields(value)?;
    let f = &mut fields;
    let name = f.take("name").and_then(|value| d.text(&value));
    let standard = d
        .required(f, "standard")
        .and_then(|value| standard(d, &value, place));
    let mut specials = Vec::new();
    if let Some(value) = f.take("random_suit_constraint") {
        specials.push((
            value.tree.at,
            random_suit(d, &value, place).map(Special::RandomSuit),
        ));
    }
    if let Some(value) = f.take("partner_contingent_constraint") {
        let contingent = contingent(d, &value, "partner_seat", seat, place);
        specials.push((value.tree.at, contingent.map(Special::Partner)));
    }
    if let Some(value) = f.take("opponents_contingent_suit_constraint") {
        let contingent = contingent(d, &value, "opponent_seat", seat, place);
        specials.push((value.tree.at, contingent.map(Special::Opponent)));
    }
    if let Some((at, _)) = specials.get(1) {
        d.error(
            *at,
            &value.path,
            format!("{place}: at most one special constraint is allowed"),
        );
    }
    let weight_percent = f.take("weight_percent").and_then(|value| {
        let weight = d.number(&value)?;
        if weight < 0.0 {
            d.error(
                value.tree.at,
                &value.path,
                format!("{place}: the weight {weight} is negative"),
            );
        }
        Some(weight)
    });
    let usage = f.take("ns_role_usage").and_then(|v| {
        let words = [
            ("any", RoleUsage::Any),
            ("driver_only", RoleUsage::DriverOnly),
            ("follower_only", RoleUsage::FollowerOnly),
        ];
        d.word(&v, &words)
    });
    let older_usage = f.take("ns_role_for_seat").and_then(|v| {
        let words = [
            ("neutral", RoleUsage::Any),
            ("driver", RoleUsage::DriverOnly),
            ("follower", RoleUsage::FollowerOnly),
        ];
        d.word(&v, &words)
    });
    let extra = d.unknown(fields);
    Some(SubProfile {
        name,
        standard: standard?,
        special: specials.into_iter().next().and_then(|(_, special)| special),
        weight_percent: weight_percent.unwrap_or(0.0),
        ns_role_usage: usage.or(older_usage).unwrap_or_default(),
        extra,
    })
}

fn standard(d: &mut Decoder, value: &At, place: &str) -> Option<Standard> {
    let mut fields = d.fields(value)?;
    let mut standard = Standard::OPEN;
    for suit in Suit::ALL {
        if let Some(value) = fields.take(suit.name()) {
            standard.suits[suit] = suit_range(d, &value, &format!("{place}, {suit}"))?;
        }
    }
    let (low, high) = range(
        d,
        &mut fields,
        "total_min_hcp",
        "total_max_hcp",
        37,
        &format!("{place}, total hcp"),
    )?;
    standard.total_min_hcp = low;
    standard.total_max_hcp = high;
    d.unknown(fields);
    Some(standard)
}

fn suit_range(d: &mut Decoder, value: &At, place: &str) -> Option<SuitRange> {
    let mut fields = d.fields(value)?;
    let cards = range(
        d,
        &mut fields,
        "min_cards",
        "max_cards",
        13,
        &format!("{place}, cards"),
    );
    let hcp = range(
        d,
        &mut fields,
        "min_hcp",
        "max_hcp",
        37,
        &format!("{place}, hcp"),
    );
    d.unknown(fields);
    let ((min_cards, max_cards), (min_hcp, max_hcp)) = (cards?, hcp?);
    Some(SuitRange {
        min_cards,
        max_cards,
        min_hcp,
        max_hcp,
    })
}

fn range(
    d: &mut Decoder,
    fields: &mut Fields,
    low: &str,
    high: &str,
    most: u8,
    place: &str,
) -> Option<(u8, u8)> {
    let mut limit = |key: &str, default: u8| match fields.take(key) {
        Some(value) => Some((d.whole(&value, 0, most.into())? as u8, Some(value))),
        None => Some((default, None)),
    };
    let (min, min_value) = limit(low, 0)?;
    let (max, max_value) = limit(high, most)?;
    if min > max {
        let value = max_value.or(min_value)?;
        let message = format!("{place}: the minimum {min} is above the maximum {max}");
        d.error(value.tree.at, &value.path, message);
        return None;
    }
    Some((min, max))
}
