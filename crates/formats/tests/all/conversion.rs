//! Ten thousand boards with all possible data, written and read in each format.

use cards::{
    BySeat, Card, CardSet, Contract, Deal, Doubling, Seat, Strain, TrickTable, Vulnerability,
};
use croupier_formats::{
    Board, BoardNames, Call, ExtraTag, Extras, InputFormat, OutputFormat, Reader, Record,
    WriteError, Writer,
};

const BOARDS: u64 = 10_000;

/// A random generator with a fixed seed.
struct SeededRandom(u64);

impl SeededRandom {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn deal(&mut self) -> Deal {
        let mut pack: Vec<usize> = (0..52).collect();
        for i in (1..52).rev() {
            pack.swap(i, self.below(i as u64 + 1) as usize);
        }
        let hand = |seat: usize| -> CardSet {
            let cards = pack[13 * seat..13 * seat + 13].iter();
            cards.filter_map(|&index| Card::from_index(index)).collect()
        };
        Deal::new([hand(0), hand(1), hand(2), hand(3)]).unwrap()
    }

    fn text(&mut self, letters: &[&str], longest: u64) -> String {
        let len = self.below(longest);
        let text: String = (0..len)
            .map(|_| letters[self.below(letters.len() as u64) as usize])
            .collect();
        text.trim().to_owned()
    }

    /// Returns legal calls of a complete or incomplete auction.
    fn auction(&mut self) -> Vec<String> {
        let mut calls: Vec<Call> = Vec::new();
        let (mut bid, mut passes) = (0, 0);
        let target = if self.below(10) == 0 {
            self.below(6)
        } else {
            40
        };
        while (calls.len() as u64) < target && passes < if bid == 0 { 4 } else { 3 } {
            if self.below(3) == 0 && bid < 34 {
                bid += 1 + self.below(4.min(35 - bid));
                let (level, strain) = ((bid - 1) / 5 + 1, (bid - 1) % 5);
                let strain = Strain::ALL[strain as usize];
                calls.push(Call::Bid(
                    Contract::new(level as u8, strain, Doubling::Undoubled).unwrap(),
                ));
                passes = 0;
            } else if bid > 0
                && passes == 0
                && matches!(calls.last(), Some(Call::Bid(_)))
                && self.below(5) == 0
            {
                calls.push(Call::Double);
                passes = 0;
            } else {
                calls.push(Call::Pass);
                passes += 1;
            }
        }
        calls.into_iter().map(Call::pbn).collect()
    }

    /// Returns legal plays of some or all tricks.
    fn play(&mut self, deal: &Deal, contract: Contract, declarer: Seat) -> Vec<Card> {
        let mut hands = BySeat(deal.hands());
        let mut play: Vec<Card> = Vec::new();
        let length = if self.below(2) == 0 {
            52
        } else {
            self.below(52) as usize
        };
        let mut leader = declarer.next();
        let mut best: Option<(Seat, Card)> = None;
        while play.len() < length {
            let seat = leader.clockwise(play.len() % 4);
            let led = (!play.len().is_multiple_of(4)).then(|| play[play.len() / 4 * 4].suit());
            let all: Vec<Card> = hands[seat].into_iter().collect();
            let follow: Vec<Card> = all
                .iter()
                .copied()
                .filter(|card| Some(card.suit()) == led)
                .collect();
            let choice = if follow.is_empty() { &all } else { &follow };
            let card = choice[self.below(choice.len() as u64) as usize];
            hands[seat] -= CardSet::of(card);
            let wins = best.is_none_or(|(_, winner)| match card.suit() == winner.suit() {
                true => card.rank() > winner.rank(),
                false => contract.strain.suit() == Some(card.suit()),
            });
            if wins {
                best = Some((seat, card));
            }
            play.push(card);
            if play.len().is_multiple_of(4) {
                leader = best.take().unwrap().0;
            }
        }
        play
    }

