//! Reports for the browser: one self-contained page for phone, screen and paper.
//!
//! Nothing is loaded from elsewhere and nothing runs: the page is text, a style sheet, tables and
//! boxes.

use std::fmt::Write as _;

use cards::{CardSet, Deal, Seat, Suit};

use crate::Board;

const STYLE: &str = include_str!("html/style.css");

/// A page that is written from top to bottom.
///
/// ```
/// use formats::html::Page;
///
/// let mut page = Page::new("Openings & responses");
/// page.bars("points of North", &[("15".into(), 120), ("16".into(), 95), ("17".into(), 70)]);
/// let html = page.finish();
/// assert!(html.contains("<h1>Openings &amp; responses</h1>") && html.ends_with("</html>\n"));
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    text: String,
    in_boards: bool,
}

/// The text with the characters that HTML reserves written out.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A suit symbol in its colour.
#[must_use]
pub fn symbol(suit: Suit) -> String {
    match suit {
        Suit::Hearts | Suit::Diamonds => format!("<span class=\"red\">{}</span>", suit.symbol()),
        Suit::Clubs | Suit::Spades => suit.symbol().to_string(),
    }
}

/// Cards on one line, suits by their symbols, voids left out.
#[must_use]
pub fn cards(cards: CardSet) -> String {
    let held = Suit::DESCENDING
        .into_iter()
        .filter(|&suit| !cards.holding(suit).is_empty());
    let suits: Vec<String> = held
        .map(|suit| format!("{}{}", symbol(suit), cards.holding(suit)))
        .collect();
    suits.join(" ")
}

/// What an `average` found.
#[derive(Clone, Debug)]
pub struct AverageRow {
    /// What was averaged.
    pub label: String,
    /// The mean.
    pub mean: f64,
    /// Standard deviation of the values.
    pub deviation: f64,
    /// How many values.
    pub count: u64,
}

impl Page {
    /// A page with this title.
    #[must_use]
    pub fn new(title: &str) -> Page {
        let title = escape(title);
        let text = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        Page {
            text,
            in_boards: false,
        }
    }

