//! Ten problems of declarer play with known answers, and the depth that finds each.

use croupier_declarer::{LayoutSource, PlanOptions, PlayPlan, UniformLayouts, rank_plays};
use studies::StudyExecution;

use crate::{cards_of, question};

struct Problem {
    theme: &'static str,
    contract: &'static str,
    declarer: &'static str,
    dummy: &'static str,
    played: &'static str,
    /// Cards that are among the best.
    right: &'static str,
    /// Cards that are worse.
    wrong: &'static str,
    found_by: FoundBy,
}

/// The search that sees that the right cards are better than the wrong ones; a shallower one does not.
#[derive(Clone, Copy, PartialEq)]
enum FoundBy {
    Depth(usize),
    /// In an ending the search goes to the last card.
    End,
}

const PROBLEMS: [Problem; 10] = [
    Problem {
        theme: "hold-up: cut the defenders' communications before the finesse",
        contract: "3N-S",
        declarer: "A53.AK4.T83.AK62",
        dummy: "42.Q32.AQJ92.543",
        played: "SK S2 S6",
        right: "S3",
        wrong: "SA",
        found_by: FoundBy::Depth(1),
    },
    Problem {
        theme: "safety play: keep a high card in each hand against four to the jack",
        contract: "7N-S",
        declarer: "AK2.AK3.AQ942.K2",
        dummy: "Q43.Q42.KT53.A43",
        played: "SJ SQ S5 S2",
        right: "D3",
        wrong: "DK",
        found_by: FoundBy::Depth(1),
    },
    Problem {
        theme: "restricted choice: an honour appeared, so finesse for the other one",
        contract: "7N-S",
        declarer: "AT765.AK2.AK2.A2",
        dummy: "K432.Q43.Q43.K43",
        played: "HJ H3 H5 HA S5 SQ SK S8 S2 S9",
        right: "ST",
        wrong: "SA",
        found_by: FoundBy::Depth(1),
    },
    Problem {
        theme: "unblock before the only entry is used",
        contract: "3N-S",
        declarer: "K32.A9852.A.A976",
        dummy: "A4.43.KQJT2.5432",
        played: "HK H3 H6 HA",
        right: "DA",
        wrong: "S2 S3",
        found_by: FoundBy::Depth(1),
    },
    Problem {
        theme: "ruff high: an overruff would cost the contract",
        contract: "4S-S",
        declarer: "AKT98.32.K32.AK2",
        dummy: "QJ3.7654.A765.54",
        played: "HK H4 H8 H2 HQ H5 H9 H3 CJ C4 C6 CA CK C7 C5 C8 C2 CT",
        right: "SQ",
        wrong: "S3",
        found_by: FoundBy::Depth(1),
    },
    Problem {
        theme: "avoidance: play so that only the safe hand can win a trick",
        contract: "3N-S",
        declarer: "KQ2.K2.AT832.K62",
        dummy: "A43.43.KJ94.A543",
        played: "SJ S3 S6 SK DA D5 D4 D6 D2 D7",
        right: "DK",
        wrong: "DJ",
        found_by: FoundBy::Depth(1),
    },
    Problem {
        theme: "two-way finesse: take the guess last",
        contract: "7N-S",
        declarer: "AK2.AKQ.AK32.AT3",
        dummy: "Q43.432.QJ54.KJ4",
        played: "SJ S3 S5 SA",
        right: "SK",
        wrong: "C3",
        found_by: FoundBy::Depth(2),
    },
    Problem {
        theme: "two-way finesse with a count: East has most of the clubs",
        contract: "7N-S",
        declarer: "AK2.AKQ.AK32.AT3",
        dummy: "Q43.432.QJ54.KJ4",
        played: "SJ S3 S5 SA SK S8 S4 S6 S2 S9 SQ S7 H2 H7 HA H5 HK H6 H3 HJ HQ H8 H4 C6 \
                 DA D6 D4 D8 DK D7 D5 D9 D2 H9 DJ DT DQ C7 D3 HT C4 C8",
        right: "CT",
        wrong: "CA",
        found_by: FoundBy::End,
    },
    Problem {
        theme: "automatic squeeze: cash the last winner first",
        contract: "6N-S",
        declarer: "AKQJ.AK3.AKQJ.Q3",
        dummy: "432.J654.432.A82",
        played: "ST S2 S5 SA H3 H8 H4 H7 S9 S3 S6 SK SQ S8 S4 S7 SJ C7 C8 D7 HA H9 H5 H2 \
                 HK HT H6 C4 DA D5 D2 D8 DK D6 D3 D9 DQ C9 D4 DT",
        right: "DJ",
        wrong: "C3 CQ",
        found_by: FoundBy::Depth(1),
    },
    Problem {
        theme: "trick one: the queen from queen doubleton, now or never",
        contract: "3N-S",
        declarer: "A52.A53.T54.AKQ2",
        dummy: "K43.Q2.KQJ32.543",
        played: "H4",
        right: "HQ",
        wrong: "H2",
        found_by: FoundBy::Depth(1),
    },
];

