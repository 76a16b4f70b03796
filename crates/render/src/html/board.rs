//! The card of a board: hands around a compass, what can be made, and par.

use std::fmt::Write as _;

use cards::{BySeat, CardSet, Seat, Side, Strain, Suit, TrickTable, Vulnerability};
use formats::Board;

use super::{strain, symbol};

/// The strains in the order of hand records.
const STRAINS: [Strain; 5] = [
    Strain::Notrump,
    Strain::Spades,
    Strain::Hearts,
    Strain::Diamonds,
    Strain::Clubs,
];

/// A board as a card of its own: who deals and who is vulnerable, the hands with their points, and double-dummy
/// tricks and par where they are known. Unknown hands stay empty.
///
/// ```
/// let deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".parse().unwrap();
/// let card = render::html::board_card_html(&formats::Board::duplicate(&deal, 2));
/// assert!(card.contains("Dealer East") && card.contains("N-S vulnerable"));
/// ```
#[must_use]
pub fn board_card_html(board: &Board) -> String {
    let number = board.number.unwrap_or(1);
    let dealer = board
        .dealer
        .unwrap_or_else(|| Seat::dealer_of_board(number));
    let vulnerable = board
        .vulnerable
        .unwrap_or_else(|| Vulnerability::of_board(number));
    let hands = match board.deal() {
        Some(deal) => BySeat(deal.hands().map(Some)),
        None => board.hands.0,
    };
    let (dealer_name, vulnerable_text) = (name(dealer), vulnerability_text(vulnerable));
    let mut card = format!(
        "<article class=\"board\" aria-label=\"Board {number}, dealer {dealer_name}, {vulnerable_text}\">\
         <header><h3>Board {number}</h3><p>Dealer {dealer_name} · <span class=\"{}\">{vulnerable_text}</span></p>\
         </header><div class=\"diagram\">",
        if vulnerable == Vulnerability::None {
            "safe"
        } else {
            "risk"
        },
    );
    for seat in Seat::ALL {
        card.push_str(&hand(seat, hands[seat]));
    }
    card.push_str(&compass(number, dealer, vulnerable));
    card.push_str("</div>");
    if let Some(table) = &board.tricks {
        card.push_str(&makeable(table, vulnerable));
    } else if let Some(par) = board.par {
        let _ = write!(card, "<p class=\"par\">Par {par:+}</p>");
    }
    card.push_str("</article>\n");
    card
}

fn name(seat: Seat) -> &'static str {
    ["North", "East", "South", "West"][seat.index()]
}

fn vulnerability_text(vulnerable: Vulnerability) -> &'static str {
    match vulnerable {
        Vulnerability::None => "nobody vulnerable",
        Vulnerability::NorthSouth => "N-S vulnerable",
        Vulnerability::EastWest => "E-W vulnerable",
        Vulnerability::Both => "both vulnerable",
    }
}

/// High-card points, 4-3-2-1.
fn points(hand: CardSet) -> u32 {
    hand.into_iter()
        .map(|card| (card.rank().index() as u32).saturating_sub(8))
        .sum()
}

fn hand(seat: Seat, cards: Option<CardSet>) -> String {
    let class = seat.letter().to_ascii_lowercase();
    let mut text = format!("<div class=\"hand {class}\"><h4>{}", name(seat));
    let Some(cards) = cards else {
        return text + "</h4></div>";
    };
    let _ = write!(
        text,
        " <span class=\"hcp\" title=\"high-card points\">{}<span class=\"sr\"> points</span></span></h4><ul>",
        points(cards)
    );
    for suit in Suit::DESCENDING {
        let held = cards.holding(suit);
        let ranks = if held.is_empty() {
            "–".to_owned()
        } else {
            held.to_string().replace('T', "10")
        };
        let _ = write!(text, "<li>{} {ranks}</li>", symbol(suit));
    }
    text + "</ul></div>"
}

