//! Tables of tricks at the table, for `croupier compare --played`.

use cards::{Contract, Doubling, Strain};
use studies::PlayDifferences;

use crate::Surface;
use crate::observed::Observed;

/// Files of `croupier compare --played`.
pub static PLAYED: Surface = Surface {
    name: "played",
    about: "Figures of play at the table: an error of one line with its place, or differences that come back when they are written as rows.",
    feed,
    seeds,
    words,
    inputs: 20_000,
};

const HEAD: &str = "# A book\ncontract,difference\n";

fn seeds() -> Vec<Vec<u8>> {
    let files = [
        format!("{HEAD}1,0.3\n2,0.1\n3N,-0.25\n7C,+1\n"),
        format!("\u{feff}{HEAD}\n# two hundred deals\n 4S , 1e-1 \n").replace('\n', "\r\n"),
        rows(&PlayDifferences::okbridge()),
        HEAD.to_owned(),
    ];
    files.map(String::into_bytes).to_vec()
}

fn words() -> Vec<String> {
    let words = [
        "#",
        "contract,difference",
        ",",
        "\n",
        "\r\n",
        "\u{feff}",
        "3N",
        "3nt",
        "7C",
        "4Sx",
        "8",
        "0N",
        "-0.25",
        "13",
        "-13",
        "13.01",
        "1e-300",
        "1e999",
        "nan",
        "inf",
        "\u{2212}0.1",
    ];
    words.map(str::to_owned).to_vec()
}

fn contracts() -> impl Iterator<Item = Contract> {
    (1..=7).flat_map(|level| {
        Strain::ALL
            .into_iter()
            .filter_map(move |strain| Contract::new(level, strain, Doubling::Undoubled))
    })
}

/// Formats the differences as a file, with a row for each contract that has one.
fn rows(played: &PlayDifferences) -> String {
    let mut file = format!("# {}\ncontract,difference\n", played.source());
    for contract in contracts() {
        if let Some(difference) = played.difference(contract) {
            file.push_str(&format!("{contract},{difference}\n"));
        }
    }
    file
}

fn feed(input: &[u8]) -> u64 {
    let mut observed = Observed::default();
    let text = String::from_utf8_lossy(input);
    match PlayDifferences::read(&text) {
        Ok(played) => {
            let known: Vec<f64> = contracts()
                .filter_map(|contract| played.difference(contract))
                .collect();
            assert!(!known.is_empty(), "figures for something");
            assert!(
                known.iter().all(|known| known.abs() <= 13.0),
                "at most all tricks: {known:?}"
            );
            let again = PlayDifferences::read(&rows(&played));
            assert_eq!(again.as_ref(), Ok(&played), "written and read again");
            observed.note(known.len());
        }
        Err(error) => {
            let message = error.to_string();
            assert_eq!(message.lines().count(), 1, "one line: {message:?}");
            assert!(
                (1..=text.lines().count() + 1).contains(&error.line),
                "a line of the file, or the one that is missing: {message}"
            );
            // Only the part after text that is quoted from the file is observed.
            observed.message(message.rsplit('"').next().unwrap_or_default());
        }
    }
    observed.number()
}