    fn record(&mut self, deal: &Deal, dealer: Seat) -> Option<Box<Record>> {
        if self.below(3) == 0 {
            return None;
        }
        let mut record = Record {
            auction: self.auction(),
            ..Record::default()
        };
        let mut declared = None;
        for (i, word) in record.auction.iter().enumerate() {
            if let Some(Call::Bid(bid)) = Call::read(word) {
                declared = Some((i, bid, Doubling::Undoubled));
            } else if let (Some(Call::Double), Some(declared)) = (Call::read(word), &mut declared) {
                declared.2 = Doubling::Doubled;
            }
        }
        if let Some((i, bid, doubling)) = declared {
            let first = (0..=i).find(|&j| {
                j % 2 == i % 2 && matches!(Call::read(&record.auction[j]), Some(Call::Bid(other)) if other.strain == bid.strain)
            });
            let declarer = dealer.clockwise(first.unwrap());
            record.contract = Contract::new(bid.level(), bid.strain, doubling);
            record.declarer = Some(declarer);
            record.play = self.play(deal, bid, declarer);
            if record.play.len() == 52 || self.below(2) == 0 {
                record.result = Some(self.below(14) as u8);
            }
        }
        let texts = ["15-17", "a b", "♥", "é", "x:y", "(", "%", "\"", "\\"];
        for at in 0..record.auction.len() {
            if self.below(6) == 0 {
                let text = self.text(&texts, 4);
                record.notes.push((at, text));
            }
        }
        for at in 0..record.play.len() {
            if self.below(20) == 0 {
                let text = self.text(&texts, 3) + "!";
                record.play_notes.push((at, text));
            }
        }
        (record != Record::default()).then(|| Box::new(record))
    }

    fn board(&mut self, number: u64) -> Board {
        let deal = self.deal();
        let dealer = match self.below(4) {
            0 => Seat::from_index(self.below(4) as usize),
            _ => Seat::dealer_of_board(number),
        };
        let words = [
            "Club", " ", "é", "\"", "\\", "|", ",", "%41", ";", "[", "Ω", "#1",
        ];
        let names = BoardNames {
            event: self.text(&words, 6).trim_start_matches('#').to_owned(),
            site: self.text(&["Bonn", " ", "-"], 3),
            date: ["", "2026.11.16"][self.below(2) as usize].to_owned(),
            players: BySeat(
                Seat::ALL.map(|_| self.text(&words, 3).trim_start_matches('#').to_owned()),
            ),
        };
        let comments = [
            "A remark.",
            "two\nlines",
            "with | a bar; and [brackets]",
            "1NT\n%odd",
        ];
        let extras = Extras {
            comments: comments
                .iter()
                .filter(|_| self.below(4) == 0)
                .map(|text| (*text).to_owned())
                .collect(),
            tags: [
                ("Scoring", "IMP", ""),
                ("Room", "Open | 2", ""),
                ("ScoreTable", "Place\\2R;Score\\5R", " 1 +10.5\n 2  -3"),
            ]
            .iter()
            .filter(|_| self.below(3) == 0)
            .map(|&(name, value, section)| ExtraTag {
                name: name.into(),
                value: value.into(),
                section: section.into(),
            })
            .collect(),
        };
        let solved = self.below(2) == 0;
        let mut rows = [[0; 5]; 4];
        rows.as_flattened_mut()
            .iter_mut()
            .for_each(|cell| *cell = self.below(14) as u8);
        Board {
            number: Some(number),
            dealer: Some(dealer),
            vulnerable: Some(Vulnerability::ALL[self.below(4) as usize]),
            tricks: solved.then(|| TrickTable::new(rows).unwrap()),
            par: solved.then(|| 10 * self.below(300) as i32 - 1500),
            par_contracts: solved.then(|| "NS 3H=, E 4S*-1".to_owned()),
            record: self.record(&deal, dealer),
            names: (names != BoardNames::default()).then(|| Box::new(names)),
            extras: (extras != Extras::default()).then(|| Box::new(extras)),
            ..Board::of(&deal)
        }
    }
}

