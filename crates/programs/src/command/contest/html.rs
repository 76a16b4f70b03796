//! The report of a match as an HTML page.

use std::fmt::Write as _;

use croupier::bidding::Bidding;
use croupier::bidding::auction::call_text;
use croupier::render::html::{Page, escape};

use super::{PlayedBoard, Totals, contract_text};
use crate::command::bid::mean_text;

/// Returns the page: the result, and the boards with the largest swings with both auctions.
pub(super) fn page(names: [&str; 2], totals: &Totals, swings: &[PlayedBoard]) -> String {
    let [first, second] = names;
    let mut page = Page::new(&format!("{first} against {second}"));
    page.paragraph(&format!(
        "{first} wins {} IMPs and {} points a board over {} boards, scored double dummy; 95 % confidence intervals in \
         brackets. {} boards won, {} lost; the contracts differ on {}.",
        mean_text(totals.mean_imps()),
        mean_text(totals.mean_points()),
        totals.imps.count(),
        totals.won,
        totals.lost,
        totals.different,
    ));
    page.heading("Boards that swing most");
    for played in swings {
        page.board(&played.board);
        page.raw(&auctions(names, played));
    }
    page.finish()
}

fn auctions(names: [&str; 2], played: &PlayedBoard) -> String {
    let declared = played.declared().map(contract_text);
    let mut html = format!(
        "<p>Board {}: {:+} IMPs for {}</p>\n",
        played.board.place().0,
        played.imps(),
        escape(names[0])
    );
    for (table, bidding) in played.biddings.iter().enumerate() {
        let _ = writeln!(
            html,
            "<p>{} North-South: {} ({:+} for North-South)</p>\n{}",
            escape(names[table]),
            escape(&declared[table]),
            played.scores[table],
            auction_table(bidding)
        );
    }
    html
}

/// Returns an auction in four columns, with the explanations as titles of the calls.
fn auction_table(bidding: &Bidding) -> String {
    let mut html = "<div class=\"scroll\"><table><tr>".to_owned();
    for seat in croupier::cards::Seat::ALL {
        let _ = write!(html, "<th>{}</th>", seat.letter());
    }
    html.push_str("</tr>\n<tr>");
    let empty = bidding.auction.dealer().index();
    html.push_str(&"<td></td>".repeat(empty));
    for (place, &call) in bidding.auction.calls().iter().enumerate() {
        if place > 0 && (place + empty).is_multiple_of(4) {
            html.push_str("</tr>\n<tr>");
        }
        let told = bidding.explanations.get(place).and_then(Option::as_ref);
        let title = told.map(|told| escape(&told.text)).unwrap_or_default();
        let _ = write!(html, "<td title=\"{title}\">{}</td>", call_text(call));
    }
    html + "</tr></table></div>\n"
}
