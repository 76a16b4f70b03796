//! Reports of checks as text and as a page.

use std::fmt::Write as _;

use super::{CheckedShare, DifferencesReport, PointReport, SystemReport};

impl CheckedShare {
    /// Writes the share in percent, with its interval unless it is exact.
    #[must_use]
    pub fn percent(self) -> String {
        let percent = |share: f64| match 100.0 * share {
            0.0 => "0".to_owned(),
            small if small < 0.01 => format!("{small:.1e}"),
            small if small < 1.0 => format!("{small:.3}"),
            large => format!("{large:.2}"),
        };
        match self.is_exact {
            true => format!("{} %", percent(self.value)),
            false => format!(
                "{} % ({} to {})",
                percent(self.value),
                percent(self.low),
                percent(self.high)
            ),
        }
    }
}

fn json(report: &impl serde::Serialize) -> String {
    // Structs of numbers and texts can always be written.
    let text = serde_json::to_string_pretty(report).unwrap_or_default();
    text + "\n"
}

fn auction_name(auction: &str) -> &str {
    match auction {
        "" => "Opening",
        auction => auction,
    }
}

/// Writes a number with the word for one or for several.
fn number(count: usize, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    }
}

impl SystemReport {
    /// Returns the number of points at which hands satisfy no rule.
    #[must_use]
    pub fn gaps(&self) -> usize {
        let points = self.points.iter();
        points.filter(|point| point.gap.value > 0.0).count()
    }

    /// Returns the number of pairs of rules with common hands.
    #[must_use]
    pub fn overlaps(&self) -> usize {
        self.points.iter().map(|point| point.overlaps.len()).sum()
    }

