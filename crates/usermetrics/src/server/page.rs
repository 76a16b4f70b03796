//! Layout of the shared-memory page between dealer and server.
//!
//! Offsets and widths are those of DealerV2 on 64-bit Linux: native byte order, suits from clubs to
//! spades, seats North, East, South, West. This file fills byte buffers; [`super::shared`] shares them.

use std::ops::Range;

use cards::{CardSet, Deal, Seat, Side, Suit};
use valuation::{CountTables, Opc, controls, losers, ltc, suit_controls, suit_losers, suit_ltc};

use crate::{KnownTricks, MetricRequest, MetricResults, SLOTS};

/// Size of the page in bytes.
pub(crate) const PAGE: usize = 4096;

pub(crate) const HEADER: Range<usize> = 0..152;
pub(crate) const QUERY: usize = 152;
const QUERY_TEXT: usize = 212;
const REPLY: usize = 244;
const DEAL: usize = 312;
const HANDS: usize = 320;
const HAND_RECORD: usize = 292;
const CARDS: usize = 1488;
const SIDES: usize = 1540;
const SIDE_RECORD: usize = 36;
const TRICKS_KNOWN: usize = 1612;
const TRICKS: usize = 1616;
const RESULTS: usize = 1696;
const CACHE: usize = 2720;
const MARKER: usize = 4090;

/// Maximum length of a name in the header in bytes, including the final NUL.
const NAME: usize = 32;

/// Returns the range of the results of a side.
pub(crate) const fn results_of(side: Side) -> Range<usize> {
    let start = RESULTS + 4 * SLOTS * side.index();
    start..start + 4 * SLOTS
}

/// The range that the dealer writes before each query: query, deal and cache words.
pub(crate) const WRITTEN: Range<usize> = QUERY..CACHE + 24;

/// The dealer's copy of the page, from which the shared page is written.
pub(crate) struct Page {
    pub(crate) bytes: Box<[u8; PAGE]>,
    /// The deal of the last request, and the number of changes of the deal.
    last_deal: Option<Deal>,
    deals: u64,
}

impl Page {
    /// Returns the page with the dealer's debug level in its last bytes.
    pub(crate) fn marked(mut self, level: u8) -> Page {
        let marker = format!("{:2}EOF\0", level.min(99));
        self.bytes[MARKER..].copy_from_slice(marker.as_bytes());
        self
    }

    /// Creates a page with its header.
    pub(crate) fn new(map: &str, query: &str, reply: &str, standard_error: i32) -> Page {
        let mut page = Page {
            bytes: Box::new([0; PAGE]),
            last_deal: None,
            deals: 0,
        };
        page.text(0, map);
        page.text(NAME, query);
        page.text(2 * NAME, reply);
        let offsets = [QUERY, REPLY, DEAL, RESULTS, RESULTS + 4 * SLOTS, CACHE];
        for (place, offset) in (96..).step_by(8).zip(offsets) {
            page.bytes[place..place + 8].copy_from_slice(&(offset as i64).to_ne_bytes());
        }
        page.number(144, standard_error);
        for place in 0..4 {
            page.number(CACHE + 4 * place, -1);
        }
        page.bytes[MARKER..].copy_from_slice(b" 0EOF\0");
        page
    }

    fn text(&mut self, place: usize, text: &str) {
        let kept = &text.as_bytes()[..text.len().min(NAME - 1)];
        self.bytes[place..place + NAME].fill(0);
        self.bytes[place..place + kept.len()].copy_from_slice(kept);
    }

    fn number(&mut self, place: usize, value: i32) {
        self.bytes[place..place + 4].copy_from_slice(&value.to_ne_bytes());
    }

    /// Writes a query and its deal. The earlier results of the side are cleared, so that results cannot depend
    /// on earlier queries.
    pub(crate) fn ask(&mut self, request: &MetricRequest<'_>) {
        let numbers = [
            request.tag,
            request.side.index() as i32,
            i32::from(request.seat.is_some()),
            request.seat.map_or(0, |seat| seat.index() as i32),
            i32::from(request.suit.is_some()),
            request.suit.map_or(0, |suit| suit.index() as i32),
            request.index & 0xff,
        ];
        for (place, number) in (QUERY..).step_by(4).zip(numbers) {
            self.number(place, number);
        }
        self.number(CACHE + 16 + 4 * request.side.index(), 0);
        self.bytes[results_of(request.side)].fill(0);
        self.deal(request);
    }

    /// Returns the number of the deal. The protocol has 32 bits for it, so it wraps in longer runs.
    fn deal_number(&self, request: &MetricRequest<'_>) -> i32 {
        request.generated.unwrap_or(self.deals) as i32
    }

