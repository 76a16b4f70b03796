//! An interactive dialogue that creates a profile as a TOML file with comments.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

use cards::{Seat, Suit};

/// Asks the user for a profile and returns it as a commented TOML file.
///
/// Every question has a default in brackets. After an invalid answer the question is repeated.
///
/// # Errors
/// If the input ends before the last question, or the terminal cannot be written.
pub fn ask(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<String> {
    let mut talk = Dialogue { input, output };
    let name = talk.until("Name of the profile", "", |text| {
        if text.is_empty() {
            Err("a profile needs a name".to_owned())
        } else {
            Ok(text.to_owned())
        }
    })?;
    let description = talk.until("What is it for", "", |text| Ok(text.to_owned()))?;
    let dealer = talk.until("Dealer (N, E, S, W)", "N", |text| {
        text.parse::<Seat>().map_err(|error| error.to_string())
    })?;
    let mut toml =
        String::from("# A croupier profile. Every range may be left out: it is then open.\n");
    let _ = writeln!(toml, "profile_name = {}", quoted(&name));
    if !description.is_empty() {
        let _ = writeln!(toml, "description = {}", quoted(&description));
    }
    let _ = writeln!(
        toml,
        "# Dealer of the board before it is turned.\ndealer = \"{}\"",
        dealer.letter()
    );
    let rotate = talk.yes("Turn the boards at random", true)?;
    let _ = writeln!(toml, "rotate_deals_by_default = {rotate}");
    let mut described = 0;
    for steps in 0..4 {
        let seat = dealer.clockwise(steps);
        let mut alternative = 1;
        while talk.yes(&question(seat, alternative), false)? {
            described += 1;
            talk.subprofile(&mut toml, seat, alternative)?;
            alternative += 1;
        }
    }
    if described == 0 {
        toml.push_str("\n# No seat is described: every deal will do.\n[seat_profiles]\n");
    }
    Ok(toml)
}

fn question(seat: Seat, alternative: usize) -> String {
    match alternative {
        1 => format!("Describe {seat}"),
        _ => format!("Another alternative for {seat}"),
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

struct Dialogue<'a, I, O> {
    input: &'a mut I,
    output: &'a mut O,
}

impl<I: BufRead, O: Write> Dialogue<'_, I, O> {
    /// Repeats a question until the answer is valid.
    fn until<T>(
        &mut self,
        question: &str,
        default: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> io::Result<T> {
        loop {
            match default {
                "" => write!(self.output, "{question}: ")?,
                _ => write!(self.output, "{question} [{default}]: ")?,
            }
            self.output.flush()?;
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    "the answers ended too early",
                ));
            }
            let answer = if line.trim().is_empty() {
                default
            } else {
                line.trim()
            };
            match read(answer) {
                Ok(value) => return Ok(value),
                Err(reason) => writeln!(self.output, "  {reason}")?,
            }
        }
    }

    fn yes(&mut self, question: &str, default: bool) -> io::Result<bool> {
        let default = if default { "yes" } else { "no" };
        self.until(
            &format!("{question} (yes or no)"),
            default,
            |text| match text.to_ascii_lowercase().as_str() {
                "y" | "yes" => Ok(true),
                "n" | "no" => Ok(false),
                _ => Err("answer yes or no".to_owned()),
            },
        )
    }

    /// Asks for a range such as `10-12`, `6+` or `5`; none for an open one.
    fn range(&mut self, question: &str, most: u8) -> io::Result<Option<(u8, u8)>> {
        self.until(question, "any", |text| range(text, most))
    }

    fn subprofile(&mut self, toml: &mut String, seat: Seat, number: usize) -> io::Result<()> {
        let _ = writeln!(toml, "\n# Alternative {number} for {seat}.");
        let _ = writeln!(toml, "[[seat_profiles.{}.subprofiles]]", seat.letter());
        let weight = self.until(
            "  How often, in per cent of this seat's boards",
            "0",
            |text| match text.parse::<f64>() {
                Ok(weight) if weight >= 0.0 && weight.is_finite() => Ok(weight),
                _ => Err(
                    "a number that is not negative; 0 everywhere means equally often".to_owned(),
                ),
            },
        )?;
        let _ = writeln!(toml, "weight_percent = {weight:?}");
        if let Some((low, high)) = self.range("  Points (such as 10-12, 15+)", 37)? {
            let _ = writeln!(
                toml,
                "standard.total_min_hcp = {low}\nstandard.total_max_hcp = {high}"
            );
        } else {
            toml.push_str("standard.total_min_hcp = 0\n");
        }
        for suit in Suit::DESCENDING {
            let cards = self.range(&format!("  Cards in {suit} (such as 5, 2-4, 6+)"), 13)?;
            let points = self.range(&format!("  Points in {suit}"), 10)?;
            let mut fields = Vec::new();
            if let Some((low, high)) = cards {
                fields.push(format!("min_cards = {low}, max_cards = {high}"));
            }
            if let Some((low, high)) = points {
                fields.push(format!("min_hcp = {low}, max_hcp = {high}"));
            }
            if !fields.is_empty() {
                let _ = writeln!(toml, "standard.{suit} = {{ {} }}", fields.join(", "));
            }
        }
        Ok(())
    }
}

fn range(text: &str, most: u8) -> Result<Option<(u8, u8)>, String> {
    let wrong = || format!("write any, a number, a range such as 2-5 or 6+; at most {most}");
    let number = |text: &str| text.trim().parse::<u8>().map_err(|_| wrong());
    let (low, high) = if text.eq_ignore_ascii_case("any") {
        return Ok(None);
    } else if let Some(low) = text.strip_suffix('+') {
        (number(low)?, most)
    } else if let Some((low, high)) = text.split_once('-') {
        (number(low)?, number(high)?)
    } else {
        (number(text)?, number(text)?)
    };
    if low <= high && high <= most {
        Ok(Some((low, high)))
    } else {
        Err(wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    #[test]
    fn answers_become_a_profile() {
        let answers = "\nWeak two\nfor beginners \"A\"\nq\nE\n\nyes\n100\n6-10\n6\n3+\n\n\n0-4\n5-\nany\n\n\n\n\nno\nno\nno\nno\n";
        let mut talk = Vec::new();
        let toml = ask(&mut answers.as_bytes(), &mut talk).unwrap();
        let (profile, warnings) = read(&toml).unwrap_or_else(|e| panic!("{e:?}\n{toml}"));
        assert!(warnings.is_empty());
        assert_eq!(profile.profile_name, "Weak two");
        assert_eq!(profile.description, "for beginners \"A\"");
        assert_eq!(profile.dealer, Seat::East);
        let east = &profile.subprofiles(Seat::East)[0].standard;
        assert_eq!((east.total_min_hcp, east.total_max_hcp), (6, 10));
        let spades = east.suits[Suit::Spades];
        assert_eq!(
            (spades.min_cards, spades.max_cards, spades.min_hcp),
            (6, 6, 3)
        );
        assert_eq!(east.suits[Suit::Diamonds].max_cards, 4);
        let talk = String::from_utf8(talk).unwrap();
        assert!(
            talk.contains("a profile needs a name") && talk.contains("not a seat"),
            "{talk}"
        );
    }

    #[test]
    fn an_early_end_is_an_error() {
        assert!(ask(&mut "Name\n".as_bytes(), &mut Vec::new()).is_err());
    }
}
