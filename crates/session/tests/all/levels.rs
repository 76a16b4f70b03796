//! Levelled runs: classes of deals are as frequent as the shares of the script or the caller require.

use croupier_session::{Error, Job, NoDeals};

const LADDER: &str = "\
HandType_Weak = hcp(south) <= 9
HandType_Strong = hcp(south) >= 10
HandType_Strong_Share = 4
produce 50
action average hcp(south)
";

fn shares(job: Job) -> Vec<(String, u64, u64)> {
    let session = job.seed(1).prepare().expect("the job is valid");
    let run = session.start().expect("the run starts");
    let kinds = run.mixed().expect("levelled").kinds.iter();
    kinds
        .map(|kind| (kind.name.clone(), kind.share, kind.deals))
        .collect()
}

#[test]
fn a_share_is_no_class() {
    let found = shares(Job::new(LADDER).level(""));
    assert_eq!(
        found,
        [("Weak".to_owned(), 1, 10), ("Strong".to_owned(), 4, 40)]
    );
}

#[test]
fn classes_for_levelling_count_instead_in_dealer3_and_are_crossed_here() {
    let script = format!("{LADDER}LevelType_Any = 1\nLevelType_Nine = hcp(south) == 9\n");
    let names = |job: Job| -> Vec<String> {
        let found = shares(job.level(""));
        found.into_iter().map(|(name, ..)| name).collect()
    };
    assert_eq!(
        names(Job::new(script.clone()).dealer3(true)),
        ["Any", "Nine"]
    );
    // No hand of nine points is strong, so no shares meet the targets of both sets of classes.
    let wrong = Job::new(script.clone()).level("").run(&mut NoDeals);
    assert!(matches!(wrong, Err(Error::Level(_))), "{wrong:?}");
    let wider = script.replace("== 9", ">= 9");
    assert_eq!(
        names(Job::new(wider)),
        ["Weak*Any", "Weak*Nine", "Strong*Any", "Strong*Nine"]
    );
}

#[test]
fn weights_in_the_order_of_the_script() {
    let found = shares(Job::new(LADDER).level("3,2"));
    assert_eq!(found[0], ("Weak".to_owned(), 3, 30));
    let wrong = Job::new(LADDER).level("1,2,3").run(&mut NoDeals);
    assert!(matches!(wrong, Err(Error::Level(_))));
}

#[test]
fn a_budget_moves_the_shares_towards_the_natural_ones() {
    let script = "\
HandType_Common = hcp(south) < 20
HandType_Rare = hcp(south) >= 20
produce 100
action average 1
";
    let full = shares(Job::new(script).level(""));
    assert_eq!((full[0].1, full[1].1), (1, 1));
    let cheap = shares(Job::new(script).level("").level_budget(5));
    // Rare hands are about 1.5 %; five generated deals per kept deal allow about 7 %.
    let part = cheap[1].1 as f64 / (cheap[0].1 + cheap[1].1) as f64;
    assert!((0.05..0.1).contains(&part), "{cheap:?}");
}

#[test]
fn deals_that_exist_are_not_predealt() {
    let deal: cards::Deal = "N:KJ9842.Q.QT65.A9 T63.J932.K9.QJT7 5.AK8754.J2.K864 AQ7.T6.A8743.532"
        .parse()
        .expect("a deal");
    for script in ["predeal north SA", "predeal spades(north) == 5"] {
        let job = Job::new(script).supply(croupier_session::Supply::deals([deal]));
        assert!(matches!(job.prepare(), Err(Error::Conflict(_))), "{script}");
    }
}

fn library(title: &[u8], solved: bool) -> croupier_session::Supply {
    let deal: cards::Deal = "N:KJ9842.Q.QT65.A9 T63.J932.K9.QJT7 5.AK8754.J2.K864 AQ7.T6.A8743.532"
        .parse()
        .expect("a deal");
    let mut tricks = cards::TrickTable::default();
    for seat in cards::Seat::ALL {
        for strain in cards::Strain::ALL {
            tricks.set(seat, strain, 5);
        }
    }
    let mut bytes = formats::zrd::headers(title).to_vec();
    for turn in 0..2 {
        let record = formats::zrd::encode(&deal.rotated(turn), solved.then_some(&tricks));
        bytes.extend_from_slice(&record);
    }
    croupier_session::Supply::Library(std::sync::Arc::new(bytes))
}

#[test]
fn a_title_record_in_a_library_is_not_a_deal() {
    let job = Job::new("action average 1").supply(library(b"Title", true));
    let outcome = job.run(&mut NoDeals).expect("the run succeeds");
    assert_eq!(outcome.generated, 2);
}

#[test]
fn results_that_were_never_computed_are_ignored() {
    let tricks = |solved| {
        let job = Job::new("condition tricks(south, notrump) > 0").supply(library(b"", solved));
        job.run(&mut NoDeals).expect("the run succeeds").produced
    };
    assert_eq!((tricks(true), tricks(false)), (2, 2));
}
