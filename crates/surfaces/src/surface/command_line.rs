//! Arguments of command lines.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use clap::{CommandFactory, Parser};
use command_line::failure::Failure;
use dealer::ParsedCommandLine;

use crate::Surface;
use crate::observed::Observed;

/// Command lines of both programs.
pub static COMMAND_LINES: Surface = Surface {
    name: "command-lines",
    about: "Lines as the words of a command line of dealer (in every dialect) or croupier: a request or a refusal in words; nothing is run.",
    feed,
    seeds: lines,
    words,
    inputs: 1_500,
};

fn lines() -> Vec<Vec<u8>> {
    let lines = [
        "dealer\n-p\n10\n-s\n1\nscript.dl",
        "dealer\n-p10\n-g1000\n-v\n-m\n-q\nscript.dl",
        "dealer\n--compat\nv1\n-p\n10\n-2\n-V",
        "dealer\n--compat=v2\n-N\nSAKQ,H2\n-M\n1\n-T\ntitle\n-C\nfile.csv\n-L\nlib\n-O\nS\n-P\n3",
        "dealer\n--legacy\n-e\n-u",
        "dealer\n--compat\ndealer3\n-x\n2\nscript.dl",
        "dealer\n--level\nGame=2,Slam=1\n--mix\n1:2\n--tournament\n--rotate\na.dl",
        "dealer\n-f\npbn\n--report\na.html\n--seed\nkey:0000",
        "dealer\n--shard\n3/64\n--partial\np.json\n--time\n10s\n--memory\n1G\na.dl",
        "croupier\nconvert\na.pbn\nb.lin",
        "croupier\nsolve\n--par\n-R\n2\na.pbn",
        "croupier\npoker\nequity\nAA\nKK\n--board\nKh7h2c",
        "croupier\nprobability\na.dl",
        "croupier\nrecord\na.pbn\n-o\na.pdf",
        "croupier\nlead\n--hand\nK53.QJT9.A42.J82\n3NS",
        "croupier\nplay\nN:A... K... Q... J...",
        "croupier\nprofile\ncheck\na.json",
        "croupier\nserve\n--port\n0",
        "croupier\nshapes\n5M(332)",
        "croupier\nmerge\na\nb",
        "croupier\nvalidate\na\n--help",
    ];
    lines.map(|line| line.as_bytes().to_vec()).to_vec()
}

/// Returns every switch and subcommand.
fn words() -> Vec<String> {
    let mut words = Vec::new();
    collect(&dealer::native::Cli::command(), &mut words);
    collect(&programs::command::Cli::command(), &mut words);
    for value in [
        "--compat\nv1",
        "--compat\nv2",
        "--compat=exe",
        "--",
        "-",
        "=",
        "\n",
        "1e9",
        "3/0",
        "0/3",
        "-1",
        "10s",
        "1G",
        "N:...",
        "",
        "\n\n",
    ] {
        words.push(value.to_owned());
    }
    words.sort();
    words.dedup();
    words
}

fn collect(command: &clap::Command, words: &mut Vec<String>) {
    words.push(command.get_name().to_owned());
    for argument in command.get_arguments() {
        words.extend(argument.get_long().map(|name| format!("--{name}\n")));
        words.extend(argument.get_short().map(|letter| format!("-{letter}")));
        words.extend(
            argument
                .get_possible_values()
                .iter()
                .map(|value| value.get_name().to_owned()),
        );
    }
    command
        .get_subcommands()
        .for_each(|below| collect(below, words));
}

fn feed(input: &[u8]) -> u64 {
    let mut observed = Observed::default();
    let words: Vec<OsString> = input
        .split(|&byte| byte == b'\n')
        .take(200)
        .map(|word| OsString::from_vec(word.to_vec()))
        .collect();
    let Some((program, rest)) = words.split_first() else {
        return 0;
    };
    if program == "croupier" {
        match programs::command::Cli::try_parse_from(&words) {
            Ok(cli) => observed.note(std::mem::discriminant(&cli.command)),
            Err(error) => {
                assert!(
                    !error.render().to_string().is_empty(),
                    "a refusal has a reason"
                );
                observed.note(error.kind())
            }
        };
        return observed.number();
    }
    match dealer::read(program, rest.to_vec(), None) {
        Ok(ParsedCommandLine::Run { line, warnings }) => {
            observed.note(line.dialect() as u8).message(&warnings)
        }
        Ok(ParsedCommandLine::Answer(exit)) => {
            assert!(
                !(exit.out.is_empty() && exit.err.is_empty()),
                "an answer has words"
            );
            observed.note(exit.status).message(&exit.err)
        }
        Ok(ParsedCommandLine::Clap(error)) => observed.note(error.kind()),
        Err(Failure::Message { text, status }) => {
            assert!(status != 0 && !text.is_empty(), "a refusal has a reason");
            observed.message(&text)
        }
        Err(other) => panic!("{other:?} before anything was done"),
    };
    observed.number()
}
