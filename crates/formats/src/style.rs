//! The styles of printed deals: one writer for each page, and small tables of the differences.

/// The differences between styles. Everything else is common to all.
#[derive(Debug)]
pub struct PrintStyle {
    /// Whether boards carry seat names, an indentation, titles and page breaks.
    pub captioned: bool,
    /// Text before each card line of `printall` and of the two-handed pages.
    pub indent: &'static str,
    /// Text before and after the words `North hands:`.
    pub seat_heading: (&'static str, &'static str),
    /// Name of the program in the PBN tag `Event`.
    pub program: &'static str,
    /// Value of the PBN tag `Generator`, if there is one.
    pub generator: Option<&'static str>,
    /// Whether quotes and backslashes inside PBN strings are escaped.
    pub escape_tags: bool,
}

/// The classic dealer (Debian's 20211121), byte for byte.
pub static V1: PrintStyle = PrintStyle {
    captioned: false,
    indent: "",
    seat_heading: ("\n\n", "\n\n\n\n"),
    program: "dealer",
    generator: None,
    escape_tags: false,
};

/// DealerV2 4.3.3, byte for byte.
pub static V2: PrintStyle = PrintStyle {
    captioned: true,
    indent: "     ",
    seat_heading: ("\n", "\n\n"),
    program: "DealerV2_4",
    generator: Some("Dealer Version 2.4 by Hans, Henk, and JGM"),
    escape_tags: false,
};

/// The default: the pages of v2 with corrections.
pub static NATIVE: PrintStyle = PrintStyle {
    captioned: true,
    indent: "     ",
    seat_heading: ("\n", "\n\n"),
    program: "croupier",
    generator: Some(concat!("croupier ", env!("CARGO_PKG_VERSION"))),
    escape_tags: true,
};

impl PrintStyle {
    /// Returns whether the page title is printed before this board: at the start and after every tenth board. `earlier`
    /// counts the actions of the same kind before it in the list. They share one counter, so the second action of a
    /// deal prints the title only where the first has just ended a page.
    pub fn title_is_due(&self, produced: u64, earlier: usize) -> bool {
        self.captioned && produced % 10 == if earlier == 0 { 1 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_action_of_a_kind_titles_boards_1_11_21_and_later_ones_10_20() {
        let titled = |earlier| {
            (1..=21)
                .filter(|&n| V2.title_is_due(n, earlier))
                .collect::<Vec<_>>()
        };
        assert_eq!(titled(0), [1, 11, 21]);
        assert_eq!(titled(1), [10, 20]);
        assert!(!V1.title_is_due(1, 0));
    }
}