fn written_and_read(boards: &[Board], format: OutputFormat, read_as: InputFormat) -> Vec<Board> {
    let (mut file, mut writer) = (Vec::new(), Writer::new(format));
    for board in boards {
        writer.write(&mut file, board, &board.deal().unwrap());
    }
    writer.finish(&mut file).unwrap();
    let reader = Reader::new(&file[..]).unwrap();
    assert_eq!(reader.format(), read_as);
    reader
        .map(|board| Board {
            line: 0,
            ..board.unwrap()
        })
        .collect()
}

fn boards(count: u64) -> Vec<Board> {
    let mut dice = SeededRandom(0x5eed_cafe_f00d_1234);
    (1..=count).map(|number| dice.board(number)).collect()
}

#[test]
fn pbn_lin_json_and_links_lose_nothing() {
    let boards = boards(BOARDS);
    for (format, read_as) in [
        (OutputFormat::Pbn, InputFormat::Pbn),
        (OutputFormat::Lin, InputFormat::Lin),
        (OutputFormat::Json, InputFormat::Json),
        (OutputFormat::Handviewer, InputFormat::Lin),
    ] {
        let read = written_and_read(&boards, format, read_as);
        assert_eq!(read.len(), boards.len(), "{format:?}");
        for (read, board) in read.iter().zip(&boards) {
            let mut read = read.clone();
            // LIN has its own notation of calls.
            if let Some(record) = &mut read.record {
                for word in &mut record.auction {
                    *word = Call::read(word).unwrap().pbn();
                }
            }
            assert_eq!(&read, board, "{format:?}");
        }
    }
}

#[test]
fn dealing_machines_get_every_card() {
    let boards = boards(BOARDS);
    for (format, read_as, most) in [
        (OutputFormat::Bri, InputFormat::Bri, BOARDS),
        (OutputFormat::Dge, InputFormat::Dge, BOARDS),
        (OutputFormat::Dup, InputFormat::Dup, 999),
        (OutputFormat::Dlm, InputFormat::Dlm, 99),
    ] {
        for set in boards.chunks(most as usize) {
            let numbered: Vec<Board> = (1..)
                .zip(set)
                .map(|(number, board)| Board {
                    number: Some(number),
                    ..board.clone()
                })
                .collect();
            let read = written_and_read(&numbered, format, read_as);
            let expected: Vec<Board> = numbered
                .iter()
                .map(|board| Board::duplicate(&board.deal().unwrap(), board.number.unwrap()))
                .collect();
            assert_eq!(read.len(), expected.len(), "{format:?}");
            assert!(read == expected, "{format:?}");
        }
    }
}

#[test]
fn csv_holds_tricks_and_par() {
    let boards = boards(BOARDS);
    let read = written_and_read(&boards, OutputFormat::Csv, InputFormat::Csv);
    for (read, board) in read.iter().zip(boards) {
        assert_eq!(
            *read,
            Board {
                names: None,
                record: None,
                extras: None,
                ..board
            }
        );
    }
}

#[test]
fn a_set_keeps_its_numbers_or_is_refused() {
    let boards = boards(50);
    let set = written_and_read(&boards[16..32], OutputFormat::Dup, InputFormat::Dup);
    assert_eq!(
        set.iter()
            .map(|board| board.number.unwrap())
            .collect::<Vec<_>>(),
        (17..=32).collect::<Vec<_>>()
    );
    let set = written_and_read(&boards[16..32], OutputFormat::Dlm, InputFormat::Dlm);
    assert_eq!(set[0].number, Some(17));
    assert_eq!(set.len(), 16);
    let refused = |numbers: &[u64], format| {
        let (mut file, mut writer) = (Vec::new(), Writer::new(format));
        for &number in numbers {
            let board = Board {
                number: Some(number),
                ..boards[0].clone()
            };
            writer.write(&mut file, &board, &board.deal().unwrap());
        }
        writer.finish(&mut file).unwrap_err()
    };
    assert_eq!(
        refused(&[1, 2, 5], OutputFormat::Dup),
        WriteError::Gap {
            after: 2,
            number: 5
        }
    );
    assert_eq!(
        refused(&[3, 1], OutputFormat::Bri),
        WriteError::Gap {
            after: 3,
            number: 1
        }
    );
    assert_eq!(
        refused(&[99, 100], OutputFormat::Dlm),
        WriteError::TooHigh {
            number: 100,
            highest: 99
        }
    );
}

