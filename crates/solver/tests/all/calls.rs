//! Calls of a program that bids and plays: the solver gives the recorded answers.

use crate::recorded_calls::{Answers, read_compact, read_recording};
use croupier_solver::{Solver, SolverBatch};

#[test]
fn recorded_calls_have_the_recorded_answers() {
    let calls = read_compact(include_str!("../data/recorded-calls.txt"));
    let positions: usize = calls.iter().map(|call| call.positions.len()).sum();
    assert_eq!((calls.len(), positions), (15, 120));
    let mut solver = Solver::new();
    let mut batch = SolverBatch::new(2);
    for (number, call) in calls.iter().enumerate() {
        let single: Vec<_> = call.positions.iter().map(|it| solver.choices(it)).collect();
        assert_eq!(call.difference(&single), None, "call {number}");
        assert_eq!(batch.choices(&call.positions), single, "call {number}");
    }
}

#[test]
fn recordings_are_read() {
    let text = "{\"t\":\"meta\",\"created\":\"2026\"}\n\
        {\"t\":\"solve\",\"seq\":2728,\"strain_i\":3,\"leader_i\":1,\"current_trick\":[15,22],\"solutions\":3,\"boards\":1,\
        \"hands_pbn\":[\"N:J..J7. .J7.. .9..T ..QT.6\"],\"result\":{\"47\":[2],\"28\":[1],\"30\":[1]},\"ms\":0.4}\n\
        {\"t\":\"solve\",\"strain_i\":0,\"leader_i\":3,\"current_trick\":[],\"solutions\":1,\"boards\":1,\
        \"hands_pbn\":[\"N:J... T... 9... 8...\"],\"result\":{\"max\":[0],\"min\":[0]},\"ms\":0.4}\n";
    let calls = read_recording(text);
    assert_eq!(calls.len(), 2);
    let mut solver = Solver::new();
    for call in &calls {
        let choices: Vec<_> = call.positions.iter().map(|it| solver.choices(it)).collect();
        assert_eq!(call.difference(&choices), None);
    }
    let Answers::Cards(rows) = &calls[0].answers else {
        panic!("a row for each card");
    };
    assert_eq!(rows[0].0, "C6".parse().expect("a card"));
}
