//! Warnings that need the whole script.

use valuation::HandRule;

use super::Lowering;
use crate::ast::{CountStatement, ExprId, ExprKind, Operator, Script};
use crate::diagnostic::{Report, Reports};
use crate::function::{self, Scale};
use crate::plan::{BinaryOp, Counter, Mode, Node, Span};
use crate::source::{Origin, SourceMap};
use crate::word::nearest;

pub(super) fn lint(
    script: &Script,
    lowering: &Lowering<'_>,
    sources: &SourceMap,
    reports: &mut Reports,
) {
    scales(script, reports);
    constant_condition(script, lowering, reports);
    if lowering.builder.plan.mode() == Mode::V2 {
        imps(script, lowering, reports);
    }
    if lowering.builder.plan.mode() == Mode::Native {
        levelled(script, reports);
        shares(script, lowering, reports);
        ranges_with_minus(script, reports);
        values_of_v1(script, lowering, reports);
    }
    unused(script, sources, reports);
}

/// Variables with this prefix are classes of deals.
const CLASS_PREFIX: &str = "HandType_";

/// Prefixes of variables that are used by their names: classes of deals, and classes that only `level` uses.
const CLASS_PREFIXES: [&str; 2] = [CLASS_PREFIX, "LevelType_"];

/// Reports names in a `level` statement that are not variables.
fn levelled(script: &Script, reports: &mut Reports) {
    for (name, span) in &script.levelled {
        let class = format!("{CLASS_PREFIX}{name}");
        let names = || script.definitions.iter().map(|d| d.name.as_str());
        let bare = |n: &&str| {
            CLASS_PREFIXES
                .iter()
                .find_map(|p| n.strip_prefix(p).map(str::to_owned))
        };
        if names().any(|n| n == name || bare(&n).as_ref() == Some(name)) {
            continue;
        }
        let short = names().map(|n| n.strip_prefix(CLASS_PREFIX).unwrap_or(n));
        let message = format!("there is no variable `{name}` or `{class}`");
        reports.add(Report::error("E301", *span, message).suggest(nearest(name, short)));
    }
}

/// Reports shares of classes that are not whole numbers: `HandType_Slam_Share = 3`.
fn shares(script: &Script, lowering: &Lowering<'_>, reports: &mut Reports) {
    for definition in &script.definitions {
        let Some(class) = definition.name.strip_suffix("_Share") else {
            continue;
        };
        let is_class = CLASS_PREFIXES.iter().any(|p| class.starts_with(p))
            && script.definitions.iter().any(|d| d.name == class);
        let value = lowering.values[definition.value.index()];
        let share = lowering.builder.constant_of(value);
        if is_class && !share.is_some_and(|share| (0..=1_000_000).contains(&share)) {
            let message =
                format!("the share of `{class}` must be a whole number from 0 to 1000000");
            reports.add(Report::error("E706", definition.span, message));
        }
    }
}

/// Reports W12: `hcp(north) >= 12.5` compares with 1250.
fn scales(script: &Script, reports: &mut Reports) {
    let decimal_counter = |counter: Counter| {
        let last = script.counts.iter().rev().find(|c| c.counter == counter);
        last.is_some_and(|c| c.decimal)
    };
    let mut scales: Vec<Scale> = Vec::with_capacity(script.expressions.len());
    for expr in &script.expressions {
        let of = |id: crate::plan::NodeId| scales[id.index()];
        let scale = match &expr.kind {
            ExprKind::Number { decimal: true, .. } => Scale::Decimal,
            ExprKind::Variable(number) => of(script.definitions[*number as usize].value),
            ExprKind::Negate(inner) => of(*inner),
            ExprKind::Binary(Operator::Strict(op), left, right) => {
                let pair = (of(*left), of(*right));
                match op {
                    BinaryOp::Add | BinaryOp::Subtract => sum_scale(pair),
                    BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => Scale::Free,
                    _ => {
                        if matches!(
                            pair,
                            (Scale::Units, Scale::Decimal) | (Scale::Decimal, Scale::Units)
                        ) {
                            reports.add(Report::warning(
                                "W12",
                                expr.at,
                                "a number with a decimal point is its hundredfold (12.5 is 1250), but this value is not on that scale",
                            ));
                        }
                        Scale::Free
                    }
                }
            }
            ExprKind::Choose(_, yes, no) => sum_scale((of(*yes), of(*no))),
            ExprKind::Call(Node::Count { counter, .. }) if decimal_counter(*counter) => {
                Scale::Hundredths
            }
            ExprKind::Call(node) => {
                function::of_node(node).map_or(Scale::Free, |(function, _)| function.scale)
            }
            _ => Scale::Free,
        };
        scales.push(scale);
    }
}

fn sum_scale(pair: (Scale, Scale)) -> Scale {
    match pair {
        (Scale::Units, _) | (_, Scale::Units) => Scale::Units,
        (Scale::Hundredths, _) | (_, Scale::Hundredths) => Scale::Hundredths,
        (Scale::Decimal, Scale::Decimal) => Scale::Decimal,
        _ => Scale::Free,
    }
}

