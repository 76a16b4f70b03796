//! Converts between types of croupier and of `pons`.

use cards::{BySuit, Contract, Doubling, Hand, Seat, Strain, Suit, Vulnerability};
use contract_bridge::auction::{Auction as PonsAuction, Call as PonsCall, RelativeVulnerability};
use contract_bridge::{Bid, Hand as PonsHand, Holding as PonsHolding, Strain as PonsStrain};
use formats::Call;
use pons::bidding::{Envelope, EnvelopeUnion, Range};

use crate::meaning::{HandRange, Meaning, NumberRange};

/// Converts a hand: `pons` has the deuce at bit 2 of a suit's sixteen, the cards have it at bit 0 of thirteen.
pub(super) fn hand(hand: Hand) -> PonsHand {
    let [clubs, diamonds, hearts, spades] =
        Suit::ALL.map(|suit| PonsHolding::from_bits_retain(hand.holding(suit).0 << 2));
    PonsHand::new(clubs, diamonds, hearts, spades)
}

/// Converts a vulnerability to that relative to `seat`.
pub(super) fn vulnerability(vulnerability: Vulnerability, seat: Seat) -> RelativeVulnerability {
    let side = seat.side();
    let mut relative = RelativeVulnerability::NONE;
    relative.set(RelativeVulnerability::WE, vulnerability.includes(side));
    relative.set(
        RelativeVulnerability::THEY,
        vulnerability.includes(side.opponents()),
    );
    relative
}

/// Returns the vulnerability as the opponents see it.
pub(super) fn other_side(vulnerability: RelativeVulnerability) -> RelativeVulnerability {
    let mut other = RelativeVulnerability::NONE;
    other.set(
        RelativeVulnerability::WE,
        vulnerability.contains(RelativeVulnerability::THEY),
    );
    other.set(
        RelativeVulnerability::THEY,
        vulnerability.contains(RelativeVulnerability::WE),
    );
    other
}

/// Converts the calls of a legal auction.
pub(super) fn calls(calls: &[Call]) -> PonsAuction {
    let mut auction = PonsAuction::new();
    for &call in calls {
        // Both check the same laws; a call that only one of them allows is omitted.
        let legal = auction.try_push(pons_call(call)).is_ok();
        debug_assert!(legal, "{call:?} after {calls:?}");
    }
    auction
}

pub(super) fn pons_call(call: Call) -> PonsCall {
    match call {
        Call::Pass => PonsCall::Pass,
        Call::Double => PonsCall::Double,
        Call::Redouble => PonsCall::Redouble,
        Call::Bid(bid) => PonsCall::Bid(Bid::new(bid.level(), pons_strain(bid.strain))),
    }
}

fn pons_strain(strain: Strain) -> PonsStrain {
    match strain {
        Strain::Clubs => PonsStrain::Clubs,
        Strain::Diamonds => PonsStrain::Diamonds,
        Strain::Hearts => PonsStrain::Hearts,
        Strain::Spades => PonsStrain::Spades,
        Strain::Notrump => PonsStrain::Notrump,
    }
}

pub(super) fn call(call: PonsCall) -> Call {
    let PonsCall::Bid(bid) = call else {
        return match call {
            PonsCall::Double => Call::Double,
            PonsCall::Redouble => Call::Redouble,
            PonsCall::Pass | PonsCall::Bid(_) => Call::Pass,
        };
    };
    let strain = match bid.strain {
        PonsStrain::Clubs => Strain::Clubs,
        PonsStrain::Diamonds => Strain::Diamonds,
        PonsStrain::Hearts => Strain::Hearts,
        PonsStrain::Spades => Strain::Spades,
        PonsStrain::Notrump => Strain::Notrump,
    };
    let bid = Contract::new(bid.level.get(), strain, Doubling::Undoubled);
    bid.map_or(Call::Pass, Call::Bid)
}

/// Converts the hands that calls show.
pub(super) fn meaning(union: &EnvelopeUnion) -> Meaning {
    Meaning::new(union.boxes().iter().map(hand_range))
}

fn hand_range(envelope: &Envelope) -> HandRange {
    let strength = &envelope.strength;
    HandRange {
        hcp: span(strength.hcp),
        points: span(strength.points),
        lengths: BySuit(envelope.lengths.map(span)),
        suit_hcp: BySuit(strength.suit_hcp.map(span)),
        support: BySuit(strength.support_points.map(|range| range.min)),
    }
}

fn span(range: Range) -> NumberRange {
    NumberRange::new(range.min, range.max)
}
