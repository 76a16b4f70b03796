//! The switches `-0` to `-9`.

use clap::ArgMatches;

/// Texts of `-0` to `-9` for `$0` to `$9`.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables(pub(super) [Option<String>; 10]);

const DIGITS: [(&str, char); 10] = [
    ("0", '0'),
    ("1", '1'),
    ("2", '2'),
    ("3", '3'),
    ("4", '4'),
    ("5", '5'),
    ("6", '6'),
    ("7", '7'),
    ("8", '8'),
    ("9", '9'),
];

impl clap::Args for Variables {
    fn augment_args(command: clap::Command) -> clap::Command {
        DIGITS.into_iter().fold(command, |command, (id, letter)| {
            command.arg(
                clap::Arg::new(id)
                    .short(letter)
                    .value_name("TEXT")
                    .allow_hyphen_values(true)
                    .help_heading("Script variables")
                    .help(format!("Text for ${letter} in the script")),
            )
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Variables {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Variables(
            DIGITS.map(|(id, _)| matches.get_one::<String>(id).cloned()),
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
