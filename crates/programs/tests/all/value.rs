//! Tests of `croupier value` and `croupier metrics`.

use std::path::Path;
use std::process::Command;

use crate::common::{croupier, dealer_path, done as printed};

/// Returns the one-line message about an invalid command line.
fn usage_error(arguments: &[&str]) -> String {
    let output = croupier(arguments);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

const DEAL: &str = "N:AQ963.K.KJ752.84 2.QT984.AQT.AKJ5 KT74.AJ65.8.Q732 J85.732.9643.T96";

#[test]
fn a_hand_is_shown_with_the_parts_of_its_totals() {
    let text = printed(&["value", "KJT9842.Q.A63.A5", "--only", "ltc,cccc,cccc-v1"]);
    assert_eq!(
        text,
        "\
whose  valuation  part     spades  hearts  diamonds  clubs  total
hand   ltc                   1.50    1.00      2.00   1.00   5.50
hand   cccc       honours    2.50    0.00      3.00   3.00   8.50
hand   cccc       quality    3.85    0.20      1.20   0.80   6.05
hand   cccc       shape                                      2.00
hand   cccc                                                 16.55
hand   cccc-v1    honours    2.50    0.00      3.00   3.00   8.50
hand   cccc-v1    quality    3.50    0.20      1.20   0.80   5.70
hand   cccc-v1    shape                                      2.00
hand   cccc-v1                                              16.20
"
    );
}

#[test]
fn a_metric_of_a_pair_is_shown_slot_by_slot() {
    let text = printed(&[
        "value",
        "AQ963.K.KJ752.84",
        "KT74.AJ65.8.Q732",
        "--only",
        "Zar_Advanced",
    ]);
    assert_eq!(
        text,
        "\
side  metric        what             side total  N or E  S or W  slots
NS    zar_advanced  notrump                  54      30      24  0 1 2
NS    zar_advanced  fit                      60      32      28  3 4 5
NS    zar_advanced  fit, halved              30      16      14  6 7 8
NS    zar_advanced  notrump, halved          27      15      12  9 10 11
NS    zar_advanced  honours in fits                   2       2  13 16
NS    zar_advanced  trumps                            0       2  14 17
NS    zar_advanced  second fit                                0  15
NS    zar_advanced  controls                                  3  18
NS    zar_advanced  distribution                             11  19
NS    zar_advanced  concentration                             0  20
NS    zar_advanced  body                                      4  21
NS    zar_advanced  trump suit                3                  126
NS    zar_advanced  fit length                9                  127
"
    );
}

#[test]
fn a_deal_has_four_hands_and_two_sides_in_every_format() {
    let csv = printed(&["value", DEAL, "--format", "csv"]);
    assert_eq!(
        csv.lines().next(),
        Some("whose,valuation,part,suit,slot,value")
    );
    for row in [
        "W,hcp,total,,,1",
        "NS,bergen,fit,,3,31",
        "NS,opc,base,,,23.00",
    ] {
        assert!(csv.lines().any(|line| line == row), "{row}");
    }
    for whose in ["N", "E", "S", "W", "NS", "EW"] {
        assert!(
            csv.lines()
                .any(|line| line.starts_with(&format!("{whose},opc,"))),
            "{whose}"
        );
    }
    let json = printed(&["value", DEAL, "--format", "json", "--only", "hcp"]);
    assert!(
        json.starts_with("[\n  {\"whose\": \"N\", \"valuation\": \"hcp\""),
        "{json}"
    );
    let lines = |format| {
        printed(&["value", DEAL, "--all", "--format", format])
            .lines()
            .count()
    };
    assert_eq!(lines("json"), lines("csv") + 1);
    assert!(lines("text") > 200);
}

#[test]
fn both_notations_of_a_deal_give_the_same() {
    let one_line = "n AQ963.K.KJ752.84 e 2.QT984.AQT.AKJ5 s KT74.AJ65.8.Q732 w J85.732.9643.T96";
    assert_eq!(printed(&["value", DEAL]), printed(&["value", one_line]));
}

#[test]
fn the_opener_matters_to_opc() {
    let longest = |opener| {
        let csv = printed(&[
            "value", DEAL, "--only", "opc", "--format", "csv", "-O", opener,
        ]);
        let line = csv
            .lines()
            .find(|line| line.starts_with("NS,opc,\"in the longest fit"));
        line.unwrap().rsplit(',').next().unwrap().to_string()
    };
    assert_eq!(longest("S"), "28.00");
    assert_eq!(longest("W"), "28.00");
    assert_eq!(longest("N"), longest("E"));
}

#[test]
fn a_user_metric_is_evaluated_for_both_sides() {
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/metrics/bumwrap.wat");
    let module = module.to_str().unwrap();
    let csv = printed(&[
        "value", DEAL, "--only", "hcp", "-U", module, "--tag", "23", "--format", "csv",
    ]);
    assert!(csv.contains("NS,user,slot 3,,3,2175\n"), "{csv}");
    assert!(csv.contains("EW,user,slot 0,,0,"), "{csv}");
    let failed = croupier(&["value", DEAL, "-U", module, "--tag", "15"]);
    assert_eq!(failed.status.code(), Some(1));
    let message = String::from_utf8(failed.stderr).unwrap();
    assert!(message.contains("does not know the tag 15"), "{message}");
}

#[test]
fn mistakes_are_reported_in_one_line() {
    assert!(usage_error(&["value", "AQ963.K.KJ752"]).starts_with("croupier: AQ963.K.KJ752: "));
    assert!(usage_error(&["value", "N:AQ963.K.KJ752.84 2.QT984"]).contains("N:AQ963"));
    let twice = usage_error(&["value", "AQ963.K.KJ752.84", "A2.QT984.AQT.AKJ"]);
    assert!(twice.contains("both hands hold the card"), "{twice}");
    let unknown = usage_error(&["value", "AQ963.K.KJ752.84", "--only", "bergn"]);
    assert!(unknown.contains("unknown valuation \"bergn\""), "{unknown}");
    assert!(usage_error(&["metrics", "bergn"]).contains("no metric \"bergn\""));
    let alone = usage_error(&["value", "AQ963.K.KJ752.84", "-U", "x"]);
    assert!(alone.contains("needs a whole deal"), "{alone}");
    let nothing = usage_error(&["value", "no-such-folder/deals.pbn"]);
    assert!(nothing.contains("there is no file"), "{nothing}");
    let folder = croupier(&["value", env!("CARGO_MANIFEST_DIR")]);
    assert_eq!(folder.status.code(), Some(2));
    let folder = String::from_utf8(folder.stderr).unwrap();
    assert!(folder.contains("folder"), "{folder}");
}

#[test]
fn every_metric_is_listed_with_a_line_about_it() {
    let list = printed(&["metrics"]);
    assert_eq!(list.lines().count(), 31);
    assert!(list.lines().all(|line| line.len() <= 120));
    let csv = printed(&["metrics", "--format", "csv"]);
    assert!(csv.contains("\n13,Z,zar_advanced,"), "{csv}");
    let slots = printed(&["metrics", "sheinwold", "--format", "csv"]);
    assert!(
        slots.contains("\n12,N or E,quick tricks,1/100\n"),
        "{slots}"
    );
    assert_eq!(slots, printed(&["metrics", "11", "--format", "csv"]));
    assert_eq!(slots, printed(&["metrics", "83", "--format", "csv"]));
}

/// A file for DealerV2's DOP. The expected values are DOP's output for these hands (in hundredths: C 2650, D 2750, H
/// 2650, S 2950, NT 2550, quick losers 3 and 3). Cards that do not count are written as `x`.
#[test]
fn a_file_of_pairs_is_valued_as_a_batch() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.dat");
    let text = "# two pairs\n\
        d=7 W=AQJ8x,Kx,KT9x,8x E=K9x/A8xx/x/QJ9xx O=W R=SS T=a fit in spades\n\
        d=8 W=AKQ,AKQ,AKQ,AKQ E=JT9,JT9,JT9,JT9 T=one card short\n\
        EOF\n";
    std::fs::write(&file, text).unwrap();
    let output = croupier(&["value", file.to_str().unwrap(), "-f", "csv"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("line 3: AKQ,AKQ,AKQ,AKQ: a hand has 13 cards, not 12"),
        "{said}"
    );
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[1].starts_with("7,EW,W,26.50,27.50,26.50,29.50,25.50,spades,10,10,10,11,9,3,3,"),
        "{}",
        lines[1]
    );
    assert!(lines[1].ends_with(",a fit in spades"), "{}", lines[1]);
}

