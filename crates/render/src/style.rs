//! Output styles: the differences between the dialects, as data.

use formats::style as pages;

/// The differences between output styles. Everything else is common to all.
#[derive(Debug)]
pub struct DialectStyle {
    /// How deals are printed.
    pub pages: &'static formats::PrintStyle,
    /// v1: every printed PBN deal inverts the decision whether statistics are printed.
    pub pbn_inverts_statistics: bool,
    /// The word before a count of produced deals, with its blanks.
    pub produced: &'static str,
    /// v2 counts one deal too many when exactly one is left of the generate limit.
    pub generated_off_by_one: bool,
    /// How an average is printed.
    pub average: AverageForm,
    /// How frequency tables are printed.
    pub frequency: FrequencyForm,
    /// v2 computes each square behind a standard deviation in wrapping 32 bits, and the variance from their sum in
    /// floating point.
    pub squares_wrap: bool,
    /// v2 gives 13 IMPs instead of 12 for differences from 600 to 740.
    pub imps_slip: bool,
    /// `csvrpt` quotes fields by RFC 4180; the classic programs put texts between apostrophes.
    pub csv_fields: bool,
    /// The text for the quotient 0 / 0.
    pub not_a_number: &'static str,
    /// Estimates come with 95 % intervals and no more digits than those support.
    pub intervals: bool,
    /// Buckets are named by all their values, `10..14`; v2 names them by the first.
    pub bucket_ranges: bool,
}

/// How an average is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AverageForm {
    /// Only the mean, in `%g`, of a sum that wraps at 32 bits.
    Mean,
    /// Mean, standard deviation, variance and sample size.
    Moments,
}

/// The differences between frequency tables.
#[derive(Debug)]
pub struct FrequencyForm {
    /// Text before the label.
    pub heading: &'static str,
    /// Whether a table without a label has the heading, too.
    pub heads_untitled: bool,
    /// Whether percentages and a total follow the counts.
    pub percentages: bool,
    /// Width of a cell in the two-dimensional table, without its leading blank.
    pub cell: usize,
    /// Blanks before the first of the column heads.
    pub before_low: &'static str,
    /// End of the line of column heads.
    pub last_heads: &'static str,
}

const FREQUENCY_V2: FrequencyForm = FrequencyForm {
    heading: "\nDescription: ",
    heads_untitled: true,
    percentages: true,
    cell: 8,
    before_low: "        ",
    last_heads: "    High     Sum\n",
};

/// The classic dealer (Debian's 20211121), byte for byte.
pub static V1: DialectStyle = DialectStyle {
    pages: &pages::V1,
    pbn_inverts_statistics: true,
    produced: "Produced ",
    generated_off_by_one: false,
    average: AverageForm::Mean,
    frequency: FrequencyForm {
        heading: "Frequency ",
        heads_untitled: true,
        percentages: false,
        cell: 6,
        before_low: "        ",
        last_heads: "   High    Sum\n",
    },
    squares_wrap: false,
    imps_slip: false,
    csv_fields: false,
    not_a_number: "-nan",
    intervals: false,
    bucket_ranges: false,
};

/// DealerV2 4.3.3, byte for byte.
pub static V2: DialectStyle = DialectStyle {
    pages: &pages::V2,
    pbn_inverts_statistics: false,
    produced: "Produced  ",
    generated_off_by_one: true,
    average: AverageForm::Moments,
    frequency: FREQUENCY_V2,
    squares_wrap: true,
    imps_slip: true,
    csv_fields: false,
    not_a_number: "-nan",
    intervals: false,
    bucket_ranges: false,
};

/// The default: the style of v2 with its errors corrected.
pub static NATIVE: DialectStyle = DialectStyle {
    pages: &pages::NATIVE,
    pbn_inverts_statistics: false,
    produced: "Produced  ",
    generated_off_by_one: false,
    average: AverageForm::Moments,
    frequency: FrequencyForm {
        heads_untitled: false,
        before_low: "          ",
        last_heads: "     High      Sum\n",
        ..FREQUENCY_V2
    },
    squares_wrap: false,
    imps_slip: false,
    csv_fields: true,
    not_a_number: "-",
    intervals: true,
    bucket_ranges: true,
};

impl DialectStyle {
    /// Returns the style of a dialect.
    #[must_use]
    pub fn of(mode: script::plan::Mode) -> &'static DialectStyle {
        use script::plan::Mode;
        match mode {
            Mode::V1 | Mode::Exe => &V1,
            Mode::V2 => &V2,
            Mode::Native => &NATIVE,
        }
    }

    /// Returns the number printed after `Generated`: the deals dealt, or v2's number.
    ///
    /// ```
    /// // `generate 10 produce 9` without a condition
    /// assert_eq!(croupier_render::style::V2.generated(9, 10), 10);
    /// assert_eq!(croupier_render::style::NATIVE.generated(9, 10), 9);
    /// ```
    #[must_use]
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
}