/// The table seen from above: bands red where vulnerable and green where not, a disc beside the dealer.
fn compass(number: u64, dealer: Seat, vulnerable: Vulnerability) -> String {
    /// Where the letter of a seat, its band and the dealer's disc stand in a square of 100.
    const PLACES: [([i32; 2], &str, [i32; 2]); 4] = [
        ([50, 17], "M2 2H98L76 24H24Z", [70, 12]),
        ([87, 55], "M98 2V98L76 76V24Z", [88, 31]),
        ([50, 93], "M2 98H98L76 76H24Z", [70, 88]),
        ([13, 55], "M2 2V98L24 76V24Z", [12, 31]),
    ];
    let mut svg =
        String::from("<svg class=\"compass\" viewBox=\"0 0 100 100\" aria-hidden=\"true\">");
    for seat in Seat::ALL {
        let ([x, y], band, [dx, dy]) = PLACES[seat.index()];
        let class = if vulnerable.includes(seat.side()) {
            "risk"
        } else {
            "safe"
        };
        let letter = seat.letter();
        let _ = write!(
            svg,
            "<path class=\"{class}\" d=\"{band}\"/><text x=\"{x}\" y=\"{y}\">{letter}</text>"
        );
        if seat == dealer {
            let _ = write!(
                svg,
                "<circle cx=\"{dx}\" cy=\"{dy}\" r=\"8\"/><text class=\"d\" x=\"{dx}\" y=\"{}\">D</text>",
                dy + 4
            );
        }
    }
    let _ = write!(
        svg,
        "<text class=\"number\" x=\"50\" y=\"59\">{number}</text></svg>"
    );
    svg
}

/// Tricks of every declarer in every strain, and par.
fn makeable(table: &TrickTable, vulnerable: Vulnerability) -> String {
    let mut text = String::from(
        "<div class=\"makeable\"><table><caption class=\"sr\">Double-dummy tricks</caption><thead><tr><td></td>",
    );
    for each in STRAINS {
        let _ = write!(text, "<th scope=\"col\">{}</th>", strain(each));
    }
    text.push_str("</tr></thead><tbody>");
    for declarer in [Seat::North, Seat::South, Seat::East, Seat::West] {
        let _ = write!(text, "<tr><th scope=\"row\">{}</th>", declarer.letter());
        for each in STRAINS {
            let tricks = table.tricks(declarer, each);
            let class = if tricks > 6 { "" } else { " class=\"faint\"" };
            let _ = write!(text, "<td{class}>{tricks}</td>");
        }
        text.push_str("</tr>");
    }
    let _ = write!(
        text,
        "</tbody></table><p class=\"par\">{}</p></div>",
        par_text(table, vulnerable)
    );
    text
}

/// Par as people say it: `4♠* −1 E-W, +100`.
fn par_text(table: &TrickTable, vulnerable: Vulnerability) -> String {
    let par = solver::par(table, vulnerable);
    let Some(first) = par.contracts.first() else {
        return "Par 0, passed out".to_owned();
    };
    let taken = |seat: Seat| i32::from(table.tricks(seat, first.strain));
    let [one, other] = first.side.seats();
    let tricks = first.declarer.map_or(taken(one).min(taken(other)), taken);
    let result = match tricks - 6 - i32::from(first.level) {
        0 => "=".to_owned(),
        over if over > 0 => format!("+{over}"),
        under => format!("−{}", -under),
    };
    let declarers = match (first.declarer, first.side) {
        (Some(seat), _) => seat.letter().to_string(),
        (None, Side::NorthSouth) => "N-S".to_owned(),
        (None, Side::EastWest) => "E-W".to_owned(),
    };
    let doubled = if first.sacrifice { "*" } else { "" };
    format!(
        "Par <b>{}{}{doubled}{result}</b> {declarers}<br>N-S {}{}",
        first.level,
        strain(first.strain),
        if par.score < 0 { "−" } else { "+" },
        par.score.abs()
    )
}
