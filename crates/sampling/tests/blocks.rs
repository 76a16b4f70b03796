//! The deals of a block are made together; each must be the one that its number has alone.

mod language;

use language::Text;
use sampling::{Budget, Sampler};
use shuffle::Key;

/// One hand, two, all lengths of four, points of four, a side, features that depend on lengths.
const CONDITIONS: [&str; 7] = [
    "spades(north)==5",
    "spades(north)>=6 and hcp(north)>=10 and hcp(north)<=12",
    "spades(north)>=6 and hcp(north)<=12 and hearts(south)>=5 and hcp(south)>=13",
    "spades(north)>=7 and hearts(east)>=7 and diamonds(south)>=7 and clubs(west)>=7",
    "hcp(north)==10 and hcp(east)==10 and hcp(south)==10 and hcp(west)==10",
    "hcp(north)+hcp(south)>=25 and hearts(north)+hearts(south)>=8",
    "hearts(north)>=5 and hcp(north)>=8 and hcp(north)<=11 and losers(north)<=6",
];

#[test]
fn a_deal_of_a_block_is_the_deal_of_its_number() {
    let key = Key::from_seed(11);
    for condition in CONDITIONS {
        let text = Text::read(condition);
        let sampler = Sampler::new(&text.problem(), Budget::default()).unwrap();
        let (mut deals, mut candidates) = (Vec::new(), Vec::new());
        sampler.block(&key, 2, &mut deals);
        sampler.candidates(&key, 2, &mut candidates);
        assert_eq!(deals.len() as u64, sampling::BLOCK);
        assert!(deals.iter().all(|deal| text.accepts(deal)), "{condition}");
        assert!(
            deals
                .iter()
                .map(Some)
                .eq(candidates.iter().map(Option::as_ref))
        );
        for (number, deal) in deals.iter().enumerate().step_by(97) {
            let alone = sampler.sample(&key, 2 * sampling::BLOCK + number as u64);
            assert_eq!(alone.as_ref(), Some(deal), "{condition}, deal {number}");
        }
    }
}