    /// Writes the report as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        json(self)
    }

    /// Writes the report as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for point in &self.points {
            let name = auction_name(&point.auction);
            let _ = writeln!(
                text,
                "{name}  (reached on {} of the deals)",
                point.reached.percent()
            );
            for rule in &point.rules {
                let _ = writeln!(
                    text,
                    "  {:<4} {:<28} line {:<4} {}",
                    rule.call,
                    rule.share.percent(),
                    rule.line,
                    rule.text
                );
            }
            if point.gap.value > 0.0 {
                let _ = writeln!(
                    text,
                    "  gap  {:<28} no rule: {}",
                    point.gap.percent(),
                    point.gap_examples.join("  ")
                );
            }
            for overlap in &point.overlaps {
                let [first, second] = &overlap.calls;
                let _ = writeln!(
                    text,
                    "  {first} and {second} overlap: {}: {}",
                    overlap.share.percent(),
                    overlap.examples.join("  ")
                );
            }
            text.push('\n');
        }
        for rule in &self.unreachable {
            let how = match rule.is_certain {
                true => "is never used",
                false => "was not used by any dealt hand",
            };
            let _ = writeln!(text, "line {}: {} {how}", rule.line, rule.calls);
        }
        if self.is_cut_short {
            let _ = writeln!(text, "the check ended early");
        }
        let _ = writeln!(
            text,
            "{}, {} with gaps, {}, {} no call",
            number(self.points.len(), "point", "points"),
            self.gaps(),
            number(self.overlaps(), "overlap", "overlaps"),
            number(self.unreachable.len(), "rule that makes", "rules that make")
        );
        text
    }

    /// Writes the report as a page: the points as a tree.
    #[must_use]
    pub fn html(&self) -> String {
        let name = escaped(&self.name);
        let mut text = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{name}</title>\n<style>{STYLE}</style></head><body>\n<h1>{name}</h1>\n"
        );
        let _ = writeln!(
            text,
            "<p>{} of the auction, {} with gaps, {}, {} no call. Shares are exact unless an interval (95 %) follows.</p>",
            number(self.points.len(), "point", "points"),
            self.gaps(),
            number(self.overlaps(), "overlap", "overlaps"),
            number(self.unreachable.len(), "rule that makes", "rules that make")
        );
        if !self.unreachable.is_empty() {
            text += "<h2>Rules that make no call</h2>\n<ul>\n";
            for rule in &self.unreachable {
                let certain = match rule.is_certain {
                    true => "never used",
                    false => "not used by any dealt hand",
                };
                let _ = writeln!(
                    text,
                    "<li>line {}: {}, {certain}</li>",
                    rule.line,
                    escaped(&rule.calls)
                );
            }
            text += "</ul>\n";
        }
        text += "<h2>Calls</h2>\n";
        for point in self.points.iter().filter(|point| !self.has_parent(point)) {
            self.html_point(point, &mut text);
        }
        text + "</body></html>\n"
    }

    fn parent(&self, point: &PointReport) -> Option<&PointReport> {
        let begins = |other: &&PointReport| {
            point.auction != other.auction
                && (other.auction.is_empty()
                    || point.auction.starts_with(&format!("{}-", other.auction)))
        };
        let before = self.points.iter().filter(begins);
        before.max_by_key(|other| other.auction.len())
    }

    fn has_parent(&self, point: &PointReport) -> bool {
        self.parent(point).is_some()
    }

    /// Writes a point and those below it. Points are at most as deep as an auction is long.
    fn html_point(&self, point: &PointReport, text: &mut String) {
        let open = if point.auction.is_empty() {
            " open"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "<details{open}><summary>{} <small>{} of the deals</small></summary>\n<table><thead><tr><th>Call</th><th>Share</th><th>Line</th><th>Meaning</th></tr></thead><tbody>",
            escaped(auction_name(&point.auction)),
            point.reached.percent()
        );
        for rule in &point.rules {
            let _ = writeln!(
                text,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                rule.call,
                rule.share.percent(),
                rule.line,
                escaped(&rule.text)
            );
        }
        if point.gap.value > 0.0 {
            let _ = writeln!(
                text,
                "<tr class=\"wrong\"><td>gap</td><td>{}</td><td></td><td>no rule: {}</td></tr>",
                point.gap.percent(),
                escaped(&point.gap_examples.join("  "))
            );
        }
        for overlap in &point.overlaps {
            let [first, second] = &overlap.calls;
            let _ = writeln!(
                text,
                "<tr class=\"overlap\"><td>{first}, {second}</td><td>{}</td><td></td><td>both fit: {}</td></tr>",
                overlap.share.percent(),
                escaped(&overlap.examples.join("  "))
            );
        }
        *text += "</tbody></table>\n";
        let below = |other: &&PointReport| {
            self.parent(other)
                .is_some_and(|parent| parent.auction == point.auction)
        };
        for other in self.points.iter().filter(below) {
            self.html_point(other, text);
        }
        *text += "</details>\n";
    }
}

impl DifferencesReport {
    /// Writes the report as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        json(self)
    }

    /// Writes the report as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for point in &self.points {
            let _ = writeln!(
                text,
                "{}  {} of the hands make another call",
                auction_name(&point.auction),
                point.share.percent()
            );
            for change in &point.changes {
                let to = change.to.as_deref().unwrap_or("no rule");
                let _ = writeln!(
                    text,
                    "  {:<4} -> {:<7} {:<28} {}",
                    change.from,
                    to,
                    change.share.percent(),
                    change.examples.join("  ")
                );
            }
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "{} of {} points differ",
            self.points.len(),
            self.compared
        );
        text
    }
}

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:1rem/1.4 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}\
details{margin:.2rem 0 .2rem .8rem}summary{cursor:pointer;padding:.2rem 0}small{opacity:.75}\
table{border-collapse:collapse;margin:.2rem 0 .6rem 1rem}td,th{text-align:left;padding:.15rem .6rem;vertical-align:top}\
th{border-bottom:1px solid}.wrong td{background:#c0392b33}.overlap td{background:#d4a01733}";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
