//! Requests to explain a script have the results of `dealer --explain`: with the script's settings and predeal, and
//! with its failures.

use croupier_api::explain::{Explain, Explained, explain};
use croupier_api::{RequestError, RequestLimits};

fn ask(script: &str) -> Result<Explained, RequestError> {
    let script = script.to_owned();
    let ask = Explain {
        script,
        ..Explain::default()
    };
    explain(ask, &RequestLimits::default())
}

/// Predealt lengths hold in the sample, not only predealt cards.
#[test]
fn the_sample_has_the_predealt_lengths() {
    let script = "predeal spades(north) == 7\ncondition spades(north) == 7 and spades(south) == 0";
    let found = ask(script).unwrap();
    assert_eq!(found.parts[0].passed, found.deals);
    assert!(found.accepted > 0);
}

/// The `opener` of the script applies, as in a run.
#[test]
fn the_settings_of_the_script_count() {
    let deal = "N:AKQ32.K32.A32.42 J4.QJ98.QJ4.KQJ3 T987.4.KT98.T987 65.AT765.765.A65";
    let value = |opener: &str| {
        let script = format!("opener {opener}\npoints = opc(NS, spades)");
        let ask = Explain {
            script,
            deal: Some(deal.to_owned()),
            ..Explain::default()
        };
        explain(ask, &RequestLimits::default()).unwrap().variables[0].value
    };
    assert_eq!((value("north"), value("south")), (Some(2450), Some(2350)));
}

#[test]
fn a_condition_that_fails_on_a_deal_is_no_healthy_share() {
    let problem = ask("condition 100 / (hcp(north) - 37) < 100 and 1 / hcp(north) >= 0");
    assert!(problem.unwrap_err().message.contains("E801"));
}
