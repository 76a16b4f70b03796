//! Every written form can be read again, and no text makes a reader panic.

use croupier_cards::{Card, CardSet, Contract, Deal, NotationError, Seat, notation};
use proptest::prelude::*;

prop_compose! {
    fn any_deal()(order in Just((0..52).collect::<Vec<usize>>()).prop_shuffle()) -> Deal {
        let hand = |i: usize| order[13 * i..13 * i + 13].iter().filter_map(|&c| Card::from_index(c)).collect();
        Deal::new([hand(0), hand(1), hand(2), hand(3)]).unwrap()
    }
}

proptest! {
    #[test]
    fn deals_survive_both_notations(deal in any_deal(), turn in 0usize..4) {
        prop_assert_eq!(deal.to_string().parse::<Deal>(), Ok(deal));
        prop_assert_eq!(deal.one_line().to_string().parse::<Deal>(), Ok(deal));
        let first = Seat::from_index(turn);
        let text = format!("{}:{} {} {} {}", first.letter(), deal[first], deal[first.next()],
            deal[first.partner()], deal[first.clockwise(3)]);
        prop_assert_eq!(text.parse::<Deal>(), Ok(deal));
    }

    #[test]
    fn any_set_of_cards_survives(bits in 0u64..1 << 52) {
        let cards = CardSet(bits);
        prop_assert_eq!(notation::holdings(&cards.to_string()), Ok(cards));
        prop_assert_eq!(notation::suit_holdings(&cards.suit_holdings().to_string()), Ok(cards));
        prop_assert_eq!(cards.iter().collect::<CardSet>(), cards);
    }

    #[test]
    fn turning_the_table_moves_hands_clockwise(deal in any_deal(), steps in 0usize..9) {
        for seat in Seat::ALL {
            prop_assert_eq!(deal.rotated(steps)[seat.clockwise(steps)], deal[seat]);
        }
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,80}", cards in "[NESWnesw:. AKQJT0-9]{0,90}") {
        for text in [text, cards] {
            let _ = text.parse::<Deal>();
            let _ = text.parse::<Card>();
            let _ = text.parse::<Contract>();
            let _ = text.parse::<Seat>();
            let _ = notation::suit_holdings(&text);
            let _ = notation::hand(&text);
        }
    }
}

#[test]
fn cards_are_written_rank_first_and_read_either_way() {
    for card in CardSet::FULL {
        let text = card.to_string();
        assert_eq!(text.parse(), Ok(card));
        assert_eq!(text.chars().rev().collect::<String>().parse(), Ok(card));
        assert_eq!(text.to_lowercase().parse(), Ok(card));
    }
    assert_eq!("10C".parse(), "TC".parse::<Card>());
    assert_eq!("♥A".parse(), "AH".parse::<Card>());
    assert_eq!("".parse::<Card>(), Err(NotationError::Card));
    assert_eq!("1S".parse::<Card>(), Err(NotationError::Card));
}

#[test]
fn mistakes_are_named() {
    let wrong = |text: &str| text.parse::<Deal>().unwrap_err().to_string();
    let good = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7";
    assert!(good.parse::<Deal>().is_ok());
    assert_eq!(wrong(&good.replace("KQJ", "KQQ")), "QH appears twice");
    assert_eq!(
        wrong(&good.replace("KQJ", "KQX")),
        "'X' is not a rank; the ranks are A K Q J T 9 8 7 6 5 4 3 2"
    );
    assert_eq!(
        wrong(&good.replace("KQJ", "KQ")),
        "a hand has 13 cards, not 12"
    );
    assert_eq!(
        wrong(&good.replace("AKJ.", "AKQ.")),
        "north and east both hold QS"
    );
    assert_eq!(wrong("N:AKJ.KQJ.A9873.Q9"), "a deal has four hands, not 1");
    assert_eq!(
        wrong(&good.replace("N:", "Z:")),
        "not a seat; the seats are N, E, S and W"
    );
}
