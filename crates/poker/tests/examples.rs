//! The examples run.

#[path = "../examples/equity.rs"]
mod equity;
#[path = "../examples/evaluate.rs"]
mod evaluate;
#[path = "../examples/games.rs"]
mod games;
#[path = "../examples/report.rs"]
mod report;

#[test]
fn a_hand_is_told() {
    let told = evaluate::tell("TsThTd4s4hAc2d").unwrap();
    assert!(
        told.contains("full house, tens full of fours with TsThTd4s4h (rank 223)"),
        "{told}"
    );
    assert!(evaluate::tell("TsTs").is_err());
}

#[test]
fn equity_is_asked() {
    let equity = equity::ask(&["AKs", "QQ+,AJs+", "Kh7d2c"]).unwrap();
    assert_eq!(equity.deals(), 53_460);
    assert!(equity::ask(&["AKs"]).is_err());
}

#[test]
fn every_game_is_played() {
    games::main().unwrap();
}

#[test]
fn a_range_is_reported() {
    report::main().unwrap();
}