fn plan(problem: &Problem, depth: usize, threads: usize) -> PlayPlan {
    let question = question(
        problem.contract,
        problem.declarer,
        problem.dummy,
        problem.played,
    );
    let options = PlanOptions {
        depth,
        worlds: 120,
        ..PlanOptions::default()
    };
    let layouts = UniformLayouts::new(1)
        .layouts(&question, options.layouts_needed(&question))
        .unwrap();
    let execution = StudyExecution {
        threads,
        ..StudyExecution::default()
    };
    rank_plays(&question, &layouts, &options, execution).unwrap()
}

/// Returns the chance of the play that contains a card, at the deepest search or after the first one.
fn chance(plan: &PlayPlan, card: &str, first: bool) -> f64 {
    let card = cards_of(card)[0];
    let play = plan.plays.iter().find(|play| play.cards.contains(card));
    let play = play.unwrap_or_else(|| panic!("{card} in {:?}", plan.plays));
    match first {
        true => play.by_depth[0],
        false => play.made.value,
    }
}

#[test]
fn known_answers_of_ten_textbook_problems_are_found() {
    for problem in &PROBLEMS {
        let theme = problem.theme;
        let depth = match problem.found_by {
            FoundBy::Depth(depth) => depth,
            FoundBy::End => PlanOptions::default().depth,
        };
        let plan = plan(problem, depth, 1);
        let best = plan.plays[0].made.value;
        let right = chance(&plan, problem.right, false);
        assert_eq!(right, best, "{theme}: {:?}", plan.plays);
        for wrong in problem.wrong.split_whitespace() {
            let worse = chance(&plan, wrong, false);
            assert!(worse < best, "{theme}: {wrong} {:?}", plan.plays);
            // Plain Monte Carlo is the first search of every plan.
            let is_seen = chance(&plan, wrong, true) < chance(&plan, problem.right, true);
            assert_eq!(
                is_seen,
                problem.found_by == FoundBy::Depth(1),
                "{theme}: {wrong} {:?}",
                plan.plays
            );
        }
        let shown: Vec<String> = plan
            .plays
            .iter()
            .map(|play| {
                format!(
                    "{} {:.3} {:.3}",
                    play.cards, play.made.value, play.by_depth[0]
                )
            })
            .collect();
        println!(
            "{theme}: depth {}, {} worlds: {}",
            plan.depth,
            plan.worlds,
            shown.join("; ")
        );
    }
}

#[test]
fn plain_monte_carlo_does_not_see_that_it_must_guess() {
    let guess = &PROBLEMS[6];
    let plan = plan(guess, 2, 1);
    assert_eq!(chance(&plan, guess.wrong, true), 1.0);
    assert!(chance(&plan, guess.wrong, false) < 0.7);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for problem in [&PROBLEMS[0], &PROBLEMS[6], &PROBLEMS[8]] {
        let one = plan(problem, 2, 1);
        for threads in [2, 5] {
            assert_eq!(plan(problem, 2, threads), one, "{}", problem.theme);
        }
    }
}
