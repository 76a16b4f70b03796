//! Notices of v2 about switching to its table mode.

use std::io::{self, Write};

use croupier::script::plan::{Action, Mode, Node, NodeId, Plan, ReportTerm};
use croupier::session::Outcome;

use super::request::Request;

const PAR: &str = "In ParScore:: Using Parscore requires TableMode. Setting Mode and continuing..";
const TRIX: &str = "In csv_trix:: Using csv_trix requires TableMode. Setting Mode and continuing..";

/// Prints the notice that v2 prints when it first needs all twenty results of a deal.
pub fn print(request: &Request, plan: &Plan, outcome: &Outcome) {
    let solves_anyway = request.zrd.as_ref().is_some_and(|file| !file.unsolved);
    if request.mode != Mode::V2 || request.table_mode || solves_anyway || request.library.is_some()
    {
        return;
    }
    let has_par = |root: NodeId| reaches_par(plan, root);
    let mut note = plan
        .condition
        .filter(|&condition| outcome.generated > 0 && has_par(condition))
        .map(|_| PAR);
    if note.is_none() && outcome.produced > 0 {
        note = plan
            .actions
            .iter()
            .find_map(|action| first_note(action, &has_par));
    }
    if let Some(note) = note {
        let _ = writeln!(io::stderr(), "{note}");
    }
}

fn first_note(action: &Action, has_par: &dyn Fn(NodeId) -> bool) -> Option<&'static str> {
    if let Action::CsvReport(terms) | Action::PrintReport(terms) = action {
        return terms.iter().find_map(|term| match term {
            ReportTerm::Tricks(_) | ReportTerm::AllTricks => Some(TRIX),
            ReportTerm::ParContract(_) => Some(PAR),
            ReportTerm::Value(node) if has_par(*node) => Some(PAR),
            _ => None,
        });
    }
    let mut found = false;
    action.for_each_value(|node| found |= has_par(node));
    found.then_some(PAR)
}

/// Returns whether an expression uses par.
fn reaches_par(plan: &Plan, root: NodeId) -> bool {
    let mut found = matches!(plan.node(root), Node::Par(..));
    plan.node(root)
        .for_each_operand(|operand| found = found || reaches_par(plan, operand));
    found
}
