//! A bound from fractional weights (Lagrange multipliers).
//!
//! A world that several replies can lose counts in each of them with a share of its weight. Any shares with sum one
//! give a valid bound. Multiplicative updates move weight to the replies (and within a choice to the factors) whose
//! cheapest result loses the world. The best bound found is kept.

use crate::front::Front;
use crate::root::{Choice, Reply, at_risk};
use crate::weight::{Objective, Weight};
use crate::worlds::WorldSet;

/// Rounds of the optimisation.
const ROUNDS: u32 = 120;

/// The weight of each level and world, level after level.
type Weights = Vec<f64>;

/// Weights for the bounds at every depth of the search.
pub(super) struct Prices {
    /// `[place][reply][choice][factor]`: if the replies from `place` on are undecided.
    pub(super) between_replies: Vec<Vec<Vec<Vec<Weights>>>>,
    /// `[reply][choice][index][factor - index]`: if the factors of a choice from `index` on are undecided.
    pub(super) within_choice: Vec<Vec<Vec<Vec<Weights>>>>,
}

/// Shares before normalisation.
#[derive(Clone)]
struct Shares {
    /// `[reply]`.
    replies: Vec<Weights>,
    /// `[reply][choice][factor]`.
    factors: Vec<Vec<Vec<Weights>>>,
}

/// Calls `visit` with the index of every level and world of `result` in a list of weights.
fn for_each_place<const W: usize>(result: &[WorldSet<W>], mut visit: impl FnMut(usize)) {
    for (level, set) in result.iter().enumerate() {
        set.for_each(|world| visit(level * 64 * W + world));
    }
}

fn lost<const W: usize>(
    result: &[WorldSet<W>],
    worlds: &WorldSet<W>,
    added: &[WorldSet<W>],
) -> Vec<WorldSet<W>> {
    let sets = result.iter().zip(added);
    sets.map(|(&set, added)| (set & *worlds).without(added))
        .collect()
}

/// Returns the least weight that `result` loses by a result of `front`, counted in `worlds`.
pub(super) fn priced_loss<const W: usize>(
    result: &[WorldSet<W>],
    front: &Front<W>,
    worlds: &WorldSet<W>,
    prices: &[f64],
) -> f64 {
    let mut least = f64::INFINITY;
    'results: for added in front.results() {
        let mut loss = 0.0;
        for (level, (&set, added)) in result.iter().zip(added).enumerate() {
            let prices = &prices[level * 64 * W..(level + 1) * 64 * W];
            for word in 0..W {
                let mut rest = set.0[word] & worlds.0[word] & !added.0[word];
                while rest != 0 {
                    loss += prices[word * 64 + rest.trailing_zeros() as usize];
                    rest &= rest - 1;
                }
            }
            if loss >= least {
                continue 'results;
            }
        }
        least = loss;
        if loss == 0.0 {
            break;
        }
    }
    least
}

/// Returns the least priced loss over the choices of a reply.
pub(super) fn priced_loss_of_reply<const W: usize>(
    result: &[WorldSet<W>],
    choices: &[Choice<W>],
    prices: &[Vec<Weights>],
) -> f64 {
    let mut least = f64::INFINITY;
    for (choice, prices) in choices.iter().zip(prices) {
        let mut loss = 0.0;
        for (factor, prices) in choice.factors.iter().zip(prices) {
            loss += priced_loss(result, &factor.front, &factor.worlds, prices);
            if loss >= least {
                break;
            }
        }
        least = least.min(loss);
        if least == 0.0 {
            break;
        }
    }
    least
}

fn add(sum: &mut [f64], shares: &[f64]) {
    for (sum, share) in sum.iter_mut().zip(shares) {
        *sum += share;
    }
}

fn total<'a>(shares: impl IntoIterator<Item = &'a Weights>, size: usize) -> Weights {
    let mut sum = vec![0.0; size];
    for shares in shares {
        add(&mut sum, shares);
    }
    sum
}

impl Shares {
    /// Returns equal shares for every place where a world is at risk.
    fn equal<const W: usize>(caps: &[WorldSet<W>], replies: &[Reply<W>]) -> Shares {
        let size = caps.len() * 64 * W;
        let mut shares = Shares {
            replies: Vec::new(),
            factors: Vec::new(),
        };
        for reply in replies {
            let mut of_reply = vec![0.0; size];
            let of_choices = reply.choices.iter().map(|choice| {
                let of_factors = choice.factors.iter().map(|factor| {
                    let mut of_factor = vec![0.0; size];
                    for_each_place(&at_risk(factor, caps), |place| {
                        of_factor[place] = 1.0;
                        of_reply[place] = 1.0;
                    });
                    of_factor
                });
                of_factors.collect()
            });
            shares.factors.push(of_choices.collect());
            shares.replies.push(of_reply);
        }
        shares
    }

    /// Returns the weights of one factor, from the sums of the undecided shares.
    fn weights(
        &self,
        full: &[f64],
        reply: usize,
        sum_of_replies: &[f64],
        shares: &[f64],
        sum_of_factors: &[f64],
    ) -> Weights {
        let of_reply = &self.replies[reply];
        let weight = |place: usize| match sum_of_replies[place] > 0.0 && sum_of_factors[place] > 0.0
        {
            true => {
                full[place]
                    * (of_reply[place] / sum_of_replies[place])
                    * (shares[place] / sum_of_factors[place])
            }
            false => 0.0,
        };
        (0..full.len()).map(weight).collect()
    }