    fn deal(&mut self, request: &MetricRequest<'_>) {
        let asked_about = *request.deal;
        if self.last_deal.replace(asked_about) != Some(asked_about) {
            self.deals += 1;
        }
        self.number(DEAL, self.deal_number(request));
        self.number(DEAL + 4, request.produced as i32);
        for seat in Seat::ALL {
            let place = HANDS + HAND_RECORD * seat.index();
            let record = &mut self.bytes[place..place + HAND_RECORD];
            let terms = request.shape_terms[seat.index()];
            HandRecord { rest: record }.fill(seat, request.deal.hand(seat), request.tables, terms);
            let cards = &mut self.bytes[CARDS + 13 * seat.index()..][..13];
            for (place, card) in cards.iter_mut().zip(request.deal.hand(seat)) {
                *place = (16 * card.suit().index() + card.rank().index()) as u8;
            }
        }
        for side in Side::ALL {
            self.side(side, request.opc[side.index()].as_ref());
        }
        self.tricks(request.tricks);
    }

    fn side(&mut self, side: Side, opc: Option<&Opc>) {
        let numbers = opc.map_or([0; 9], |opc| {
            let [clubs, diamonds, hearts, spades] = opc.suits.0;
            let quick =
                [opc.quick_losers_suit, opc.quick_losers_notrump].map(|losers| 100 * losers);
            let [in_suit, in_notrump] = quick;
            let longest = opc.longest();
            [
                1,
                opc.notrump,
                longest,
                clubs,
                diamonds,
                hearts,
                spades,
                in_suit,
                in_notrump,
            ]
        });
        let start = SIDES + SIDE_RECORD * side.index();
        for (place, number) in (start..).step_by(4).zip(numbers) {
            self.number(place, number);
        }
    }

    /// Writes the tricks of this deal, if they are known. The area stays empty until a deal has tricks.
    fn tricks(&mut self, tricks: Option<&KnownTricks>) {
        let tricks = tricks.filter(|tricks| tricks.iter().flatten().any(Option::is_some));
        let blank = self.bytes[TRICKS_KNOWN..TRICKS + 80]
            .iter()
            .all(|&byte| byte == 0);
        if tricks.is_none() && blank {
            return;
        }
        self.number(TRICKS_KNOWN, i32::from(tricks.is_some()));
        let known = tricks.copied().unwrap_or_default();
        for (place, tricks) in (TRICKS..).step_by(4).zip(known.iter().flatten()) {
            self.number(place, tricks.map_or(-1, i32::from));
        }
    }

    /// Copies the results of a side, with the tag and the deal that they belong to.
    pub(crate) fn answered(
        &mut self,
        request: &MetricRequest<'_>,
        results: &[u8],
    ) -> MetricResults {
        self.bytes[results_of(request.side)].copy_from_slice(results);
        let side = 4 * request.side.index();
        self.number(CACHE + side, self.deal_number(request));
        self.number(CACHE + 8 + side, request.tag);
        self.number(CACHE + 16 + side, 1);
        let mut values = [0; SLOTS];
        for (value, bytes) in values.iter_mut().zip(results.chunks_exact(4)) {
            *value = i32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        values
    }

    /// Writes the query that stops the server.
    pub(crate) fn quit(&mut self) {
        self.number(QUERY, -1);
        self.text(QUERY_TEXT, "NORMAL EOJ For Server");
    }
}

/// A hand record of 16-bit numbers, which is filled from its start.
struct HandRecord<'a> {
    rest: &'a mut [u8],
}