#[test]
fn a_file_of_solved_deals_reports_the_agreement_of_tricks() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, solved) = (folder.path().join("a.pbn"), folder.path().join("b.pbn"));
    let deals = Command::new(dealer_path())
        .args([
            "-s",
            "1",
            "-n",
            "12",
            "--solve",
            "-o",
            solved.to_str().unwrap(),
            "-",
        ])
        .output()
        .unwrap();
    assert!(deals.status.success());
    printed(&[
        "convert",
        solved.to_str().unwrap(),
        "--select",
        "1-3",
        "-o",
        plain.to_str().unwrap(),
    ]);
    let text = printed(&["value", solved.to_str().unwrap()]);
    assert!(
        text.contains("Tricks expected, against double dummy:"),
        "{text}"
    );
    // Two sides of twelve boards, and the heading.
    assert_eq!(text.split("\n\n").next().unwrap().lines().count(), 25);
    let only = printed(&[
        "value",
        plain.to_str().unwrap(),
        "--only",
        "hcp",
        "-f",
        "csv",
    ]);
    let totals: i32 = only
        .lines()
        .filter(|line| line.contains(",hcp,total,,"))
        .map(|line| line.rsplit(',').next().unwrap().parse::<i32>().unwrap())
        .sum();
    assert_eq!(totals, 3 * 40);
    let nothing = folder.path().join("nothing.pbn");
    std::fs::write(&nothing, "% nothing\n").unwrap();
    let refused = croupier(&["value", nothing.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(refused.stdout, b"");
}

/// Without switches players see names in groups; the codes of all methods are behind --all.
#[test]
fn the_short_form_has_names_and_groups() {
    let hand = printed(&["value", "AQ963.K.KJ752.84"]);
    assert_eq!(
        hand.lines().take(4).collect::<Vec<_>>().join("\n"),
        "\
Points                       spades  hearts  diamonds  clubs  total
High-card points                  6       3         4      0     13
Points with tens (bumwrap)     6.00    2.00      3.75   0.00  11.75
Kaplan-Rubens points (cccc)                                   14.30"
    );
    let pair = printed(&["value", "AQ963.K.KJ752.84", "KT74.AJ65.8.Q732"]);
    for line in [
        "High-card points                13     10",
        "In the longest fit, spades        28.00",
        "Tricks expected in spades            10",
    ] {
        assert!(
            pair.lines().any(|it| it.trim_end() == line),
            "{line}: {pair}"
        );
    }
    assert!(
        pair.contains("Bergen") && !pair.contains("c13") && pair.lines().count() < 45,
        "{pair}"
    );
    let deal = printed(&["value", DEAL]);
    assert!(
        deal.contains("EW in notrump") && deal.lines().count() < 50,
        "{deal}"
    );
    assert!(printed(&["value", DEAL, "--all"]).contains("cccc-v1"));
}
