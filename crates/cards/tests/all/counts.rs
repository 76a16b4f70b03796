//! Well-known numbers of bridge: shapes, deals, boards and scores.

use croupier_cards::{
    BySeat, BySuit, CardSet, Contract, Doubling, Seat, Shape, ShapeSet, Side, Strain, Suit,
    Vulnerability,
};

fn choose(n: u128, k: u128) -> u128 {
    (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
}

#[test]
fn there_are_560_shapes_and_they_cover_all_hands() {
    let shapes: Vec<Shape> = Shape::all().collect();
    assert_eq!(shapes.len(), 560);
    let hands: u128 = shapes
        .iter()
        .map(|shape| {
            shape
                .lengths()
                .iter()
                .map(|&n| choose(13, n.into()))
                .product::<u128>()
        })
        .sum();
    assert_eq!(hands, 635_013_559_600);
    for (i, shape) in shapes.iter().enumerate() {
        assert_eq!(shape.index(), i);
        assert_eq!(Shape::new(shape.lengths()), Some(*shape));
    }
    assert!(shapes.windows(2).all(|w| w[0].lengths() < w[1].lengths()));
    assert_eq!(ShapeSet::full().len(), 560);
    assert!(ShapeSet::full().complement().is_empty());
}

#[test]
fn the_number_of_deals_is_the_multinomial_coefficient() {
    assert_eq!(
        croupier_cards::Deal::COUNT,
        choose(52, 13) * choose(39, 13) * choose(26, 13)
    );
}

#[test]
fn the_first_sixteen_boards_have_the_usual_dealers_and_vulnerability() {
    let dealers: String = (1..=16)
        .map(|b| Seat::dealer_of_board(b).letter())
        .collect();
    assert_eq!(dealers, "NESWNESWNESWNESW");
    let vul: Vec<_> = (1..=17).map(|b| Vulnerability::of_board(b).pbn()).collect();
    assert_eq!(
        vul,
        [
            "None", "NS", "EW", "All", "NS", "EW", "All", "None", "EW", "All", "None", "NS", "All",
            "None", "NS", "EW", "None"
        ]
    );
    assert!(Vulnerability::Both.includes(Side::EastWest));
    assert!(!Vulnerability::NorthSouth.includes(Side::EastWest));
}

#[test]
fn suits_partition_the_deck() {
    let all = Suit::ALL.into_iter().fold(CardSet::EMPTY, |set, suit| {
        assert!(set.is_disjoint(CardSet::of_suit(suit)));
        set | CardSet::of_suit(suit)
    });
    assert_eq!(all, CardSet::FULL);
    assert_eq!(!all, CardSet::EMPTY);
    assert_eq!(all.iter().len(), 52);
    assert_eq!(all.iter().next().unwrap().to_string(), "AS");
}

#[test]
fn well_known_scores() {
    let contract = |text: &str| text.parse::<Contract>().unwrap();
    for (text, vulnerable, tricks, score) in [
        ("3N", true, 9, 600),
        ("3N", false, 8, -50),
        ("3Nxx", true, 9, 1000),
        ("2Dx", true, 8, 180),
        ("4Sx", false, 8, -300),
        ("3N", true, -1, -1000),
        ("3N", true, 14, 750),
        ("7NTxx", true, 13, 2980),
        ("1C", false, 7, 70),
        ("6H", false, 12, 980),
        ("1NTx", false, 0, -1700),
    ] {
        assert_eq!(
            contract(text).score(vulnerable, tricks),
            score,
            "{text} {tricks}"
        );
    }
    assert!("8C".parse::<Contract>().is_err());
    assert!("3NTxxx".parse::<Contract>().is_err());
    assert_eq!(
        Contract::new(4, Strain::Spades, Doubling::Doubled)
            .unwrap()
            .to_string(),
        "4Sx"
    );
}

#[test]
fn every_spelling_of_a_vulnerability_is_read_by_one_parser() {
    let spellings = [
        ("none nobody love nv - o 0 None LOVE", Vulnerability::None),
        ("ns n-s n 1 NS N-S", Vulnerability::NorthSouth),
        ("ew e-w e 2 EW", Vulnerability::EastWest),
        ("both all everybody b 3 All", Vulnerability::Both),
    ];
    for (words, vulnerability) in spellings {
        for word in words.split(' ') {
            assert_eq!(word.parse(), Ok(vulnerability), "{word}");
        }
    }
    for vulnerability in Vulnerability::ALL {
        assert_eq!(vulnerability.to_string().parse(), Ok(vulnerability));
        assert_eq!(vulnerability.index().to_string().parse(), Ok(vulnerability));
    }
    for word in ["", "4", "nsew", "no ne", "north", "ｎｓ"] {
        assert!(word.parse::<Vulnerability>().is_err(), "{word}");
    }
}

#[test]
fn four_values_are_found_by_seat_and_by_suit() {
    let mut letters = BySeat::from_fn(Seat::letter);
    assert_eq!(letters[Seat::South], 'S');
    letters[Seat::South] = 's';
    assert_eq!(letters.values().collect::<String>(), "NEsW");
    let turned: Vec<_> = letters.into_iter().rev().map(|(seat, _)| seat).collect();
    assert_eq!(turned, [Seat::West, Seat::South, Seat::East, Seat::North]);
    let mut lengths = BySuit([1, 2, 3, 7]);
    for (suit, length) in lengths.iter_mut() {
        *length += suit.index();
    }
    assert_eq!(lengths[Suit::Spades], 10);
    assert_eq!(lengths.total(), 19);
    assert_eq!(BySuit::from([0, 1, 2, 3]), BySuit::from_fn(Suit::index));
}
