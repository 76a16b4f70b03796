//! The looks of the printed pages: one writer for each page, and small tables of what differs.

/// Which family a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The classic dealer, as Debian ships it.
    V1,
    /// DealerV2.
    V2,
    /// Our own: the look of v2 without its rough edges.
    Native,
}

/// What distinguishes one look from another. Everything not named here is common to all.
#[derive(Debug)]
pub struct Style {
    /// The family this style belongs to.
    pub dialect: Dialect,
    /// Whether boards carry seat names, an indentation, titles and page breaks.
    pub captioned: bool,
    /// Text before each card line of `printall` and of the two-handed pages.
    pub indent: &'static str,
    /// Text before and after the words `North hands:`.
    pub seat_heading: (&'static str, &'static str),
    /// How the program calls itself in the PBN tag `Event`.
    pub program: &'static str,
    /// Value of the PBN tag `Generator`, if there is one.
    pub generator: Option<&'static str>,
    /// Whether quotes and backslashes inside PBN strings are escaped.
    pub escape_tags: bool,
    /// v1: every printed PBN deal inverts the decision whether statistics are printed.
    pub pbn_inverts_statistics: bool,
    /// v2 prints `vulnerable both` as `None`.
    pub vulnerable_both_is_none: bool,
    /// The word before a count of produced deals, with its blanks.
    pub produced: &'static str,
    /// v2 counts one deal too many when exactly one is left of the generate limit.
    pub generated_off_by_one: bool,
    /// How an average is printed.
    pub average: AverageForm,
    /// How frequency tables are printed.
    pub frequency: FrequencyForm,
    /// Width of the squares behind a standard deviation: v2 computes each in wrapping 32 bits.
    pub squares_wrap: bool,
    /// v2 gives 13 IMPs instead of 12 for differences from 600 to 740.
    pub imps_slip: bool,
}

/// How an average is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AverageForm {
    /// Only the mean, in `%g`, of a sum that wraps at 32 bits.
    Mean,
    /// Mean, standard deviation, variance and sample size.
    Moments,
}

/// What differs between the frequency tables.
#[derive(Debug)]
pub struct FrequencyForm {
    /// Text before the label.
    pub heading: &'static str,
    /// Whether percentages and a total follow the counts.
    pub percentages: bool,
    /// Width of a cell in the two-dimensional table, without its leading blank.
    pub cell: usize,
    /// End of the line of column heads.
    pub last_heads: &'static str,
}

const FREQUENCY_V2: FrequencyForm = FrequencyForm {
    heading: "\nDescription: ",
    percentages: true,
    cell: 8,
    last_heads: "    High     Sum\n",
};

/// The classic dealer (Debian's 20211121), byte for byte.
pub static V1: Style = Style {
    dialect: Dialect::V1,
    captioned: false,
    indent: "",
    seat_heading: ("\n\n", "\n\n\n\n"),
    program: "dealer",
    generator: None,
    escape_tags: false,
    pbn_inverts_statistics: true,
    vulnerable_both_is_none: false,
    produced: "Produced ",
    generated_off_by_one: false,
    average: AverageForm::Mean,
    frequency: FrequencyForm {
        heading: "Frequency ",
        percentages: false,
        cell: 6,
        last_heads: "   High    Sum\n",
    },
    squares_wrap: false,
    imps_slip: false,
};

/// DealerV2 4.3.3, byte for byte.
pub static V2: Style = Style {
    dialect: Dialect::V2,
    captioned: true,
    indent: "     ",
    seat_heading: ("\n", "\n\n"),
    program: "DealerV2_4",
    generator: Some("Dealer Version 2.4 by Hans, Henk, and JGM"),
    escape_tags: false,
    pbn_inverts_statistics: false,
    vulnerable_both_is_none: true,
    produced: "Produced  ",
    generated_off_by_one: true,
    average: AverageForm::Moments,
    frequency: FREQUENCY_V2,
    squares_wrap: true,
    imps_slip: true,
};

/// The default: the pages of v2 with its mistakes repaired.
pub static NATIVE: Style = Style {
    dialect: Dialect::Native,
    captioned: true,
    indent: "     ",
    seat_heading: ("\n", "\n\n"),
    program: "croupier",
    generator: Some(concat!("croupier ", env!("CARGO_PKG_VERSION"))),
    escape_tags: true,
    pbn_inverts_statistics: false,
    vulnerable_both_is_none: false,
    produced: "Produced  ",
    generated_off_by_one: false,
    average: AverageForm::Moments,
    frequency: FREQUENCY_V2,
    squares_wrap: false,
    imps_slip: false,
};

impl Dialect {
    /// The table of differences of this dialect.
    pub fn style(self) -> &'static Style {
        match self {
            Dialect::V1 => &V1,
            Dialect::V2 => &V2,
            Dialect::Native => &NATIVE,
        }
    }
}

impl Style {
    /// The number printed after `Generated`: the deals dealt, or what v2 makes of them.
    ///
    /// ```
    /// // `generate 10 produce 9` without a condition
    /// assert_eq!(formats::style::V2.generated(9, 10), 10);
    /// assert_eq!(formats::style::NATIVE.generated(9, 10), 9);
    /// ```
    pub fn generated(&self, dealt: i64, limit: i64) -> i64 {
        if !self.generated_off_by_one {
            return dealt;
        }
        let next = dealt.saturating_add(1);
        if next >= limit {
            limit
        } else if next < 2 {
            next
        } else {
            next - 1
        }
    }

    /// Whether the page title is printed before this board: at the start and after every tenth
    /// board. `earlier` counts the actions of the same kind that stand before it in the list: they
    /// share one memory of what is due, so the second one of a deal prints the title only where
    /// the first has just ended a page.
    pub fn title_is_due(&self, produced: u64, earlier: usize) -> bool {
        self.captioned && produced % 10 == if earlier == 0 { 1 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// output.md section 12: n = dealt+1; the limit if n >= limit, else n-1 (n if n < 2).
    #[test]
    fn v2_miscounts_generated_deals_as_documented() {
        assert_eq!(V2.generated(8, 10), 8);
        assert_eq!(V2.generated(10, 10), 10);
        assert_eq!(V2.generated(0, -4), -4);
        assert_eq!(V2.generated(0, 10_000_000), 1);
        assert_eq!(V1.generated(0, -4), 0);
    }

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