    /// The whole page.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.end_boards();
        self.text.push_str("</body>\n</html>\n");
        self.text
    }

    fn end_boards(&mut self) {
        if std::mem::take(&mut self.in_boards) {
            self.text.push_str("</div>\n");
        }
    }

    /// A heading.
    pub fn heading(&mut self, text: &str) {
        self.end_boards();
        let _ = writeln!(self.text, "<h2>{}</h2>", escape(text));
    }

    /// A line of text.
    pub fn paragraph(&mut self, text: &str) {
        self.end_boards();
        let _ = writeln!(self.text, "<p>{}</p>", escape(text));
    }

    /// HTML made elsewhere.
    pub fn raw(&mut self, html: &str) {
        self.end_boards();
        self.text.push_str(html);
    }

    /// A board as a diagram; several in a row share the width of the page.
    pub fn board(&mut self, board: &Board, deal: &Deal) {
        if !std::mem::replace(&mut self.in_boards, true) {
            self.text.push_str("<div class=\"boards\">\n");
        }
        let board = board.clone().with_number(1);
        let number = board.number.unwrap_or(1);
        let dealer = board.dealer.unwrap_or(Seat::North);
        let vulnerable = board.vulnerable.map_or("", cards::Vulnerability::pbn);
        let _ = write!(
            self.text,
            "<div class=\"board\"><h3>Board {number}</h3><div class=\"hands\">"
        );
        for seat in Seat::ALL {
            let class = seat.letter().to_ascii_lowercase();
            let suits: Vec<String> = Suit::DESCENDING
                .into_iter()
                .map(|suit| match deal[seat].holding(suit) {
                    held if held.is_empty() => format!("{} –", symbol(suit)),
                    held => format!("{} {}", symbol(suit), held.to_string().replace('T', "10")),
                })
                .collect();
            let _ = write!(
                self.text,
                "<pre class=\"{class}\">{}</pre>",
                suits.join("\n")
            );
        }
        let _ = writeln!(
            self.text,
            "<div class=\"compass\">N<br>W&nbsp;&nbsp;&nbsp;E<br>S<br>Dealer {}<br>Vul {vulnerable}</div></div></div>",
            dealer.letter(),
        );
    }

    /// Averages with their 95 % confidence intervals.
    pub fn averages(&mut self, rows: &[AverageRow]) {
        self.end_boards();
        self.text.push_str(
            "<div class=\"scroll\"><table><tr><th>average</th><th>mean</th><th>95 % interval</th>\
             <th>standard deviation</th><th>deals</th></tr>\n",
        );
        for row in rows {
            let margin = 1.96 * row.deviation / (row.count.max(1) as f64).sqrt();
            let _ = writeln!(
                self.text,
                "<tr><td>{}</td><td>{:.4}</td><td class=\"faint\">{:.4} – {:.4}</td><td>{:.4}</td><td>{}</td></tr>",
                escape(&row.label),
                row.mean,
                row.mean - margin,
                row.mean + margin,
                row.deviation,
                row.count,
            );
        }
        self.text.push_str("</table></div>\n");
    }

    /// A frequency table as bars.
    pub fn bars(&mut self, label: &str, rows: &[(String, u64)]) {
        self.heading(label);
        let total: u64 = rows.iter().map(|(_, count)| count).sum();
        let most = rows
            .iter()
            .map(|(_, count)| *count)
            .max()
            .unwrap_or(0)
            .max(1);
        self.text.push_str(
            "<div class=\"scroll\"><table><tr><th>value</th><th>count</th><th>share</th><th></th></tr>\n",
        );
        for (name, count) in rows {
            let _ = writeln!(
                self.text,
                "<tr><td>{}</td><td>{count}</td><td>{:.2} %</td><td class=\"bar\"><div style=\"width:{:.2}%\"></div></td></tr>",
                escape(name),
                100.0 * *count as f64 / total.max(1) as f64,
                100.0 * *count as f64 / most as f64,
            );
        }
        let _ = writeln!(
            self.text,
            "<tr><th>sum</th><th>{total}</th><th></th><th></th></tr></table></div>"
        );
    }

    /// A two-dimensional frequency table as a heat map; `count(row, column)` gives its cells.
    pub fn heat_map(
        &mut self,
        label: &str,
        rows: &[String],
        columns: &[String],
        count: impl Fn(usize, usize) -> u64,
    ) {
        self.heading(label);
        let cell = |r: usize| (0..columns.len()).map(move |c| (r, c));
        let most = (0..rows.len())
            .flat_map(cell)
            .map(|(r, c)| count(r, c))
            .max()
            .unwrap_or(0)
            .max(1);
        self.text
            .push_str("<div class=\"scroll\"><table class=\"heat\"><tr><th></th>");
        for name in columns {
            let _ = write!(self.text, "<th>{}</th>", escape(name));
        }
        self.text.push_str("<th>sum</th></tr>\n");
        for (r, name) in rows.iter().enumerate() {
            let _ = write!(self.text, "<tr><th>{}</th>", escape(name));
            let mut sum = 0;
            for c in 0..columns.len() {
                let n = count(r, c);
                sum += n;
                // The square root keeps small counts visible beside large ones.
                let strength = 0.85 * (n as f64 / most as f64).sqrt();
                let _ = write!(
                    self.text,
                    "<td style=\"background:rgb(59 125 216 / {strength:.3})\">{n}</td>"
                );
            }
            let _ = writeln!(self.text, "<th>{sum}</th></tr>");
        }
        self.text.push_str("<tr><th>sum</th>");
        for c in 0..columns.len() {
            let sum: u64 = (0..rows.len()).map(|r| count(r, c)).sum();
            let _ = write!(self.text, "<th>{sum}</th>");
        }
        self.text.push_str("<th></th></tr></table></div>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        let deal: Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
            .parse()
            .unwrap();
        let mut page = Page::new("Test <1>");
        page.heading("Boards");
        (1..=5).for_each(|n| page.board(&Board::duplicate(&deal, n), &deal));
        page.averages(&[AverageRow {
            label: "hcp".into(),
            mean: 10.0,
            deviation: 4.0,
            count: 100,
        }]);
        page.bars("hcp(north)", &[("0".into(), 3), ("1 & more".into(), 5)]);
        let names = ["0".to_owned(), "1".to_owned()];
        page.heat_map("two", &names, &names, |r, c| (3 * r + c) as u64);
        page.finish()
    }

    #[test]
    fn everything_is_escaped_closed_and_self_contained() {
        let html = page();
        assert!(html.contains("Test &lt;1&gt;") && html.contains("1 &amp; more"));
        for tag in ["div", "table", "tr", "td", "th", "pre", "h2", "h3", "span"] {
            let opened = html.matches(&format!("<{tag}>")).count()
                + html.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        assert!(!html.contains("http") && !html.contains("<script") && !html.contains("src="));
        assert_eq!(html.matches("class=\"board\"").count(), 5);
        assert_eq!(html.matches("class=\"boards\"").count(), 1);
    }
}
