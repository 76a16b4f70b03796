//! Tests of `croupier suit`.

use crate::common::{croupier, dealer_path, done, failure, out};
use serde_json::Value;

fn json(arguments: &[&str]) -> Value {
    let words = [&["suit", "-f", "json"], arguments].concat();
    serde_json::from_str(&done(&words)).unwrap()
}

/// Returns the value of a goal in an answer.
fn value(answer: &Value, goal: &str) -> f64 {
    let goals = answer["goals"].as_array().unwrap();
    let found = goals.iter().find(|it| it["goal"] == goal);
    found.unwrap_or_else(|| panic!("{goal}: {answer}"))["value"]
        .as_f64()
        .unwrap()
}

#[test]
fn chances_lines_and_alternatives_are_printed() {
    let answer = done(&["suit", "AQT98", "5432"]);
    assert!(
        answer.starts_with("AQT98 opposite 5432, missing KJ76\n"),
        "{answer}"
    );
    assert!(
        answer.contains("5 tricks    26.57 %  low to the queen"),
        "{answer}"
    );
    assert!(answer.contains("4 tricks    82.78 %"), "{answer}");
    assert!(
        answer.contains("3 tricks   100.00 %  take the top tricks"),
        "{answer}"
    );
    assert!(
        answer.contains(" average     4.0313  low to the queen"),
        "{answer}"
    );
    assert!(
        answer.contains("First plays: low to the queen 26.57 %; low to the eight 24.00 %"),
        "{answer}"
    );
    assert!(
        answer.contains("If West plays the king, play the ace"),
        "{answer}"
    );
}

#[test]
fn holdings_are_read_in_every_notation() {
    let expected = done(&["suit", "AQT98", "5432", "--need", "5"]);
    for holdings in [&["AQT98/5432"][..], &["aq1098", "xxxx"], &["89TQA", "2345"]] {
        let words = [&["suit", "--need", "5"], holdings].concat();
        assert_eq!(done(&words), expected, "{holdings:?}");
    }
    let exchanged = json(&["5432", "AQT98"]);
    assert_eq!(
        value(&exchanged, "5 tricks"),
        value(&json(&["AQT98", "5432"]), "5 tricks")
    );
    let void = json(&["AQT98", "-"]);
    assert_eq!(void["south"], "-");
}

#[test]
fn wrong_questions_are_errors_with_a_correction() {
    for (words, said) in [
        (&["AQZ", "32"][..], "'Z' is no card"),
        (&["AQ2", "32"], "the two is there twice"),
        (&["AQT98"], "write them as AQT98 5432"),
        (&["-", "-"], "both hands are void"),
        (&["AQ", "32", "--need", "3"], "1 to 2 tricks"),
        (&["AQ", "32", "--vacant", "9"], "for example 9,12"),
        (&["AQ", "32", "--vacant", "4,4"], "only 8 vacant places"),
        (&["AQ", "32", "--payoff", "0,2,1"], "must not decrease"),
        (&["AQ", "32", "--west", "hcp(west) > 9"], "--suit"),
        (&["--book", "--missing", "T"], "none of A, K, Q and J"),
    ] {
        let words = [&["suit"], words].concat();
        let message = failure(&words, 2);
        assert!(message.contains(said), "{words:?}: {message}");
    }
}

#[test]
fn payoffs_scores_imps_and_matchpoints_have_lines_of_their_own() {
    let payoff = json(&["AQT98", "5432", "--payoff", "0,0,0,0,1"]);
    let chance = json(&["AQT98", "5432", "--need", "4"]);
    assert_eq!(value(&payoff, "payoff"), value(&chance, "4 tricks"));
    // With five tricks outside, three notrump needs four tricks here; the fifth is an overtrick.
    let contract = ["AQT98", "5432", "--contract", "3N", "--outside", "5"];
    let score = value(&json(&contract), "score");
    assert!(
        score > 0.82 * 400.0 - 0.18 * 100.0 && score < 430.0,
        "{score}"
    );
    let imps = value(&json(&[&contract[..], &["--imps"]].concat()), "IMPs");
    assert!(imps < 0.0 && imps > -3.0, "{imps}");
    let matchpoints = json(&["AQT98", "5432", "--matchpoints"]);
    let note = matchpoints["goals"].as_array().unwrap().last().unwrap()["note"].to_string();
    assert!(note.contains("3.65 %"), "{note}");
}