    /// Moves shares to the factors whose cheapest results lose worlds. Returns the bound before that.
    fn improve<const W: usize>(
        &mut self,
        caps: &[WorldSet<W>],
        replies: &[Reply<W>],
        full: &[f64],
        growth: f64,
    ) -> f64 {
        let size = full.len();
        let sum_of_replies = total(&self.replies, size);
        let mut bound = 0.0;
        let mut next = self.clone();
        for (index, reply) in replies.iter().enumerate() {
            let mut cheapest = (f64::INFINITY, Vec::new());
            for (number, choice) in reply.choices.iter().enumerate() {
                let shares = &self.factors[index][number];
                let sum_of_factors = total(shares, size);
                let mut loss = 0.0;
                let mut places = vec![false; size];
                for (place, factor) in choice.factors.iter().enumerate() {
                    let weights = self.weights(
                        full,
                        index,
                        &sum_of_replies,
                        &shares[place],
                        &sum_of_factors,
                    );
                    let (least, gone) =
                        cheapest_result(caps, &factor.front, &factor.worlds, &weights);
                    loss += least;
                    for_each_place(&gone, |world| {
                        next.factors[index][number][place][world] *= growth;
                        places[world] = true;
                    });
                }
                if loss < cheapest.0 {
                    cheapest = (loss, places);
                }
            }
            if cheapest.0.is_finite() {
                bound += cheapest.0;
            }
            for (share, _) in next.replies[index]
                .iter_mut()
                .zip(&cheapest.1)
                .filter(|(_, lost)| **lost)
            {
                *share *= growth;
            }
        }
        *self = next;
        bound
    }
}

/// Returns the least loss of `caps` by a result of `front`, and the worlds that it loses.
fn cheapest_result<const W: usize>(
    caps: &[WorldSet<W>],
    front: &Front<W>,
    worlds: &WorldSet<W>,
    weights: &[f64],
) -> (f64, Vec<WorldSet<W>>) {
    let mut least = (f64::INFINITY, Vec::new());
    for added in front.results() {
        let gone = lost(caps, worlds, added);
        let mut loss = 0.0;
        for_each_place(&gone, |place| loss += weights[place]);
        if loss < least.0 {
            least = (loss, gone);
        }
    }
    least
}

impl Prices {
    /// Optimises the bound at the root and derives the weights of all depths from it.
    pub(super) fn new<T: Weight, const W: usize>(
        caps: &[WorldSet<W>],
        replies: &[Reply<W>],
        objective: &Objective<T>,
    ) -> Prices {
        let size = caps.len() * 64 * W;
        let mut full = vec![0.0; size];
        for_each_place(caps, |place| {
            full[place] = objective
                .weight(place / (64 * W), place % (64 * W))
                .to_f64();
        });
        let mut shares = Shares::equal(caps, replies);
        let mut best = (-1.0, shares.clone());
        for round in 0..ROUNDS {
            // The largest share is e^(sum of the exponents) < e^25, so nothing overflows.
            let growth = (0.6 / (1.0 + f64::from(round) / 15.0)).exp();
            let before = shares.clone();
            let bound = shares.improve(caps, replies, &full, growth);
            if bound > best.0 {
                best = (bound, before);
            }
        }
        Prices::at_every_depth(&best.1, replies, &full)
    }

    fn at_every_depth<const W: usize>(
        shares: &Shares,
        replies: &[Reply<W>],
        full: &[f64],
    ) -> Prices {
        let size = full.len();
        let mut prices = Prices {
            between_replies: Vec::new(),
            within_choice: Vec::new(),
        };
        for place in 0..replies.len() {
            let sum_of_replies = total(&shares.replies[place..], size);
            let of_reply = |reply: usize| -> Vec<Vec<Weights>> {
                if reply < place {
                    return Vec::new();
                }
                let of_choice = |factors: &Vec<Weights>| -> Vec<Weights> {
                    let sum = total(factors, size);
                    let of_factor = |shares_: &Weights| {
                        shares.weights(full, reply, &sum_of_replies, shares_, &sum)
                    };
                    factors.iter().map(of_factor).collect()
                };
                shares.factors[reply].iter().map(of_choice).collect()
            };
            prices
                .between_replies
                .push((0..replies.len()).map(of_reply).collect());
            let of_choice = |factors: &Vec<Weights>| -> Vec<Vec<Weights>> {
                let from = |index: usize| -> Vec<Weights> {
                    let sum = total(&factors[index..], size);
                    let of_factor = |shares_: &Weights| {
                        shares.weights(full, place, &sum_of_replies, shares_, &sum)
                    };
                    factors[index..].iter().map(of_factor).collect()
                };
                (0..factors.len()).map(from).collect()
            };
            prices
                .within_choice
                .push(shares.factors[place].iter().map(of_choice).collect());
        }
        prices
    }
}
