//! Studies over many deals, in small questions: whoever asks deals, has the deals solved in portions as large as
//! he likes, and has the numbers put together. So a study can show its progress and be stopped at any time, and the
//! portions can go to as many workers as there are.

use cards::{Deal, Seat, Strain, notation};
use serde::{Deserialize, Serialize};
use solver::study::{ContractStudy, Declared, Estimate, LeadStudy};
use solver::{DealCache, Leads};

use crate::boards;
use crate::{Limits, Problem};

/// Layouts whose opening leads are to be valued.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskLeads {
    /// The layouts, as in PBN.
    pub deals: Vec<String>,
    /// Contract and declarer, `3N-S`.
    pub contract: String,
}

/// For each layout the defence's tricks after every card of the leader.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadTricks {
    /// The leader's cards, as in `SA`, in the order of the numbers; the same for all layouts with one leader's hand.
    pub cards: Vec<Vec<String>>,
    /// Tricks for the defence.
    pub tricks: Vec<Vec<u8>>,
}

/// Values every opening lead of some layouts.
///
/// # Errors
/// If a deal or the contract cannot be read.
pub fn leads(ask: AskLeads, limits: &Limits) -> Result<LeadTricks, Problem> {
    limits.boards(ask.deals.len())?;
    let declared = declared(&ask.contract)?;
    limits.solve(|solver| {
        let mut answer = LeadTricks::default();
        for text in &ask.deals {
            limits.go_on()?;
            let deal = boards::deal(text)?;
            let leads = solver.leads(&deal, declared.declarer, declared.contract.strain);
            let by_card = leads.by_card();
            answer
                .cards
                .push(by_card.iter().map(|(card, _)| card_name(*card)).collect());
            answer
                .tricks
                .push(by_card.iter().map(|(_, tricks)| *tricks).collect());
        }
        Ok(answer)
    })?
}

/// `SA`
fn card_name(card: cards::Card) -> String {
    format!("{}{}", card.suit().letter(), card.rank().letter())
}

/// The numbers of all layouts of a lead study.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskLeadResults {
    /// The leader's hand, `KQJ4.T9.A2.87632`.
    pub hand: String,
    /// Contract and declarer.
    pub contract: String,
    /// Who is vulnerable.
    #[serde(default)]
    pub vulnerable: Option<String>,
    /// For each layout the tricks after each card, spade ace first, as `leads` gives them.
    pub tricks: Vec<Vec<u8>>,
}

/// A value and the interval in which the true one lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Interval {
    /// The value in the sample.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl From<Estimate> for Interval {
    fn from(it: Estimate) -> Interval {
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        Interval {
            value: finite(it.value),
            low: finite(it.low),
            high: finite(it.high),
        }
    }
}

/// What a lead is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadWorth {
    /// The card and those that touch it: `SKQJ`.
    pub cards: String,
    /// Tricks for the defence.
    pub tricks: Interval,
    /// How often the contract goes down, 0 to 1.
    pub sets: Interval,
    /// The defenders' score.
    pub score: Interval,
    /// IMPs a board against the other leads.
    pub imps: Interval,
    /// Share of the matchpoints against the other leads, 0 to 1.
    pub matchpoints: Interval,
}

/// What all leads are worth, in the order of the study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadResults {
    /// How many layouts.
    pub layouts: u64,
    /// The leads.
    pub leads: Vec<LeadWorth>,
}

/// Puts the numbers of a lead study together.
///
/// # Errors
/// If hand, contract or numbers cannot be right.
pub fn lead_results(ask: AskLeadResults, limits: &Limits) -> Result<LeadResults, Problem> {
    limits.boards(ask.tricks.len())?;
    let declared = declared(&ask.contract)?;
    let vulnerability = boards::vulnerability(ask.vulnerable.as_deref())?;
    let hand = notation::hand(ask.hand.trim())
        .map_err(|error| Problem::request(format!("{}: {error}", boards::shortened(&ask.hand))))?;
    let vulnerable = vulnerability.includes(declared.declarer.side());
    let mut study = LeadStudy::new(hand, declared.contract, vulnerable);
    for tricks in &ask.tricks {
        if tricks.len() != 13 || tricks.iter().any(|&tricks| tricks > 13) {
            return Err(Problem::request(
                "a layout needs thirteen numbers of tricks",
            ));
        }
        study.add(&Leads::of(hand.iter().zip(tricks.iter().copied())));
    }
    let leads = study.results().into_iter().map(|it| LeadWorth {
        cards: it.cards.suit_holdings().to_string(),
        tricks: it.tricks.into(),
        sets: it.sets.into(),
        score: it.score.into(),
        imps: it.imps.into(),
        matchpoints: it.matchpoints.into(),
    });
    Ok(LeadResults {
        layouts: study.layouts(),
        leads: leads.collect(),
    })
}

/// Deals whose contracts are to be solved.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskTricks {
    /// The deals, as in PBN.
    pub deals: Vec<String>,
    /// Contracts with declarers, `4S-N`.
    pub contracts: Vec<String>,
}

/// For each deal the declarer's tricks in each contract.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tricks {
    /// A row for each deal.
    pub tricks: Vec<Vec<u8>>,
}

