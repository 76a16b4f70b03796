//! The function `leadtricks` in scripts.

use crate::common::{dealer, err, out, refused};

const SOUTH: &str = "predeal south SAQ4, HJ, DKJ6543, C632\n";

#[test]
fn leadtricks_has_a_table_for_each_lead() {
    let script = format!(
        "{SOUTH}lead = leadtricks(east, hearts) produce 3 action printoneline, frequency \"H\" (lead, 0, 13), average lead"
    );
    let output = dealer(&["-s", "1"], &script);
    let text = out(&output);
    assert!(output.status.success(), "{}", err(&output));
    // The highest card of each sequence, spades first.
    let leads = ["AS", "QS", "4S", "JH", "KD", "JD", "6D", "6C", "3C"];
    for lead in leads {
        assert!(
            text.contains(&format!("Description: H, {lead} led:")),
            "{lead}: {text}"
        );
        assert!(
            text.contains(&format!("{lead} led: Mean=")),
            "{lead}: {text}"
        );
    }
    assert_eq!(text.matches("Description:").count(), leads.len());
    // Declarer's tricks after the best lead are those of tricks(): the minimum over all leads.
    let each = format!(
        "{SOUTH}lead = leadtricks(east, notrump) produce 4 condition lead >= tricks(east, notrump) action average lead - tricks(east, notrump)"
    );
    let output = dealer(&["-s", "1"], &each);
    let text = out(&output);
    assert!(
        text.contains("Generated 4 hands"),
        "no lead gives declarer less: {text}"
    );
    let means: Vec<f64> = text
        .lines()
        .filter_map(|line| {
            line.split_once("led: Mean=")?
                .1
                .split(',')
                .next()?
                .trim()
                .parse()
                .ok()
        })
        .collect();
    assert_eq!(means.len(), 9, "{text}");
    assert!(
        means.iter().all(|&mean| (0.0..13.0).contains(&mean)),
        "{means:?}"
    );
}

#[test]
fn wrong_uses_of_leadtricks_are_errors() {
    let lead = "lead = leadtricks(east, hearts)\n";
    let without = dealer(&["-s", "1"], &format!("{lead}action average lead"));
    refused(
        &without,
        1,
        "standard input:1:8: error[E306]: south leads when east is the declarer",
    );
    let printed = dealer(&["-s", "1"], &format!("{SOUTH}{lead}action printes(lead)"));
    refused(&printed, 1, "in average and in frequency");
    let two = format!("{SOUTH}{lead}action average lead + leadtricks(south, hearts)");
    refused(&dealer(&["-s", "1"], &two), 1, "two leaders");
}