#[test]
fn the_score_at_the_other_table_can_be_left_out_before_another_switch() {
    let question = ["AQT98", "5432", "--contract", "4S", "--outside", "6"];
    let answer = |switches: &[&str]| value(&json(&[&question[..], switches].concat()), "IMPs");
    let usual = answer(&["--imps", "--vulnerable"]);
    assert_eq!(usual, answer(&["--vulnerable", "--imps"]));
    assert_eq!(usual, answer(&["--vulnerable", "--imps", "620"]));
    assert!(answer(&["--imps", "-100"]) > usual);
}

#[test]
fn vacant_places_and_exact_conditions_agree() {
    // Six known hearts with West and two with East leave 7 and 11 places.
    let places = json(&["K432", "AT765", "--vacant", "7,11"]);
    let counted = json(&[
        "K432",
        "AT765",
        "--suit",
        "spades",
        "--west",
        "hearts(west) == 6 and hearts(east) == 2",
    ]);
    for goal in ["5 tricks", "4 tricks", "average"] {
        let (one, other) = (value(&places, goal), value(&counted, goal));
        assert!((one - other).abs() < 1e-12, "{goal}: {one} {other}");
    }
    assert!(counted["conditions"].to_string().contains("exact counts"));
}

/// A condition that cannot be counted is tried on deals, and the precision is printed.
#[test]
fn conditions_that_cannot_be_counted_are_sampled_with_a_stated_precision() {
    let answer = json(&[
        "AQ2",
        "KJT3",
        "--suit",
        "clubs",
        "--west",
        "cccc(west) > 1500",
        "--samples",
        "200",
    ]);
    let conditions = answer["conditions"].to_string();
    assert!(conditions.contains("200 deals each"), "{conditions}");
    assert!(conditions.contains("95 % confidence"), "{conditions}");
}

/// Honour points change the odds of a finesse: compared with rejection sampling of the condition.
#[test]
fn conditioned_odds_agree_with_rejection_sampling() {
    let answer = json(&[
        "AQ",
        "32",
        "--need",
        "2",
        "--suit",
        "hearts",
        "--west",
        "hcp(west) >= 12",
    ]);
    // Two tricks need the king in West.
    let script = "predeal north HAQ\npredeal south H32\n\
                  condition hearts(north) == 2 and hearts(south) == 2 and hcp(west) >= 12\n\
                  action average \"king\" 100 * hascard(west, KH)\nproduce 20000\n";
    let path = std::env::temp_dir().join(format!("croupier-suit-{}.dl", std::process::id()));
    std::fs::write(&path, script).unwrap();
    let run = std::process::Command::new(dealer_path())
        .args(["-s", "7", path.to_str().unwrap()])
        .output()
        .unwrap();
    std::fs::remove_file(&path).unwrap();
    let text = out(&run);
    let line = text.lines().find(|line| line.starts_with("king")).unwrap();
    let (_, mean) = line.split_once("Mean=").unwrap();
    let tried: f64 = mean.split(',').next().unwrap().trim().parse().unwrap();
    let exact = 100.0 * value(&answer, "2 tricks");
    // Four standard errors of 20,000 deals.
    assert!(
        (exact - tried).abs() < 1.4 && exact > 55.0,
        "{exact} {tried}"
    );
}

#[test]
fn entries_layouts_and_two_suits_are_options() {
    let free = value(&json(&["AQJ", "432", "--need", "3"]), "3 tricks");
    let few = value(
        &json(&["AQJ", "432", "--need", "3", "--entries-south", "1"]),
        "3 tricks",
    );
    assert!(few < free, "{few} {free}");
    let layouts = done(&["suit", "AQ", "32", "--need", "2", "--layouts"]);
    assert!(
        layouts.contains("West") && layouts.contains("chance"),
        "{layouts}"
    );
    let both = json(&["AQ", "32", "--with", "AQ/32", "--need", "3"]);
    assert_eq!(value(&both, "3 tricks"), 0.76);
}

#[test]
fn pages_and_tables_are_written() {
    let csv = done(&["suit", "AQT98", "5432", "-f", "csv"]);
    assert!(csv.starts_with("goal,play,value,fraction,best\n"), "{csv}");
    assert!(
        csv.contains("5 tricks,low to the queen,0.265652173913,611/2300,yes"),
        "{csv}"
    );
    let page = std::env::temp_dir().join(format!("croupier-suit-{}.html", std::process::id()));
    let path = page.to_str().unwrap();
    assert!(
        croupier(&["suit", "AQT98", "5432", "--html", path])
            .status
            .success()
    );
    let html = std::fs::read_to_string(&page).unwrap();
    std::fs::remove_file(&page).unwrap();
    assert!(html.contains("Low to the queen."), "{html}");
}