/// The example in the description of the format, both parts.
#[test]
fn the_published_dup_record() {
    let digits = "180437272408224221062507175150321516492941264031464543351128302039140152133403";
    let mut dge: Vec<u8> = Vec::new();
    for hand in [
        "J987.JT7643.A4.Q",
        ".KQ2.QT9.AK98543",
        "AQ42.A8.KJ762.J2",
        "KT653.95.853.T76",
    ] {
        for (symbol, holding) in [6_u8, 3, 4, 5].into_iter().zip(hand.split('.')) {
            dge.push(symbol);
            dge.extend_from_slice(holding.as_bytes());
        }
    }
    let mut record = digits.as_bytes().to_vec();
    record.extend_from_slice(&dge);
    record.extend_from_slice(b"YN1  1 32 ");
    assert_eq!(record.len(), 156);
    let expected: Deal = "N:J987.JT7643.A4.Q .KQ2.QT9.AK98543 AQ42.A8.KJ762.J2 KT653.95.853.T76"
        .parse()
        .unwrap();
    let read = |bytes: &[u8]| {
        Reader::new(bytes)
            .unwrap()
            .map(|board| board.unwrap().deal().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(read(&record), [expected]);
    // The digits alone, one board per line, are the oldest form.
    assert_eq!(
        read(format!("{digits}\r\n{digits}\r\n").as_bytes()),
        [expected; 2]
    );
    let mut ours = Vec::new();
    croupier_formats::duplimate::write_dup(&mut ours, &expected, 1, 32);
    assert_eq!(ours[78..], record[78..]);
    // A sealed file has no visible cards. A file whose parts differ is wrong.
    let mut sealed = record.clone();
    sealed[78..146].fill(b' ');
    assert_eq!(read(&sealed), [expected]);
    record[79] = b'Q';
    record[113] = b'J';
    assert!(Reader::new(&record[..]).unwrap().next().unwrap().is_err());
}

#[test]
fn links_that_name_the_hands() {
    let link = "see https://www.bridgebase.com/tools/handviewer.html?n=sakjhkqjda9873cq9&e=sqtht75dqt6cjt843&s=s98642h842d52c652\
        &w=s753ha963dkj4cak7&d=e&v=b&b=12&nn=Ann%20B&a=p1n!(15-17)p3nppp&p=hah2&c=9 \n";
    let board = Reader::new(link.as_bytes())
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(
        board.deal().unwrap().to_string(),
        "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
    );
    assert_eq!(
        (board.number, board.dealer, board.vulnerable),
        (Some(12), Some(Seat::East), Some(Vulnerability::Both))
    );
    assert_eq!(board.names.unwrap().players[Seat::North], "Ann B");
    let record = board.record.unwrap();
    assert_eq!(record.auction, ["p", "1N", "p", "3N", "p", "p", "p"]);
    assert_eq!(record.notes, [(1, "15-17".to_owned())]);
    assert_eq!(
        (record.declarer, record.result, record.play.len()),
        (Some(Seat::South), Some(9), 2)
    );
}

#[test]
fn turning_four_times_is_no_turn() {
    for board in boards(200) {
        let mut turned = board.clone();
        for _ in 0..4 {
            turned = turned.turned(1);
        }
        assert_eq!(
            turned,
            Board {
                par_contracts: None,
                ..board.clone()
            }
        );
        let once = board.clone().turned(1);
        assert_eq!(once.hands.0[Seat::East], board.hands.0[Seat::North]);
        assert_eq!(once.dealer, board.dealer.map(Seat::next));
    }
}
