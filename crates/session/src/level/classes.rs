//! The classes of a levelled run and their shares, as the caller and the script give them.

use engine::mixture::{self, CLASS_PREFIX, LEVEL_PREFIX};
use script::plan::{NodeId, Plan};

use crate::error::LevelError;

/// One class of deals and its share.
pub(super) struct Class {
    pub name: String,
    /// The conditions of the class; all must hold.
    pub nodes: Vec<NodeId>,
    pub share: u64,
}

/// The classes of a run.
pub(super) enum Classes {
    /// Separate classes.
    Plain(Vec<Class>),
    /// Every class of the first set crossed with every class of the second.
    Crossed(Vec<Class>, Vec<Class>),
}

/// The unit in which a share was written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Parts,
    Percent,
}

/// Percentages are stored as whole thousandths of a percent.
const PERCENT: f64 = 1000.0;

impl Classes {
    /// Reads `Game=2,Slam=1`, `Game=60%,Slam=40%`, `Game*Weak=1,...` or a weight for each class, with the variables of
    /// the script. An empty text means all classes of the script in their own shares. With `dealer3` the `LevelType_`
    /// classes replace the `HandType_` ones.
    pub fn read(plan: &Plan, text: &str, dealer3: bool) -> Result<Classes, LevelError> {
        let families = families(plan, dealer3);
        if text.trim().is_empty() {
            return with_shares_of_script(plan, families);
        }
        if let Some(weights) = weights(text)? {
            return weighted(families, &weights);
        }
        let parts = text
            .split(',')
            .map(|part| named(plan, part.trim()))
            .collect::<Result<Vec<_>, _>>()?;
        let of = |family: Option<&str>| parts.iter().any(|part| part.family == family);
        if of(Some(CLASS_PREFIX)) && of(Some(LEVEL_PREFIX)) && !of(None) {
            let (levels, hands): (Vec<_>, Vec<_>) = parts
                .into_iter()
                .partition(|part| part.family == Some(LEVEL_PREFIX));
            return Ok(Classes::Crossed(in_parts(hands)?, in_parts(levels)?));
        }
        Ok(Classes::Plain(in_parts(parts)?))
    }

    /// Returns all classes, crossed ones as pairs.
    pub fn cells(&self) -> Vec<Class> {
        match self {
            Classes::Plain(classes) => classes.iter().map(Class::copy).collect(),
            Classes::Crossed(rows, columns) => {
                let crossed = rows.iter().flat_map(|row| {
                    columns.iter().map(move |column| Class {
                        name: format!("{}*{}", row.name, column.name),
                        nodes: [&row.nodes[..], &column.nodes[..]].concat(),
                        share: row.share * column.share,
                    })
                });
                crossed.collect()
            }
        }
    }
}

impl Class {
    fn copy(&self) -> Class {
        Class {
            name: self.name.clone(),
            nodes: self.nodes.clone(),
            share: self.share,
        }
    }
}