/// Solves the contracts on some deals.
///
/// # Errors
/// If a deal or contract cannot be read.
pub fn tricks(ask: AskTricks, limits: &Limits) -> Result<Tricks, Problem> {
    limits.boards(ask.deals.len())?;
    let contracts = contracts(&ask.contracts)?;
    limits.solve(|solver| {
        let mut one = |text: &String| {
            limits.go_on()?;
            let deal: Deal = boards::deal(text)?;
            let mut known = DealCache::new();
            let mut taken = |seat: Seat, strain: Strain| known.tricks(solver, &deal, seat, strain);
            let row = contracts
                .iter()
                .map(|it| taken(it.declarer, it.contract.strain));
            Ok(row.collect())
        };
        let rows: Result<Vec<_>, Problem> = ask.deals.iter().map(&mut one).collect();
        Ok(Tricks { tricks: rows? })
    })?
}

/// The numbers of all deals of a comparison.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskContractResults {
    /// The contracts, in the order of the numbers.
    pub contracts: Vec<String>,
    /// Who is vulnerable.
    #[serde(default)]
    pub vulnerable: Option<String>,
    /// For each deal the tricks in each contract.
    pub tricks: Vec<Vec<u8>>,
}

/// What a contract is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContractWorth {
    /// `4S by N`
    pub contract: String,
    /// Tricks for its declarer.
    pub tricks: Interval,
    /// How often it makes, 0 to 1.
    pub made: Interval,
    /// The score for the side of the first contract.
    pub score: Interval,
    /// IMPs a board against each contract.
    pub imps: Vec<Interval>,
    /// Share of the matchpoints against each contract.
    pub matchpoints: Vec<Interval>,
    /// How often each number of tricks, 0 to 13, was taken.
    pub histogram: Vec<u64>,
}

/// What the contracts are worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContractResults {
    /// How many deals.
    pub deals: u64,
    /// The contracts, in the order of the question.
    pub contracts: Vec<ContractWorth>,
}

/// Puts the numbers of a comparison together.
///
/// # Errors
/// If contracts or numbers cannot be right.
pub fn contract_results(
    ask: AskContractResults,
    limits: &Limits,
) -> Result<ContractResults, Problem> {
    limits.boards(ask.tricks.len())?;
    let contracts = contracts(&ask.contracts)?;
    let vulnerability = boards::vulnerability(ask.vulnerable.as_deref())?;
    let mut study = ContractStudy::new(contracts.clone(), vulnerability);
    let mut histograms = vec![vec![0u64; 14]; contracts.len()];
    for row in &ask.tricks {
        if row.len() != contracts.len() || row.iter().any(|&tricks| tricks > 13) {
            return Err(Problem::request(
                "a deal needs a number of tricks for each contract",
            ));
        }
        study.add(row);
        for (histogram, &tricks) in histograms.iter_mut().zip(row) {
            histogram[usize::from(tricks)] += 1;
        }
    }
    let list = |estimates: Vec<Estimate>| estimates.into_iter().map(Interval::from).collect();
    let worth = study.results().into_iter().zip(histograms);
    Ok(ContractResults {
        deals: study.deals(),
        contracts: worth
            .map(|(it, histogram)| ContractWorth {
                contract: it.declared.to_string(),
                tricks: it.tricks.into(),
                made: it.made.into(),
                score: it.score.into(),
                imps: list(it.imps),
                matchpoints: list(it.matchpoints),
                histogram,
            })
            .collect(),
    })
}

fn declared(text: &str) -> Result<Declared, Problem> {
    boards::shortened(text).parse().map_err(Problem::request)
}

fn contracts(texts: &[String]) -> Result<Vec<Declared>, Problem> {
    /// Every pair of contracts is compared.
    const MOST: usize = 12;
    if !(1..=MOST).contains(&texts.len()) {
        return Err(Problem::request(format!("give one to {MOST} contracts")));
    }
    texts.iter().map(|text| declared(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEAL: &str = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432";

    #[test]
    fn a_lead_study_in_portions_is_the_study_in_one() {
        let ask = AskLeads {
            deals: vec![DEAL.to_owned()],
            contract: "3N-N".to_owned(),
        };
        let found = leads(ask, &Limits::default()).unwrap();
        assert_eq!(found.cards[0][0], "SJ");
        let ask = AskLeadResults {
            hand: "JT98.JT9.JT9.T98".to_owned(),
            contract: "3N-N".to_owned(),
            vulnerable: None,
            tricks: vec![found.tricks[0].clone(); 3],
        };
        let results = lead_results(ask, &Limits::default()).unwrap();
        assert_eq!(results.layouts, 3);
        assert_eq!(results.leads[0].cards, "SJT98");
        assert_eq!(results.leads[0].sets.value, 0.0);
    }

    #[test]
    fn contracts_are_compared() {
        let contracts = vec!["6N-N".to_owned(), "7N-N".to_owned()];
        let ask = AskTricks {
            deals: vec![DEAL.to_owned()],
            contracts: contracts.clone(),
        };
        let found = tricks(ask, &Limits::default()).unwrap();
        assert_eq!(found.tricks, [[13, 13]]);
        let ask = AskContractResults {
            contracts,
            vulnerable: Some("both".to_owned()),
            tricks: found.tricks,
        };
        let results = contract_results(ask, &Limits::default()).unwrap();
        assert_eq!(results.contracts[1].score.value, 2220.0);
        assert_eq!(results.contracts[0].histogram[13], 1);
    }

    #[test]
    fn nonsense_is_refused() {
        let ask = AskTricks {
            deals: vec!["N:".to_owned()],
            contracts: vec!["8S".to_owned()],
        };
        assert!(tricks(ask, &Limits::default()).is_err());
    }
}
