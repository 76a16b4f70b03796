//! Scripts with variables named like words of DealerV2, of dealer3 or of croupier.

use super::generator::ScriptGenerator;

/// Returns every word of the language, in any dialect, that `accepts` allows a script to define.
pub fn all(accepts: impl Fn(&str) -> bool) -> Vec<String> {
    let words = croupier::script::words().flat_map(|word| [vec![word.name], word.aliases].concat());
    let more = [
        "z3N",
        "x4Sx",
        "z7Nxx",
        "HCP",
        "North",
        "And",
        "HandType_A",
        "LevelType_B",
        "HandType_A_Share",
    ];
    let names = words.chain(more).map(str::to_owned);
    let names: Vec<String> = names
        .filter(|name| accepts(&format!("{name}=5\ncondition {name}==5\n")))
        .collect();
    assert!(names.len() >= 31, "only {names:?} are accepted");
    names
}

/// Returns the script with this number, and its switches.
pub fn script(number: u64, names: &[String]) -> (String, Vec<String>) {
    let mut generator = ScriptGenerator::with_names(number, names);
    let mut lines = vec![format!(
        "generate {} produce {}",
        generator.dice.between(1, 200),
        generator.dice.between(1, 9)
    )];
    for _ in 0..generator.dice.between(1, 5) {
        lines.push(generator.definition());
        lines.push(statement(&mut generator));
    }
    if generator.dice.one_in(2) {
        lines.push(format!("condition {}", generator.condition()));
    }
    if generator.dice.one_in(8) {
        lines.push(misuse(&mut generator, names));
    }
    let mut actions = vec![format!(
        "printes({}, \"text\", {}\n + 1)",
        generator.variable(),
        generator.variable()
    )];
    for _ in 0..generator.dice.between(0, 2) {
        actions.push(generator.action());
    }
    actions.push(format!("average \"t\" {}", generator.variable()));
    lines.push(format!("action {}", actions.join(",\n  ")));
    if generator.dice.one_in(2) {
        // The expression ends the action before it and is the condition.
        lines.push(format!("({})", generator.expression(1)));
    }
    (lines.join("\n") + "\n", generator.switches())
}

/// Returns a statement with a variable in a place where a word is possible.
fn statement(generator: &mut ScriptGenerator) -> String {
    let variable = generator.variable();
    let gap = generator.dice.pick(&["\n", " ", "", "\n// c\n", "\t\n"]);
    let value = generator.expression(1);
    match generator.dice.below(6) {
        0 => format!("{variable}{gap}({value})"),
        1 => format!("condition {variable}{gap}({value})"),
        2 => format!("condition {variable} > {variable}{gap}({value})"),
        3 => format!("action average {variable}{gap}({value})"),
        4 => format!("{variable}\ncondition {value} == {variable}"),
        _ => format!("condition {variable} ? {variable}\n: {variable}{gap}({value})"),
    }
}

/// Returns a line with a name that cannot be defined, or in a place where no name is possible.
fn misuse(generator: &mut ScriptGenerator, names: &[String]) -> String {
    let name = &names[generator.dice.below(names.len() as u64) as usize];
    match generator.dice.below(9) {
        0 => format!("{name}(north)"),
        1 => format!("{name} \"text\""),
        2 => format!("{name} 5"),
        3 => format!("action {name}"),
        4 => format!("action printall, {name}(NS)"),
        5 => format!("condition {name}(NS) > 3"),
        6 => format!("vulnerable {name}"),
        7 => format!("{name} ="),
        _ => format!("predeal {name} SAK"),
    }
}
