//! The deals of a block are drawn together. Each must equal the deal that its number gives when drawn alone.

use crate::language::ConditionText;
use croupier_sampling::{Budget, Sampler};
use shuffle::Key;

/// Conditions on one hand, two, all lengths of four, points of four, a side, features that depend on lengths.
const CONDITIONS: [&str; 7] = [
    "spades(north)==5",
    "spades(north)>=6 and hcp(north)>=10 and hcp(north)<=12",
    "spades(north)>=6 and hcp(north)<=12 and hearts(south)>=5 and hcp(south)>=13",
    "spades(north)>=7 and hearts(east)>=7 and diamonds(south)>=7 and clubs(west)>=7",
    "hcp(north)==10 and hcp(east)==10 and hcp(south)==10 and hcp(west)==10",
    "hcp(north)+hcp(south)>=25 and hearts(north)+hearts(south)>=8",
    "hearts(north)>=5 and hcp(north)>=8 and hcp(north)<=11 and losers(north)<=6",
];

/// A two-suiter opposite a void.
const W6: &str = "shape(north,any 7420 + any 7411) and controls(north)>=6 and hcp(north)<=15 and ((spades(north)==7 and hearts(north)==4 and spades(south)>=4 and (diamonds(south)==0 or clubs(south)==0)) or (spades(north)==7 and diamonds(north)==4 and spades(south)>=4 and (hearts(south)==0 or clubs(south)==0)) or (spades(north)==7 and clubs(north)==4 and spades(south)>=4 and (hearts(south)==0 or diamonds(south)==0)) or (hearts(north)==7 and spades(north)==4 and hearts(south)>=4 and (diamonds(south)==0 or clubs(south)==0)) or (hearts(north)==7 and diamonds(north)==4 and hearts(south)>=4 and (spades(south)==0 or clubs(south)==0)) or (hearts(north)==7 and clubs(north)==4 and hearts(south)>=4 and (spades(south)==0 or diamonds(south)==0)) or (diamonds(north)==7 and spades(north)==4 and diamonds(south)>=4 and (hearts(south)==0 or clubs(south)==0)) or (diamonds(north)==7 and hearts(north)==4 and diamonds(south)>=4 and (spades(south)==0 or clubs(south)==0)) or (diamonds(north)==7 and clubs(north)==4 and diamonds(south)>=4 and (spades(south)==0 or hearts(south)==0)) or (clubs(north)==7 and spades(north)==4 and clubs(south)>=4 and (hearts(south)==0 or diamonds(south)==0)) or (clubs(north)==7 and hearts(north)==4 and clubs(south)>=4 and (spades(south)==0 or diamonds(south)==0)) or (clubs(north)==7 and diamonds(north)==4 and clubs(south)>=4 and (spades(south)==0 or hearts(south)==0)))";

#[test]
fn a_deal_of_a_block_is_the_deal_of_its_number() {
    let key = Key::from_seed(11);
    for condition in CONDITIONS {
        let text = ConditionText::read(condition);
        let sampler = Sampler::new(&text.problem(), Budget::default()).unwrap();
        let (mut deals, mut candidates) = (Vec::new(), Vec::new());
        sampler.block(&key, 2, &mut deals);
        sampler.candidates(&key, 2, &mut candidates);
        assert_eq!(deals.len() as u64, croupier_sampling::BLOCK);
        assert!(deals.iter().all(|deal| text.accepts(deal)), "{condition}");
        assert!(
            deals
                .iter()
                .map(Some)
                .eq(candidates.iter().map(Option::as_ref))
        );
        for (number, deal) in deals.iter().enumerate().step_by(97) {
            let alone = sampler.sample(&key, 2 * croupier_sampling::BLOCK + number as u64);
            assert_eq!(alone.as_ref(), Some(deal), "{condition}, deal {number}");
        }
    }
}

/// Returns a checksum of 8192 deals in their order.
fn checksum(condition: &str) -> u64 {
    let sampler =
        Sampler::new(&ConditionText::read(condition).problem(), Budget::default()).unwrap();
    let mut deals = Vec::new();
    let mut sum = 0xcbf2_9ce4_8422_2325u64;
    for block in 0..8 {
        sampler.block(&Key::from_seed(1), block, &mut deals);
        for hand in deals.iter().flat_map(|deal| deal.hands()) {
            // The FNV-1a hash of Fowler, Noll and Vo.
            sum = (sum ^ hand.0)
                .wrapping_mul(0x0100_0000_01b3)
                .rotate_left(29);
        }
    }
    sum
}

/// The checksums were recorded with an implementation that scanned all candidates one by one.
#[test]
fn the_deals_of_a_seed_stay_the_same() {
    let balanced = "any 4333 + any 4432 + any 5332";
    let strong = format!("hcp(north)>=15 and hcp(north)<=17 and shape(north,{balanced})");
    let known: [(&str, u64); 15] = [
        (CONDITIONS[0], 0xe728_d83d_a003_3bc4),
        (CONDITIONS[1], 0x9b62_13c3_9441_c570),
        (CONDITIONS[2], 0x791e_bccf_895f_344e),
        (CONDITIONS[3], 0xa7b1_37e7_6690_bc69),
        (CONDITIONS[4], 0x9243_f4c3_8c3b_c938),
        (CONDITIONS[5], 0x480e_acbb_275a_e485),
        (CONDITIONS[6], 0xd978_64ac_21cf_e437),
        (
            "spades(north)>=6 and hcp(north)>=10 and hcp(north)<=12 and hearts(south)>=5 and hcp(south)>=13 and hcp(south)<=15",
            0xe9fb_0db8_fbeb_6cb0,
        ),
        (
            "hearts(north)==6 and spades(north)<=3 and hcp(north)>=5 and hcp(north)<=9 and spades(east)>=4 and hcp(east)>=12 and diamonds(west)>=3 and hcp(west)<=9",
            0x8cb9_692c_0321_7261,
        ),
        (
            "hcp(north)>=15 and hcp(north)<=17 and hcp(south)>=8 and hcp(south)<=9",
            0x15fd_cd69_739c_4480,
        ),
        (
            &format!(
                "{strong} and (spades(south)>=5 or hearts(south)>=5) and hcp(south)>=8 and hcp(south)<=11"
            ),
            0xbb8f_d2f3_7348_8c6e,
        ),
        (
            &format!("{strong} and hcp(north)+hcp(south)>=25 and hearts(north)+hearts(south)>=8"),
            0x78de_043d_c04d_a40a,
        ),
        (
            &format!(
                "{strong} and hearts(south)>=5 and hcp(south)<=9 and spades(east)>=5 and hcp(east)>=8 and hcp(east)<=14 and diamonds(west)>=3 and hcp(west)<=11"
            ),
            0xcce3_3b20_c89e_4eaf,
        ),
        ("hcp(north)>=20", 0x1ade_f2d0_74f6_9820),
        (W6, 0xac83_1221_53c1_3c8f),
    ];
    let found = known.map(|(condition, _)| checksum(condition));
    assert_eq!(found, known.map(|(_, sum)| sum));
}
