//! Compares the solver with solved deals, with the symmetries of the game, and with itself.

use crate::common::{RandomDeals, solved_deals};
use cards::{CardSet, Deal, Seat, Strain, Suit, TrickTable};
use croupier_solver::{Bounds, DealCache, Solver, Team};

fn check_tables(part: usize) {
    let deals = solved_deals();
    assert_eq!(deals.len(), 100);
    let mut solver = Solver::new();
    for (deal, table) in &deals[25 * part..][..25] {
        assert_eq!(solver.table(deal), *table, "{deal}");
    }
}

// Four parts, so that the tests run in parallel.
#[test]
fn tables_1_to_25_agree_with_five_solvers() {
    check_tables(0);
}

#[test]
fn tables_26_to_50_agree_with_five_solvers() {
    check_tables(1);
}

#[test]
fn tables_51_to_75_agree_with_five_solvers() {
    check_tables(2);
}

#[test]
fn tables_76_to_100_agree_with_five_solvers() {
    check_tables(3);
}

#[test]
fn a_team_of_any_size_gives_the_same_tables() {
    let deals = solved_deals();
    for threads in [1, 2, 3, 8] {
        let mut team = Team::new(threads);
        for (deal, table) in deals.iter().skip(threads).step_by(12) {
            assert_eq!(team.table(deal), *table, "{threads} threads, {deal}");
        }
    }
    let mut small = Team::with_memory(2, 1);
    assert_eq!(small.table(&deals[0].0), deals[0].1);
}

#[test]
#[ignore = "some minutes; run by ./check --long"]
fn long_a_team_agrees_with_a_solver_on_3000_deals() {
    let (mut team, mut solver) = (Team::new(2), Solver::new());
    for deal in RandomDeals(77).take(3_000) {
        assert_eq!(team.table(&deal), solver.table(&deal), "{deal}");
    }
}

/// Whether a search finishes within a position limit depends only on the search: not on earlier ones, memory or
/// processor.
#[test]
fn position_limits_do_not_depend_on_history_memory_or_processor() {
    let mut used = Solver::new();
    let (mut known, mut open) = (0, 0);
    for (deal, table) in solved_deals().iter().take(30) {
        for (strain, tricks) in [(Strain::Notrump, 7), (Strain::Hearts, 8)] {
            let run = |solver: &mut Solver| {
                solver.with_position_limit(300, |solver| {
                    solver.at_least(deal, Seat::South, strain, tricks)
                })
            };
            let fresh = run(&mut Solver::new());
            used.forget();
            assert_eq!(run(&mut used), fresh, "{deal}");
            assert_eq!(run(&mut Solver::with_memory(2)), fresh, "{deal}");
            assert_eq!(run(&mut Solver::portable(256)), fresh, "{deal}");
            let truth = table.tricks(Seat::South, strain) >= tricks;
            assert!(fresh.is_none_or(|answer| answer == truth), "{deal}");
            // A search that was stopped stores no wrong result.
            assert_eq!(used.at_least(deal, Seat::South, strain, tricks), truth);
            known += u32::from(fresh.is_some());
            open += u32::from(fresh.is_none());
        }
    }
    assert!(known > 10 && open > 10, "{known} known, {open} open");
}

#[test]
fn all_functions_that_count_tricks_agree() {
    let mut solver = Solver::new();
    for (i, (deal, table)) in solved_deals().iter().enumerate().take(20) {
        let declarer = Seat::from_index(i);
        let strain = Strain::from_index(i % 5);
        let expected = table.tricks(declarer, strain);
        assert_eq!(solver.tricks(deal, declarer, strain), expected, "{deal}");
        assert_eq!(
            solver.strain(deal, strain)[declarer.index()],
            expected,
            "{deal}"
        );
    }
}

fn targets_agree(
    solver: &mut Solver,
    deal: &Deal,
    table: &TrickTable,
    declarer: Seat,
    strain: Strain,
) {
    let expected = table.tricks(declarer, strain);
    for tricks in 0..=14 {
        let answer = solver.at_least(deal, declarer, strain, tricks);
        assert_eq!(
            answer,
            expected >= tricks,
            "{deal} {declarer} {strain} {tricks}"
        );
    }
}

#[test]
fn targets_agree_with_counts() {
    let mut solver = Solver::new();
    for (i, (deal, table)) in solved_deals().iter().enumerate().skip(60).take(20) {
        targets_agree(
            &mut solver,
            deal,
            table,
            Seat::from_index(i / 5),
            Strain::from_index(i % 5),
        );
    }
}

#[test]
#[ignore = "about ten minutes; run by ./check --long"]
fn long_targets_agree_with_counts_on_500_deals_in_all_strains() {
    let mut solver = Solver::new();
    for (i, deal) in RandomDeals(2026).take(500).enumerate() {
        let table = solver.table(&deal);
        for strain in Strain::ALL {
            targets_agree(&mut solver, &deal, &table, Seat::from_index(i), strain);
        }
    }
}

#[test]
fn turning_the_table_turns_the_results() {
    let mut solver = Solver::new();
    let (deal, table) = &solved_deals()[2]; // East and West differ in notrump
    for steps in 1..4 {
        let strain = [Strain::Notrump, Strain::Spades, Strain::Clubs][steps - 1];
        let turned = solver.strain(&deal.rotated(steps), strain);
        for seat in Seat::ALL {
            let there = seat.clockwise(steps);
            assert_eq!(
                turned[there.index()],
                table.tricks(seat, strain),
                "{seat} {strain}"
            );
        }
    }
}

