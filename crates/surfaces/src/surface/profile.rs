//! Seat profiles.

use cards::Seat;
use profiles::{DealOptions, DealingStrategy, ProfileDealer};
use shuffle::Key;

use crate::observed::Observed;
use crate::{Surface, seeds};

/// Profiles in JSON and TOML.
pub static PROFILES: Surface = Surface {
    name: "profiles",
    about: "Any text as a profile: mistakes with their places, or boards whose hands are what was demanded, and a script that compiles.",
    feed,
    seeds: || {
        let mut files = seeds::files("crates/profiles/tests/data", &["json", "toml"]);
        files.extend(seeds::files("examples/profiles", &["json", "toml"]));
        files
    },
    words,
    inputs: 30,
};

fn words() -> Vec<String> {
    let words = [
        "profile_name",
        "dealer",
        "seat_profiles",
        "subprofiles",
        "standard",
        "spades",
        "hearts",
        "diamonds",
        "clubs",
        "min_cards",
        "max_cards",
        "min_hcp",
        "max_hcp",
        "total_min_hcp",
        "total_max_hcp",
        "weight_percent",
        "weight",
        "random_suit_constraint",
        "partner_contingent_constraint",
        "opponents_contingent_suit_constraint",
        "subprofile_exclusions",
        "hand_dealing_order",
        "rotate_deals_by_default",
        "required_suits_count",
        "allowed_suits",
        "suit_ranges",
        "pair_overrides",
        "ns_role_mode",
        "ew_role_mode",
        "no_driver_no_index",
        "\"N\"",
        "\"E\"",
        "\"S\"",
        "\"W\"",
        "null",
        "[]",
        "{}",
        "0",
        "13",
        "14",
        "37",
        "38",
        "-1",
        "100.0",
        "true",
        "// x\n",
        "[[seat_profiles.N.subprofiles]]\n",
    ];
    words.map(str::to_owned).to_vec()
}

fn feed(input: &[u8]) -> u64 {
    let mut observed = Observed::default();
    let Ok(text) = std::str::from_utf8(input) else {
        return 0;
    };
    let profile = match profiles::read(text) {
        Ok((profile, warnings)) => {
            observed.note(warnings.len().min(3));
            profile
        }
        Err(problems) => {
            assert!(!problems.is_empty(), "a refusal has a reason");
            for problem in &problems {
                assert!(!problem.to_string().is_empty());
                observed.message(&problem.message);
            }
            return observed.number();
        }
    };
    match profiles::to_script(&profile) {
        Ok(script) => {
            let compiled = script::compile(
                &script::ScriptSource::new("profile", script.as_str()),
                &script::CompileOptions::default(),
            );
            if let Err(errors) = compiled {
                panic!("{}\n{script}", errors[0].render());
            }
        }
        Err(reason) => {
            observed.message(&reason.to_string());
        }
    }
    for strategy in [
        DealingStrategy::Exact,
        DealingStrategy::Plain,
        DealingStrategy::Preallocate(Default::default()),
    ] {
        let options = DealOptions {
            key: Key::from_seed(1),
            strategy,
            max_attempts: 300,
            rotate: None,
        };
        match ProfileDealer::new(profile.clone(), options) {
            Ok((mut dealer, warnings)) => {
                observed.note(warnings.len().min(3));
                for number in 1..=2 {
                    boards(&mut dealer, number, &mut observed);
                }
            }
            Err(impossible) => {
                assert!(!impossible.reasons.is_empty(), "a refusal has a reason");
            }
        }
    }
    observed.number()
}

/// Deals one board and checks that it satisfies its requirements, or that the error is correct.
fn boards(dealer: &mut ProfileDealer, number: u64, observed: &mut Observed) {
    match dealer.board(number) {
        Ok(board) => {
            let demands = dealer.demands(&board.scenario).expect("it was dealt");
            for seat in Seat::ALL {
                let checked = demands[seat].check(board.unturned.hand(seat));
                assert!(checked.is_ok(), "{seat}: {checked:?} in {}", board.unturned);
            }
            observed.note(board.turn);
        }
        Err(failure) => {
            observed.message(failure.cause);
        }
    }
}