#[test]
fn the_book_lists_combinations_of_a_kind() {
    let book = done(&[
        "suit",
        "--book",
        "--fit",
        "8",
        "--missing",
        "Q",
        "--split",
        "5-3",
        "-f",
        "csv",
    ]);
    let rows: Vec<&str> = book.lines().collect();
    assert_eq!(rows[0], "north,south,missing,average,chances_pct");
    assert!(rows.len() > 100, "{}", rows.len());
    let solved = json(&["AKJT9", "876"]);
    let row = rows.iter().find(|row| row.starts_with("AKJT9,876,"));
    let row = row.unwrap_or_else(|| panic!("{}", rows[1]));
    assert!(
        row.contains(&format!("{:.4}", value(&solved, "average"))),
        "{row}"
    );
}

#[test]
#[cfg(feature = "records")]
fn the_book_is_printed_as_pdf() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.pdf");
    let words = [
        "suit",
        "--book",
        "--fit",
        "8",
        "--missing",
        "Q",
        "--split",
        "5-3",
        "-o",
    ];
    done(&[&words[..], &[path.to_str().unwrap()]].concat());
    let file = std::fs::read(&path).unwrap();
    assert!(file.starts_with(b"%PDF-"));
    let pages = file.windows(11).filter(|it| it == b"/Type /Page").count();
    assert!(pages > 2, "{pages}");
}

/// Holdings, condition on the deal, and the number of tricks: the suit is spades.
const CONDITIONED: [(&str, &str, &str, usize); 10] = [
    ("AQT98", "5432", "hcp(west) >= 11", 5),
    ("AQT98", "5432", "hcp(east) >= 11", 5),
    ("KJ876", "A432", "hearts(west) >= 5", 5),
    (
        "KJ876",
        "A432",
        "hearts(west) >= 5 and diamonds(west) >= 4",
        5,
    ),
    ("AKJ9", "5432", "hcp(west) <= 4", 4),
    ("AJT98", "432", "hcp(west) + hcp(east) <= 14", 4),
    ("K5432", "QJ76", "clubs(east) >= 6", 4),
    (
        "AQ432",
        "765",
        "hcp(west) between 6 and 9 and hearts(west) >= 5",
        4,
    ),
    (
        "KT32",
        "AJ54",
        "shape(west, any 4333 + any 4432 + any 5332)",
        4,
    ),
    ("Q9876", "A543", "hcp(west) > hcp(east)", 4),
];

#[test]
fn conditioned_chances_equal_rejection_sampling() {
    use croupier::session::{Job, ProducedDeal, SamplerUse};
    use croupier::suits::{Combination, SuitSolver, WeightedCombination};
    use std::collections::BTreeMap;

    for (north, south, condition, need) in CONDITIONED {
        let condition = condition.replace("hcp(west) between 6 and 9", "6 <= hcp(west) <= 9");
        let need_text = need.to_string();
        let answer = json(&[
            north, south, "--suit", "spades", "--west", &condition, "--need", &need_text,
        ]);
        let exact = answer["goals"][0]["value"].as_f64().unwrap();
        let lengths = format!(
            "spades(north) == {} and spades(south) == {}",
            north.len(),
            south.len()
        );
        let script =
            format!("predeal north S{north} south S{south}\ncondition {lengths} and ({condition})");
        let mut west: BTreeMap<croupier::cards::Holding, u128> = BTreeMap::new();
        let mut deals = 0u32;
        let mut keep = |produced: &ProducedDeal<'_>| {
            let hand = produced.deal[croupier::cards::Seat::West];
            *west
                .entry(hand.holding(croupier::cards::Suit::Spades))
                .or_default() += 1;
            deals += 1;
            std::ops::ControlFlow::Continue(())
        };
        let job = Job::new(script.as_str())
            .seed(33)
            .produce(6000)
            .generate(50_000_000);
        job.sampler(SamplerUse::Off).run(&mut keep).unwrap();
        assert_eq!(deals, 6000, "{condition}");
        let combination = Combination::parse(north, south).unwrap();
        let layouts: Vec<_> = west.into_iter().collect();
        let problem = WeightedCombination::with_layouts(combination, &layouts).unwrap();
        let sampled = SuitSolver::new(problem).chance(need).value();
        let deviation = (exact * (1.0 - exact) / f64::from(deals)).sqrt();
        assert!(
            (exact - sampled).abs() < 4.0 * deviation + 0.002,
            "{north} {south} {condition}: {exact} counted, {sampled} sampled"
        );
    }
}
