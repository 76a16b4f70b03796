//! The examples run.

#[path = "../../examples/equity.rs"]
mod equity;
#[path = "../../examples/evaluate.rs"]
mod evaluate;
#[path = "../../examples/games.rs"]
mod games;
#[path = "../../examples/report.rs"]
mod report;

#[test]
fn example_describes_a_hand() {
    let text = evaluate::describe("TsThTd4s4hAc2d").unwrap();
    assert!(
        text.contains("full house, tens full of fours with TsThTd4s4h (rank 223)"),
        "{text}"
    );
    assert!(evaluate::describe("TsTs").is_err());
}

#[test]
fn example_computes_equity() {
    let equity = equity::solve(&["AKs", "QQ+,AJs+", "Kh7d2c"]).unwrap();
    assert_eq!(equity.deals(), 53_460);
    assert!(equity::solve(&["AKs"]).is_err());
}

#[test]
fn example_covers_every_game() {
    games::main().unwrap();
}

#[test]
fn example_reports_a_range() {
    report::main().unwrap();
}