impl HandRecord<'_> {
    fn put(&mut self, value: i32) {
        let rest = std::mem::take(&mut self.rest);
        let (place, rest) = rest.split_at_mut(2);
        // Counts of user-defined tables may exceed 16 bits. They wrap as in C.
        place.copy_from_slice(&(value as i16).to_ne_bytes());
        self.rest = rest;
    }

    fn put_suits(&mut self, of: impl Fn(Suit) -> i32) {
        for suit in Suit::ALL {
            self.put(of(suit));
        }
    }

    fn fill(mut self, seat: Seat, hand: CardSet, tables: &CountTables, shape_terms: u16) {
        let holding = |suit| hand.holding(suit);
        self.put(seat.index() as i32);
        self.put_suits(|suit| holding(suit).len() as i32);
        self.put_suits(|suit| tables.hcp.suit(holding(suit)));
        self.put(tables.hcp.hand(hand));
        self.put(i32::from(shape_terms));
        self.put_suits(|suit| suit_losers(holding(suit)));
        self.put(losers(hand));
        self.put_suits(|suit| suit_controls(holding(suit)));
        self.put(controls(hand));
        let counts = || tables.counts.iter().chain([&tables.hcp]);
        for table in counts() {
            self.put_suits(|suit| table.suit(holding(suit)));
        }
        for table in counts() {
            self.put(table.hand(hand));
        }
        let square = Suit::ALL
            .iter()
            .all(|&suit| matches!(holding(suit).len(), 3 | 4));
        self.put(i32::from(square));
        self.put_suits(|suit| suit_ltc(holding(suit)));
        self.put(ltc(hand));
        for suit in Suit::ALL {
            self.put_top_cards(hand, suit);
        }
        for suit in Suit::ALL {
            for rank in cards::Rank::ALL {
                self.put(i32::from(holding(suit).contains(rank)));
            }
        }
    }

    /// Writes the weights of the three highest cards of a suit; 128 stands for a missing card.
    fn put_top_cards(&mut self, hand: CardSet, suit: Suit) {
        let mut ranks = hand.holding(suit).iter();
        for _ in 0..3 {
            self.put(match ranks.next().map(|rank| rank.index()) {
                None => 128,
                // Ten 4, jack 8, queen 16, king 32, ace 64.
                Some(rank @ 8..) => 4 << (rank - 8),
                Some(_) => 1,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Returns a page that DealerV2 wrote: see `tests/data/README.md`.
    fn snapshot(name: &str) -> Vec<u8> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data")
            .join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let bytes: Vec<u8> = text
            .lines()
            .flat_map(|line| line.split_whitespace().skip(1))
            .map(|byte| u8::from_str_radix(byte, 16).unwrap())
            .collect();
        assert_eq!(bytes.len(), PAGE);
        bytes
    }

    fn deal() -> Deal {
        "n K43.KQ6.J52.K853 e J97.AJ83.AQ873.J s Q.T752.KT64.AQ97 w AT8652.94.9.T642"
            .parse()
            .unwrap()
    }

    /// Returns the page of the run that made the snapshots, before its first query.
    fn fresh_page() -> Page {
        Page::new("", "/q_sem_030657", "/r_sem_030657", 4)
    }

    fn first_query(deal: &Deal) -> MetricRequest<'_> {
        MetricRequest {
            index: 1,
            generated: Some(2),
            shape_terms: [1, 0, 0, 0],
            ..MetricRequest::new(6, deal, Side::NorthSouth)
        }
    }

    /// Returns the results of the server in the reference run: slot i of tag t is 10 t + i.
    fn answer(tag: i32) -> Vec<u8> {
        (0..SLOTS as i32)
            .flat_map(|slot| (10 * tag + slot).to_ne_bytes())
            .collect()
    }

    fn second_query(deal: &Deal) -> MetricRequest<'_> {
        MetricRequest {
            seat: Some(Seat::West),
            suit: Some(Suit::Diamonds),
            index: 3,
            generated: Some(2),
            produced: 1,
            shape_terms: [1, 0, 0, 0],
            ..MetricRequest::new(9, deal, Side::EastWest)
        }
    }

    /// Sorts the cards of each hand as we write them. The snapshots have them in the order in which they were dealt.
    fn sort_cards(page: &mut [u8]) {
        for seat in 0..4 {
            page[CARDS + 13 * seat..][..13].sort_by(|a, b| b.cmp(a));
        }
    }

    #[track_caller]
    fn assert_same(ours: &[u8], theirs: &[u8]) {
        let differing: Vec<usize> = (0..PAGE).filter(|&i| ours[i] != theirs[i]).collect();
        assert_eq!(differing, [], "bytes that differ");
    }

    #[test]
    fn the_pages_of_the_reference_byte_by_byte() {
        let deal = deal();
        let mut page = fresh_page();
        page.ask(&first_query(&deal));
        let mut condition = snapshot("page_condition.hex");
        sort_cards(&mut condition);
        assert_same(&page.bytes[..], &condition);

        let results = page.answered(&first_query(&deal), &answer(6));
        assert_eq!(results[1], 61);
        page.ask(&second_query(&deal));
        assert_same(&page.bytes[..], &snapshot("page_action.hex"));

        page.answered(&second_query(&deal), &answer(9));
        page.quit();
        assert_same(&page.bytes[..], &snapshot("page_quit.hex"));
    }

    #[test]
    fn tricks_and_points_of_one_deal_are_not_left_to_the_next() {
        let deal = deal();
        let mut page = fresh_page();
        let mut tricks = KnownTricks::default();
        tricks[Seat::North.index()][3] = Some(9);
        let pair = valuation::HandPair::of(&deal, Side::NorthSouth, Seat::South);
        let known = MetricRequest {
            tricks: Some(&tricks),
            opc: [Some(valuation::opc(&pair)), None],
            ..first_query(&deal)
        };
        page.ask(&known);
        let number = |page: &Page, place: usize| {
            i32::from_ne_bytes(page.bytes[place..place + 4].try_into().unwrap())
        };
        assert_eq!(number(&page, TRICKS_KNOWN), 1);
        assert_eq!([number(&page, TRICKS), number(&page, TRICKS + 12)], [-1, 9]);
        assert_eq!(number(&page, SIDES), 1);
        page.ask(&first_query(&deal));
        assert_eq!(number(&page, TRICKS_KNOWN), 0);
        assert_eq!(number(&page, TRICKS + 12), -1);
        assert_eq!(number(&page, SIDES), 0);
    }

    #[test]
    fn deals_without_a_number_get_one() {
        let deal = deal();
        let other = deal.swapped(Seat::North, Seat::East);
        let mut page = fresh_page();
        let mut asked = |deal: &Deal, side| {
            page.ask(&MetricRequest::new(0, deal, side));
            i32::from_ne_bytes(page.bytes[DEAL..DEAL + 4].try_into().unwrap())
        };
        assert_eq!(asked(&deal, Side::NorthSouth), 1);
        assert_eq!(asked(&deal, Side::EastWest), 1);
        assert_eq!(asked(&other, Side::NorthSouth), 2);
        assert_eq!(asked(&deal, Side::NorthSouth), 3);
    }
}