/// Returns the deal with two suits exchanged in all hands.
fn with_suits_exchanged(deal: &Deal, a: Suit, b: Suit) -> Deal {
    let exchange = |hand: CardSet| {
        let mut holdings = Suit::ALL.map(|suit| hand.holding(suit));
        holdings.swap(a.index(), b.index());
        CardSet::from_holdings(holdings)
    };
    Deal::new(deal.hands().map(exchange)).expect("still a deal")
}

#[test]
fn exchanging_two_suits_exchanges_their_results() {
    let mut solver = Solver::new();
    for (i, (deal, table)) in solved_deals().iter().enumerate().skip(40).take(4) {
        let (a, b) = (Suit::from_index(i % 4), Suit::from_index((i + 1) % 4));
        let exchanged = with_suits_exchanged(deal, a, b);
        let row = solver.strain(&exchanged, a.into());
        assert_eq!(
            row,
            Seat::ALL.map(|seat| table.tricks(seat, b.into())),
            "{deal}"
        );
        let notrump = solver.strain(&exchanged, Strain::Notrump);
        assert_eq!(
            notrump,
            Seat::ALL.map(|seat| table.tricks(seat, Strain::Notrump)),
            "{deal}"
        );
    }
}

#[test]
fn thirteen_solid_tricks() {
    let deal: Deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
        .parse()
        .unwrap();
    let mut solver = Solver::new();
    let table = solver.table(&deal);
    for declarer in Seat::ALL {
        // Each hand holds one suit. The opening leader runs it, unless it is ruffed.
        assert_eq!(table.tricks(declarer, Strain::Notrump), 0);
        for (holder, strain) in Seat::ALL.into_iter().zip(Strain::ALL[..4].iter().rev()) {
            let expected = if holder.side() == declarer.side() {
                13
            } else {
                0
            };
            assert_eq!(
                table.tricks(declarer, *strain),
                expected,
                "{declarer} {strain}"
            );
        }
    }
}

#[test]
fn partners_can_take_different_numbers_of_tricks() {
    // Deal 3: West makes nine tricks in notrump, East ten.
    let (deal, table) = &solved_deals()[2];
    assert_ne!(
        table.tricks(Seat::East, Strain::Notrump),
        table.tricks(Seat::West, Strain::Notrump)
    );
    let mut solver = Solver::new();
    assert_eq!(solver.tricks(deal, Seat::East, Strain::Notrump), 10);
    assert_eq!(solver.tricks(deal, Seat::West, Strain::Notrump), 9);
}

#[test]
fn the_best_lead_gives_the_tricks_of_the_table_and_all_thirteen_cards_are_listed() {
    let mut solver = Solver::new();
    for (i, (deal, table)) in solved_deals().iter().enumerate().skip(20).take(8) {
        let declarer = Seat::from_index(i);
        let strain = Strain::from_index(i % 5);
        let leads = solver.leads(deal, declarer, strain);
        assert_eq!(13 - leads.best(), table.tricks(declarer, strain), "{deal}");
        let cards = leads.by_card();
        let hand: CardSet = cards.iter().map(|&(card, _)| card).collect();
        assert_eq!(hand, deal[declarer.next()]);
        assert_eq!(cards.len(), 13);
        for target in [0, 1, leads.best(), leads.best() + 1, 14] {
            let taking = solver.leads_taking(deal, declarer, strain, target);
            let expected = cards.iter().filter(|&&(_, tricks)| tricks >= target);
            assert_eq!(
                taking,
                expected.map(|&(card, _)| card).collect(),
                "{deal} {target}"
            );
        }
        let tricks: Vec<u8> = leads.distinct().iter().map(|lead| lead.tricks).collect();
        assert!(tricks.is_sorted_by(|a, b| a >= b), "{tricks:?}");
    }
}

#[test]
fn the_cache_narrows_its_bounds_and_never_contradicts_itself() {
    let mut solver = Solver::new();
    let (deal, table) = &solved_deals()[50];
    let (seat, strain) = (Seat::South, Strain::Hearts);
    let expected = table.tricks(seat, strain);
    let mut known = DealCache::new();
    assert!(known.at_least(&mut solver, deal, seat, strain, expected));
    assert_eq!(
        known.bounds(seat, strain),
        Bounds {
            low: expected,
            high: 13
        }
    );
    assert!(!known.at_least(&mut solver, deal, seat, strain, expected + 2));
    assert_eq!(
        known.bounds(seat, strain),
        Bounds {
            low: expected,
            high: expected + 1
        }
    );
    assert_eq!(known.known(seat, strain), None);
    assert_eq!(known.tricks(&mut solver, deal, seat, strain), expected);
    assert_eq!(known.known(seat, strain), Some(expected));
    assert_eq!(known.table(&mut solver, deal), *table);
}

#[test]
fn a_cache_made_from_a_table_never_searches() {
    let (deal, _) = &solved_deals()[0];
    // The cache has a table that is wrong for this deal, to show that it does not solve.
    let stored = TrickTable::new([[3; 5], [4; 5], [5; 5], [6; 5]]).unwrap();
    let mut known = DealCache::from(&stored);
    let mut solver = Solver::new();
    assert_eq!(
        known.tricks(&mut solver, deal, Seat::West, Strain::Clubs),
        6
    );
    assert!(!known.at_least(&mut solver, deal, Seat::North, Strain::Spades, 4));
    assert_eq!(known.table(&mut solver, deal), stored);
}

#[test]
fn a_small_memory_gives_the_same_answers() {
    let (deal, table) = &solved_deals()[5];
    let mut solver = Solver::with_memory(1);
    let expected = Seat::ALL.map(|seat| table.tricks(seat, Strain::Clubs));
    assert_eq!(solver.strain(deal, Strain::Clubs), expected);
}
