//! Auctions: legal calls, reading, contracts, patterns.

use cards::Seat;
use croupier_bidding::{Auction, AuctionFault, AuctionPattern, auction};
use proptest::prelude::*;

fn parsed(text: &str) -> Auction {
    Auction::parse(text, Seat::North).unwrap()
}

#[test]
fn auctions_are_read_in_every_usual_notation() {
    let stayman = parsed("1N-P-2C-P-2H");
    for text in [
        "1NT pass 2C pass 2H",
        "1n, p, 2c, p, 2h",
        "1NT (P) 2♣! (P) 2♥",
        "1N--2C--2H",
        "1N - P - 2C - P - 2H",
    ] {
        assert_eq!(parsed(text), stayman, "{text}");
    }
    assert_eq!(stayman.to_string(), "1N-P-2C-P-2H");
    assert_eq!(parsed("").calls(), []);
}

#[test]
fn illegal_calls_are_reported_with_place_and_reason() {
    for (text, message) in [
        ("2C-2C", "call 2, \"2C\": a bid must be higher than 2C"),
        ("1H-P-1D", "call 3, \"1D\": a bid must be higher than 1H"),
        (
            "X",
            "call 1, \"X\": only the opponents' last bid can be doubled",
        ),
        (
            "1H-P-X",
            "call 3, \"X\": only the opponents' last bid can be doubled",
        ),
        (
            "1H-X-X",
            "call 3, \"X\": only the opponents' last bid can be doubled",
        ),
        (
            "1H-XX",
            "call 2, \"XX\": only the opponents' double can be redoubled",
        ),
        (
            "1H-X-P-XX",
            "call 4, \"XX\": only the opponents' double can be redoubled",
        ),
        (
            "1H-P-P-P-1S",
            "call 5, \"1S\": the auction has ended before it",
        ),
        (
            "P-P-P-P-P",
            "call 5, \"P\": the auction has ended before it",
        ),
        (
            "1H-8S",
            "call 2, \"8S\": not a call; write for example P, X, XX, 1C or 3N",
        ),
    ] {
        let error = Auction::parse(text, Seat::East).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn the_contract_is_the_last_bid_and_declarer_named_the_strain_first() {
    for (text, contract) in [
        ("1N-P-2C-P-2H-P-4H-P-P-P", Some("4H by N")),
        ("P-1H-P-2H-P-P-P", Some("2H by E")),
        ("1H-2H-4H-X-XX-P-P-P", Some("4Hxx by N")),
        ("1H-2H-X-P-P-P", Some("2Hx by E")),
        ("1S-X-XX-2C-P-P-P", Some("2C by W")),
        ("P-P-P-P", None),
    ] {
        let declared = parsed(text).declared();
        let text_of = declared.map(|declared| declared.to_string());
        assert_eq!(text_of.as_deref(), contract, "{text}");
        assert!(parsed(text).is_over(), "{text}");
    }
    assert!(!parsed("P-P-P").is_over());
    assert_eq!(parsed("P-P-P").turn(), Some(Seat::West));
}

#[test]
fn the_longest_auction_has_319_calls() {
    let mut auction = Auction::new(Seat::North);
    while !auction.is_over() {
        let legal = auction.legal_calls();
        let passes = auction.calls().iter().rev();
        let passes = passes
            .take_while(|&&call| call == formats::Call::Pass)
            .count();
        let quiet = if auction.declared().is_some() { 2 } else { 3 };
        // As many passes as possible, then the lowest call.
        let call = match legal[..] {
            [pass, ..] if passes < quiet => pass,
            [_, call, ..] => call,
            _ => legal[0],
        };
        auction.push(call).unwrap();
    }
    assert_eq!(auction.calls().len(), 319);
    assert_eq!(auction.declared().unwrap().to_string(), "7Nxx by W");
}

#[test]
fn patterns_have_wildcards_for_passes_and_any_calls() {
    let matches = |pattern: &str, text: &str| {
        let pattern: AuctionPattern = pattern.parse().unwrap();
        pattern.matches(parsed(text).calls())
    };
    let stayman = "P-P-1N-P-2C-P-2H-P-4H";
    for pattern in [
        "",
        "P",
        "P-P-1N",
        "P*-1N--2C",
        "*-2H",
        "?-?-1N-any-2C",
        "...-4H",
        "P*-1N-*-4H",
        "P*-P-P-1N",
    ] {
        assert!(matches(pattern, stayman), "{pattern}");
    }
    for pattern in [
        "1N",
        "P*-1N--2D",
        "P-1N",
        "*-2S",
        "P*-1N--2C--2H--4H--?",
        "P-P-1N-?",
    ] {
        assert!(
            !matches(pattern, "P-P-1N") && !matches(pattern, "P-P-1H-X"),
            "{pattern}"
        );
    }
    assert_eq!(
        "p*-1n--2c--..."
            .parse::<AuctionPattern>()
            .unwrap()
            .to_string(),
        "P*-1N-P-2C-P-*"
    );
    let error = "1N-2Z".parse::<AuctionPattern>().unwrap_err();
    assert_eq!((error.place, error.fault), (2, AuctionFault::Unknown));
    // The time for many wildcards is at most the product of both lengths.
    let many = "*-?-".repeat(100) + "7N";
    assert!(!matches(
        &many,
        "1C-P-1D-P-1H-P-1S-P-2C-P-2D-P-2H-P-2S-P-3C-P-3D-P-3H-P-3S-P-4C-P-4D"
    ));
}

proptest! {
    #[test]
    fn auctions_of_legal_calls_survive_writing_and_reading(choices in prop::collection::vec(0usize..1000, 0..60)) {
        let mut made = Auction::new(Seat::South);
        for choice in choices {
            let legal = made.legal_calls();
            if legal.is_empty() {
                break;
            }
            // Mostly low calls, so that auctions become long.
            made.push(legal[(choice % 7).min(choice % legal.len())]).unwrap();
        }
        prop_assert_eq!(made.legal_calls().is_empty(), made.is_over());
        let read = Auction::parse(&made.to_string(), Seat::South).unwrap();
        prop_assert_eq!(&read, &made);
        let pattern: AuctionPattern = made.to_string().parse().unwrap();
        prop_assert!(pattern.matches(made.calls()));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,40}") {
        let _ = Auction::parse(&text, Seat::West);
        let _ = text.parse::<AuctionPattern>();
        let _ = auction::read_call(&text);
    }
}