type Family = (&'static str, Vec<(String, NodeId)>);

/// Returns the non-empty sets of classes of a script.
fn families(plan: &Plan, dealer3: bool) -> Vec<Family> {
    let hands = (CLASS_PREFIX, mixture::hand_types(plan));
    let levels = (LEVEL_PREFIX, mixture::level_types(plan));
    let both = match dealer3 && !levels.1.is_empty() {
        true => vec![levels],
        false => vec![hands, levels],
    };
    both.into_iter()
        .filter(|(_, classes)| !classes.is_empty())
        .collect()
}

/// Returns all classes in the shares of the script, as in `HandType_Slam_Share = 3`, or equally.
fn with_shares_of_script(plan: &Plan, families: Vec<Family>) -> Result<Classes, LevelError> {
    let mut sets = families.into_iter().map(|(prefix, classes)| {
        let class = |(name, node): (String, NodeId)| Class {
            share: mixture::share_of(plan, prefix, &name),
            name,
            nodes: vec![node],
        };
        let all = classes.into_iter().map(class);
        all.filter(|class| class.share > 0).collect::<Vec<_>>()
    });
    match (sets.next(), sets.next()) {
        (None, _) => Err(LevelError::NoClasses),
        (Some(classes), None) => Ok(Classes::Plain(classes)),
        (Some(rows), Some(columns)) => Ok(Classes::Crossed(rows, columns)),
    }
}

/// Reads a weight for each class or each crossed pair of classes, in the order of the script.
fn weighted(families: Vec<Family>, weights: &[u64]) -> Result<Classes, LevelError> {
    let equal = families.into_iter().map(|(_, classes)| {
        let class = |(name, node)| Class {
            name,
            nodes: vec![node],
            share: 1,
        };
        classes.into_iter().map(class).collect::<Vec<Class>>()
    });
    let mut sets: Vec<Vec<Class>> = equal.collect();
    let cells = match (sets.pop(), sets.pop()) {
        (None, _) => return Err(LevelError::NoClasses),
        (Some(only), None) => only,
        (Some(columns), Some(rows)) => Classes::Crossed(rows, columns).cells(),
    };
    if weights.len() != cells.len() {
        return Err(LevelError::Weights {
            given: weights.len(),
            classes: cells.into_iter().map(|class| class.name).collect(),
        });
    }
    let cells = cells
        .into_iter()
        .zip(weights)
        .map(|(class, &share)| Class { share, ..class });
    Ok(Classes::Plain(
        cells.filter(|class| class.share > 0).collect(),
    ))
}

/// Reads `2,1,1` or `50%,25%,25%`.
fn weights(text: &str) -> Result<Option<Vec<u64>>, LevelError> {
    let shares: Option<Vec<_>> = text.split(',').map(|part| share(part.trim())).collect();
    let Some(shares) = shares else {
        return Ok(None);
    };
    in_one_unit(&shares).map(Some)
}

/// Reads `2` or `12.5%`.
fn share(text: &str) -> Option<(u64, Unit)> {
    match text.strip_suffix('%') {
        Some(percent) => {
            let percent: f64 = percent.trim().parse().ok()?;
            let usable = (0.0..=100.0).contains(&percent);
            usable.then(|| ((percent * PERCENT).round() as u64, Unit::Percent))
        }
        None => {
            let parts = text.parse().ok();
            parts
                .filter(|&parts: &u64| parts <= 1_000_000)
                .map(|parts| (parts, Unit::Parts))
        }
    }
}

/// Checks that parts and percentages are not mixed, and that percentages add up to a hundred.
fn in_one_unit(shares: &[(u64, Unit)]) -> Result<Vec<u64>, LevelError> {
    let unit = shares.first().map_or(Unit::Parts, |share| share.1);
    if shares.iter().any(|share| share.1 != unit) {
        return Err(LevelError::MixedUnits);
    }
    let numbers: Vec<u64> = shares.iter().map(|share| share.0).collect();
    if unit == Unit::Parts {
        return Ok(numbers);
    }
    let sum = numbers.iter().sum::<u64>() as f64 / PERCENT;
    // Rounded values such as three times 33.3 are accepted.
    if (sum - 100.0).abs() > 0.06 * numbers.len() as f64 {
        return Err(LevelError::Percents {
            sum: format!("{sum}"),
        });
    }
    let divisor = numbers.iter().copied().fold(0, greatest_common_divisor);
    Ok(numbers
        .iter()
        .map(|number| number / divisor.max(1))
        .collect())
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

/// A class as it was named, with its share.
struct Named {
    name: String,
    nodes: Vec<NodeId>,
    /// The prefix of its variable; `None` for other variables and for products.
    family: Option<&'static str>,
    share: (u64, Unit),
}

/// Reads `Game`, `Game=2`, `Game=40%` or `Game*Weak=2`.
fn named(plan: &Plan, part: &str) -> Result<Named, LevelError> {
    let (name, text) = part.split_once('=').unwrap_or((part, "1"));
    let given = share(text.trim()).filter(|share| share.0 > 0);
    let share = given.ok_or_else(|| LevelError::NotAShare {
        name: name.to_owned(),
        share: text.to_owned(),
    })?;
    let found = name
        .split('*')
        .map(|name| variable(plan, name.trim()))
        .collect::<Result<Vec<_>, _>>()?;
    let family = match &found[..] {
        [(_, family, _)] => *family,
        _ => None,
    };
    let names: Vec<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
    Ok(Named {
        name: names.join("*"),
        nodes: found.iter().map(|(.., node)| *node).collect(),
        family,
        share,
    })
}

/// Finds the variable of a class: `Game` for `HandType_Game` or `LevelType_Game`, or any variable by its name.
fn variable(plan: &Plan, name: &str) -> Result<(String, Option<&'static str>, NodeId), LevelError> {
    let families = families(plan, false);
    for (prefix, classes) in &families {
        let bare = name.strip_prefix(prefix).unwrap_or(name);
        if let Some((bare, node)) = classes.iter().find(|(other, _)| other == bare) {
            return Ok((bare.clone(), Some(*prefix), *node));
        }
    }
    let other = plan.variables.iter().find(|v| v.name == name);
    other
        .map(|variable| (name.to_owned(), None, variable.value))
        .ok_or_else(|| LevelError::UnknownClass {
            name: name.to_owned(),
            known: families
                .into_iter()
                .flat_map(|(_, classes)| classes.into_iter().map(|(name, _)| name))
                .collect(),
        })
}

fn in_parts(named: Vec<Named>) -> Result<Vec<Class>, LevelError> {
    let shares: Vec<_> = named.iter().map(|named| named.share).collect();
    let shares = in_one_unit(&shares)?;
    let classes = named.into_iter().zip(shares).map(|(named, share)| Class {
        name: named.name,
        nodes: named.nodes,
        share,
    });
    Ok(classes.collect())
}