/// Reports W13: the condition accepts every deal, or none.
fn constant_condition(script: &Script, lowering: &Lowering<'_>, reports: &mut Reports) {
    let Some((id, _)) = script.condition else {
        return;
    };
    let expr = script.expr(id);
    // `condition 1` is written on purpose and gets no warning.
    if matches!(expr.kind, ExprKind::Number { .. }) {
        return;
    }
    let message = match lowering.builder.constant_of(lowering.values[id.index()]) {
        Some(0) => "this condition can never hold: no deal will be produced",
        Some(_) => "this condition always holds: every deal will be produced",
        None => return,
    };
    reports.add(Report::warning("W13", expr.span, message));
}

/// Reports W15: DealerV2's table gives 13 IMPs where the laws give 12.
fn imps(script: &Script, lowering: &Lowering<'_>, reports: &mut Reports) {
    for expr in &script.expressions {
        if let ExprKind::Call(Node::Imps(difference)) = expr.kind {
            let value = lowering.values[difference.index()];
            if value.0 == u32::MAX {
                continue;
            }
            let range = lowering.builder.interval(value);
            let reaches = |low: i32, high: i32| range.min <= high && range.max >= low;
            if reaches(591, 740) || reaches(-740, -591) {
                reports.add(Report::warning(
                    "W15",
                    expr.span,
                    "DealerV2 counts differences from 591 to 740 as 13 IMPs (12 is right), and so does this mode",
                ));
            }
        }
    }
}

/// Reports W17: nothing refers to a definition, in a script with a condition or action.
fn unused(script: &Script, sources: &SourceMap, reports: &mut Reports) {
    if script.condition.is_none() && script.actions.is_none() && script.bare_actions.is_empty() {
        return;
    }
    let mut unused = Vec::new();
    for definition in &script.definitions {
        let imported = matches!(
            sources.get(definition.span.source).origin,
            Origin::Import(_)
        );
        // Other programs use classes by name.
        let class = CLASS_PREFIXES
            .iter()
            .any(|prefix| definition.name.starts_with(prefix))
            || script
                .levelled
                .iter()
                .any(|(name, _)| *name == definition.name);
        if !definition.used && !imported && !class {
            unused.push(definition);
        }
    }
    let Some(first) = unused.first() else {
        return;
    };
    let message = match unused.len() - 1 {
        0 => format!("`{}` is never used", first.name),
        1 => format!("`{}` and one more variable are never used", first.name),
        more => format!("`{}` and {more} more variables are never used", first.name),
    };
    reports.add(Report::warning("W17", first.span, message));
}

/// Reports W21: `hcp(north) == 15-17` compares with -2.
fn ranges_with_minus(script: &Script, reports: &mut Reports) {
    let number = |id: ExprId| match script.expr(id).kind {
        ExprKind::Number { value, .. } => Some(value),
        _ => None,
    };
    for expr in &script.expressions {
        let ExprKind::Binary(Operator::Strict(BinaryOp::Equal), left, right) = expr.kind else {
            continue;
        };
        let left = script.expr(left);
        let right = script.expr(right);
        let ExprKind::Binary(Operator::Strict(BinaryOp::Subtract), low, high) = right.kind else {
            continue;
        };
        let (Some(low), Some(high)) = (number(low), number(high)) else {
            continue;
        };
        if !right.grouped && 0 <= low && low < high {
            let message = format!(
                "this compares with {}; for a range write `{low} <= value <= {high}`",
                low - high
            );
            let mut report = Report::warning("W21", right.span, message);
            if !left.grouped && left.span.source == right.span.source {
                let start = Span {
                    end: left.span.start,
                    ..left.span
                };
                let rest = Span {
                    start: left.span.end,
                    ..right.span
                };
                let edits = vec![(start, format!("{low} <= ")), (rest, format!(" <= {high}"))];
                report = report.with_fix(format!("Write `{low} <= value <= {high}`"), edits);
            }
            reports.add(report);
        }
    }
}

/// Reports W06 and W22: in native mode `altcount`, `cccc` and `quality` mean the same as in DealerV2, but not as in v1.
fn values_of_v1(script: &Script, lowering: &Lowering<'_>, reports: &mut Reports) {
    if lowering.v1_values {
        return;
    }
    let uses = |wanted: Counter| {
        let is_wanted = |kind: &ExprKind| match kind {
            ExprKind::Call(Node::Count { counter, .. }) => *counter == wanted,
            _ => false,
        };
        script.expressions.iter().any(|e| is_wanted(&e.kind))
    };
    // A script that uses the counter of DealerV2 and not the one of v1 was not written for v1.
    let doubtful = |count: &&CountStatement| {
        count
            .in_v1
            .is_some_and(|there| !uses(count.counter) || uses(there))
    };
    if let Some(count) = script.counts.iter().find(doubtful)
        && let Some(there) = count.in_v1
    {
        let message = format!(
            "this changes `{}`, as in DealerV2; in dealer and dealer3 it changes `{}` (their dialects keep those numbers)",
            count.counter.name(),
            there.name()
        );
        reports.add(Report::warning("W06", count.span, message));
    }
    let is_four_cs = |kind: &ExprKind| {
        matches!(
            kind,
            ExprKind::Call(Node::HandValue {
                rule: HandRule::CCCC | HandRule::QUALITY,
                ..
            })
        )
    };
    if let Some(call) = script.expressions.iter().find(|e| is_four_cs(&e.kind)) {
        let message = "`cccc` and `quality` have the values of DealerV2 here; dealer and dealer3 count honours and tens otherwise (their dialects keep those values)";
        reports.add(Report::warning("W22", call.at, message));
    }
}
