//! The card of a board: hands around a compass, double-dummy tricks, and par.

use std::fmt::Write as _;

use cards::{BySeat, CardSet, Doubling, Seat, Strain, Suit, TrickTable, Vulnerability};
use formats::Board;

use super::{strain, symbol};

/// Formats a board as a card: dealer and vulnerability, the hands with their points, and double-dummy tricks and par if
/// they are known. Unknown hands stay empty.
///
/// ```
/// let deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".parse().unwrap();
/// let card = croupier_render::html::board_card_html(&formats::Board::duplicate(&deal, 2));
/// assert!(card.contains("Dealer East") && card.contains("N-S vulnerable"));
/// ```
#[must_use]
pub fn board_card_html(board: &Board) -> String {
    let (number, dealer, vulnerable) = board.place();
    let hands = match board.deal() {
        Some(deal) => BySeat(deal.hands().map(Some)),
        None => board.hands.0,
    };
    let (dealer_name, vulnerable_text) = (name(dealer), vulnerability_text(vulnerable));
    let mut card = format!(
        "<article class=\"board\" aria-label=\"Board {number}, dealer {dealer_name}, {vulnerable_text}\">\
         <header><h3><span class=\"word\">Board</span> {number}</h3><p>Dealer {dealer_name} · <span class=\"{}\">{vulnerable_text}</span></p>\
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
        card.push_str(&makeable(table, vulnerable, dealer));
    } else if let Some(par) = board.par {
        let _ = write!(card, "<p class=\"par\">Par {par:+}</p>");
    }
    let extras = board.extras.as_deref();
    if let Some(number) = extras.and_then(|extras| extras.tag("DealNumber")) {
        let number = super::escape(number);
        let _ = write!(card, "<p class=\"faint\">Deal {number} of the key</p>");
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

/// Returns the high-card points, 4-3-2-1.
fn points(hand: CardSet) -> u32 {
    hand.into_iter()
        .map(|card| (card.rank().index() as u32).saturating_sub(8))
        .sum()
}

fn hand(seat: Seat, cards: Option<CardSet>) -> String {
    let class = seat.letter().to_ascii_lowercase();
    let mut text = format!(
        "<div class=\"hand {class}\"><h4><span class=\"word\">{}</span>",
        name(seat)
    );
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

/// Draws the table from above: red bands for vulnerable and white ones for not vulnerable sides, the dealer's letter on
/// a black disc. It is readable without colours, too.
fn compass(number: u64, dealer: Seat, vulnerable: Vulnerability) -> String {
    /// Position of the letter of a seat and its band in a square of side 100.
    const PLACES: [([i32; 2], &str); 4] = [
        ([50, 14], "M2 2H98L74 26H26Z"),
        ([86, 50], "M98 2V98L74 74V26Z"),
        ([50, 86], "M2 98H98L74 74H26Z"),
        ([14, 50], "M2 2V98L26 74V26Z"),
    ];
    let mut svg =
        String::from("<svg class=\"compass\" viewBox=\"0 0 100 100\" aria-hidden=\"true\">");
    for seat in Seat::ALL {
        let ([x, y], band) = PLACES[seat.index()];
        let class = if vulnerable.includes(seat.side()) {
            "risk"
        } else {
            "safe"
        };
        let (letter, below) = (seat.letter(), y + 6);
        let _ = write!(svg, "<path class=\"{class}\" d=\"{band}\"/>");
        let class = if seat == dealer { "d" } else { class };
        if seat == dealer {
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"11.5\"/>");
        }
        let _ = write!(
            svg,
            "<text class=\"{class}\" x=\"{x}\" y=\"{below}\">{letter}</text>"
        );
    }
    let _ = write!(
        svg,
        "<text class=\"number\" x=\"50\" y=\"59\">{number}</text></svg>"
    );
    svg
}

/// Formats the level that every declarer makes in every strain, and par.
fn makeable(table: &TrickTable, vulnerable: Vulnerability, dealer: Seat) -> String {
    let mut text = String::from(
        "<div class=\"makeable\"><table><caption class=\"sr\">What each hand makes, double dummy: the level, a dash for \
         none</caption><thead><tr><td></td>",
    );
    for each in Strain::DESCENDING {
        let _ = write!(text, "<th scope=\"col\">{}</th>", strain(each));
    }
    text.push_str("</tr></thead><tbody>");
    for declarer in [Seat::North, Seat::South, Seat::East, Seat::West] {
        let _ = write!(text, "<tr><th scope=\"row\">{}</th>", declarer.letter());
        for each in Strain::DESCENDING {
            let tricks = table.tricks(declarer, each);
            let _ = match tricks.checked_sub(6).filter(|&level| level > 0) {
                Some(level) => write!(text, "<td title=\"{tricks} tricks\">{level}</td>"),
                None => write!(text, "<td class=\"faint\" title=\"{tricks} tricks\">–</td>"),
            };
        }
        text.push_str("</tr>");
    }
    let _ = write!(
        text,
        "</tbody></table><p class=\"par\">{}</p></div>",
        par_text(table, vulnerable, dealer)
    );
    text
}

/// Maximum number of par contracts shown; there are seldom more.
const MOST_CONTRACTS: usize = 4;

/// Formats par: the score, and contracts such as `4♠*−1 E-W` with the equivalent ones.
fn par_text(table: &TrickTable, vulnerable: Vulnerability, dealer: Seat) -> String {
    let par = solver::par_report(table, vulnerable, dealer);
    let mut text = match par.score {
        0 => return "Par <b>0</b><br>passed out".to_owned(),
        score if score < 0 => format!("Par <b>−{}</b>", -score),
        score => format!("Par <b>+{score}</b>"),
    };
    for found in par.contracts.iter().take(MOST_CONTRACTS) {
        let doubled = match found.contract.doubling {
            Doubling::Undoubled => "",
            Doubling::Doubled | Doubling::Redoubled => "*",
        };
        let _ = write!(
            text,
            "<br>{}{}{doubled}{} {}",
            found.contract.level(),
            strain(found.contract.strain),
            found.result().replace('-', "−"),
            found.declarers()
        );
    }
    if par.contracts.len() > MOST_CONTRACTS {
        text.push_str(" …");
    }
    text
}
