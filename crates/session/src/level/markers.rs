//! Placeholders in a script for the shares of its classes: `{{level-mix}}` and `{{level-mix:Game}}`.

use crate::error::LevelError;

const START: &[u8] = b"{{level-mix";
const END: &[u8] = b"}}";

/// Replaces the placeholders in `text` by the shares of `mix`. A pair `Game*Weak` counts for both of its classes.
///
/// # Errors
/// If a placeholder names a class that is not in `mix`.
pub(super) fn fill(text: &[u8], mix: &[(String, u64)]) -> Result<Vec<u8>, LevelError> {
    let total: u64 = mix.iter().map(|(_, share)| share).sum();
    let percent = |share: u64| percentage(share, total);
    let mut filled = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = find(rest, START) {
        let Some(length) = find(&rest[start..], END) else {
            break;
        };
        filled.extend_from_slice(&rest[..start]);
        let inside = &rest[start + START.len()..start + length];
        match inside.strip_prefix(b":") {
            Some(name) => {
                let name = String::from_utf8_lossy(name).trim().to_owned();
                let share = share_of(mix, &name).ok_or_else(|| LevelError::UnknownClass {
                    name,
                    known: mix.iter().map(|(name, _)| name.clone()).collect(),
                })?;
                filled.extend_from_slice(percent(share).as_bytes());
            }
            None => {
                let width = mix.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
                let lines = mix
                    .iter()
                    .map(|(name, share)| format!("{name:width$}  {}", percent(*share)));
                filled.extend_from_slice(lines.collect::<Vec<_>>().join("\n").as_bytes());
            }
        }
        rest = &rest[start + length + END.len()..];
    }
    filled.extend_from_slice(rest);
    Ok(filled)
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|part| part == wanted)
}

/// Returns the share of a class, alone or in pairs.
fn share_of(mix: &[(String, u64)], name: &str) -> Option<u64> {
    let mut shares = mix
        .iter()
        .filter(|(class, _)| class == name || class.split('*').any(|part| part == name))
        .map(|(_, share)| *share)
        .peekable();
    shares.peek()?;
    Some(shares.sum())
}

/// Formats a part of `total`, rounded to a tenth of a percent: `35%` or `19.3%`.
fn percentage(share: u64, total: u64) -> String {
    let (share, total) = (u128::from(share), u128::from(total.max(1)));
    let tenths = (share * 2_000 + total) / (2 * total);
    match tenths % 10 {
        0 => format!("{}%", tenths / 10),
        tenth => format!("{}.{tenth}%", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, mix: &[(&str, u64)]) -> Result<String, LevelError> {
        let mix: Vec<(String, u64)> = mix.iter().map(|&(n, s)| (n.to_owned(), s)).collect();
        fill(text.as_bytes(), &mix).map(|text| String::from_utf8(text).expect("UTF-8"))
    }

    #[test]
    fn placeholders_are_replaced_by_shares() {
        let mix = [("12_14", 2), ("Game", 1)];
        assert_eq!(
            filled("// {{level-mix:12_14}} and {{level-mix: Game }}.\n", &mix),
            Ok("// 66.7% and 33.3%.\n".to_owned())
        );
        assert_eq!(
            filled("/*\n{{level-mix}}\n*/", &[("A", 35), ("Slam", 65)]),
            Ok("/*\nA     35%\nSlam  65%\n*/".to_owned())
        );
        assert_eq!(filled("{{level-mix", &mix), Ok("{{level-mix".to_owned()));
    }

    #[test]
    fn a_pair_counts_for_both_classes() {
        let mix = [("A*X", 1), ("A*Y", 2), ("B*X", 1)];
        assert_eq!(
            filled("{{level-mix:A}} {{level-mix:X}}", &mix),
            Ok("75% 50%".to_owned())
        );
    }

    #[test]
    fn an_unknown_class_is_an_error() {
        assert!(filled("{{level-mix:B}}", &[("A", 1)]).is_err());
    }
}
