//! Evaluation tasks compared with other programs: nanoseconds of processor time per hand, of one thread.
//!
//! `cargo bench -p croupier-poker --bench tasks -- --peer PROGRAM --peer PROGRAM ...`; `--only TEXT` selects tasks. A peer
//! is called with the name of a task and a file of random hands, one byte for each card (`4 * rank + suit`), and prints
//! three numbers: how many hands beat the next hand, how many are equal to it, and the nanoseconds per hand. For the task
//! `all7` the first number is that of all seven-card hands that beat the first hand of the file. It prints `unsupported`
//! if it lacks the task. Ours and the peers run in turn, and the medians count. The first two numbers are compared, so
//! that all programs do the work.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use cards::{Card, CardSet};
use cpu_time::ThreadTime;
use croupier_poker::enumeration::{HANDS, for_each_rank};
use croupier_poker::{
    HandRank, PokerHand, evaluate_omaha_batch, evaluate5_cards, evaluate6_cards, evaluate7,
    evaluate7_batch, evaluate7_cards,
};
use shuffle::{BlockWords, Key, RandomWords, Stream};

/// Number of random hands; all of them, prepared, fit the second level of most caches.
const STREAM: usize = 1 << 16;
/// Number of turns, and the shortest time of one.
const TURNS: usize = 9;
const AT_LEAST: Duration = Duration::from_millis(100);

/// The answer to a task: hands that beat the next, hands equal to the next, nanoseconds per hand.
type Answer = (u64, u64, f64);

/// A task with its name for the peers, its title and our program.
struct Task {
    name: &'static str,
    title: &'static str,
    cards: usize,
    ours: fn(&[Vec<Card>], Duration) -> Answer,
}

const TASKS: [Task; 8] = [
    Task {
        name: "list7",
        title: "7 cards, lists, one by one",
        cards: 7,
        ours: |hands, time| lists::<7>(hands, time, evaluate7_cards),
    },
    Task {
        name: "list6",
        title: "6 cards, lists, one by one",
        cards: 6,
        ours: |hands, time| lists::<6>(hands, time, evaluate6_cards),
    },
    Task {
        name: "list5",
        title: "5 cards, lists, one by one",
        cards: 5,
        ours: |hands, time| lists::<5>(hands, time, evaluate5_cards),
    },
    Task {
        name: "prepared7",
        title: "7 cards, prepared hands, one by one",
        cards: 7,
        ours: |hands, time| {
            let hands: Vec<PokerHand> = hands.iter().map(|h| h.iter().copied().collect()).collect();
            one_by_one(&hands, time, |hand| hand.rank7())
        },
    },
    Task {
        name: "mask7",
        title: "7 cards, masks, one by one",
        cards: 7,
        ours: |hands, time| one_by_one(&masks(hands, 0..7), time, |&hand| evaluate7(hand)),
    },
    Task {
        name: "batch7",
        title: "7 cards, masks, batch",
        cards: 7,
        ours: |hands, time| {
            let hands = masks(hands, 0..7);
            measure(hands.len(), time, |ranks| evaluate7_batch(&hands, ranks))
        },
    },
    Task {
        name: "all7",
        title: "all 133,784,560 hands, a rank for each",
        cards: 7,
        ours: |hands, _| all_hands(&hands[0]),
    },
    Task {
        name: "omaha4",
        title: "Omaha 4+5, batch",
        cards: 9,
        ours: |hands, time| {
            let (holes, boards) = (masks(hands, 0..4), masks(hands, 4..9));
            measure(holes.len(), time, |ranks| {
                evaluate_omaha_batch(&holes, &boards, ranks);
            })
        },
    },
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test --benches` runs this too, once.
    let is_benchmark = arguments.iter().any(|argument| argument == "--bench");
    let turns = if is_benchmark { TURNS } else { 1 };
    let time = if is_benchmark {
        AT_LEAST
    } else {
        Duration::ZERO
    };
    let values = |name: &'static str| {
        let pairs = arguments.windows(2).filter(move |pair| pair[0] == name);
        pairs.map(|pair| pair[1].as_str())
    };
    let peers: Vec<&str> = values("--peer").collect();
    let only = values("--only").next();
    print!("{:40} {:>9}", "nanoseconds per hand, medians", "croupier");
    for peer in &peers {
        let name = Path::new(peer).file_name().unwrap_or_default();
        print!(" {:>9}", name.to_string_lossy());
    }
    println!(" {:>10}", "best/ours");
    for task in TASKS {
        if only.is_none_or(|only| task.name.contains(only)) && (is_benchmark || task.name != "all7")
        {
            run(&task, turns, time, &peers);
        }
    }
}

fn run(task: &Task, turns: usize, time: Duration, peers: &[&str]) {
    let hands = random_hands(task.cards);
    let file = write_file(task, &hands);
    let mut ours = Vec::new();
    let mut theirs: Vec<Vec<f64>> = vec![Vec::new(); peers.len()];
    for _ in 0..turns {
        let (ahead, level, time) = (task.ours)(&hands, time);
        ours.push(time);
        for (peer, times) in peers.iter().zip(&mut theirs) {
            if let Some((a, l, time)) = run_peer(peer, task.name, &file) {
                assert_eq!(
                    (ahead, level),
                    (a, l),
                    "{peer} ranks {} otherwise",
                    task.name
                );
                times.push(time);
            }
        }
    }
    std::fs::remove_file(&file).expect("the file of hands can be removed");
    let ours = median(ours).expect("a turn");
    let theirs: Vec<Option<f64>> = theirs.into_iter().map(median).collect();
    print!("{:40} {ours:>9.3}", task.title);
    for time in &theirs {
        print!(" {:>9}", or_dash(*time));
    }
    let best = theirs.iter().flatten().copied().reduce(f64::min);
    println!(" {:>10}", or_dash(best.map(|best| best / ours)));
}

fn or_dash(value: Option<f64>) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.3}"))
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Returns random hands in random order, the same in every run.
fn random_hands(cards: usize) -> Vec<Vec<Card>> {
    let mut words = BlockWords::new(Stream::Choices, &Key::from_seed(1), 0);
    let mut hand = || {
        let mut hand: Vec<Card> = Vec::new();
        while hand.len() < cards {
            let card = Card::from_index(words.below(52) as usize).expect("below 52");
            if !hand.contains(&card) {
                hand.push(card);
            }
        }
        hand
    };
    (0..STREAM).map(|_| hand()).collect()
}

fn masks(hands: &[Vec<Card>], cards: std::ops::Range<usize>) -> Vec<CardSet> {
    let mask = |hand: &Vec<Card>| {
        let cards = hand[cards.clone()].iter();
        cards.fold(CardSet::EMPTY, |mask, &card| mask | CardSet::of(card))
    };
    hands.iter().map(mask).collect()
}

fn write_file(task: &Task, hands: &[Vec<Card>]) -> PathBuf {
    let name = format!("croupier-{}-{}.bin", task.name, std::process::id());
    let file = std::env::temp_dir().join(name);
    let number = |card: &Card| (4 * card.rank().index() + card.index() / 13) as u8;
    let bytes: Vec<u8> = hands.iter().flatten().map(number).collect();
    std::fs::write(&file, bytes).expect("the file of hands can be written");
    file
}

/// Measures a pass over all hands, which runs once before and then at least for `time`.
fn measure(hands: usize, time: Duration, mut pass: impl FnMut(&mut [HandRank])) -> Answer {
    let mut ranks = vec![HandRank::default(); hands];
    pass(&mut ranks);
    let (clock, began) = (ThreadTime::now(), Instant::now());
    let mut passes = 0;
    while passes == 0 || began.elapsed() < time {
        pass(black_box(&mut ranks));
        passes += 1;
    }
    let time = clock.elapsed().as_nanos() as f64 / (passes * hands) as f64;
    let count = |relation: fn(&HandRank, &HandRank) -> bool| {
        ranks.windows(2).filter(|w| relation(&w[0], &w[1])).count() as u64
    };
    (count(HandRank::lt), count(HandRank::eq), time)
}

fn one_by_one<H>(hands: &[H], time: Duration, evaluate: impl Fn(&H) -> HandRank) -> Answer {
    measure(hands.len(), time, |ranks| {
        for (rank, hand) in ranks.iter_mut().zip(black_box(hands)) {
            *rank = evaluate(hand);
        }
    })
}

fn lists<const CARDS: usize>(
    hands: &[Vec<Card>],
    time: Duration,
    evaluate: impl Fn(&[Card; CARDS]) -> HandRank,
) -> Answer {
    let list = |hand: &Vec<Card>| hand[..].try_into().expect("as many cards");
    let hands: Vec<[Card; CARDS]> = hands.iter().map(list).collect();
    one_by_one(&hands, time, evaluate)
}

/// Counts the hands that beat the first one.
fn all_hands(first: &[Card]) -> Answer {
    let first: PokerHand = first.iter().copied().collect();
    let first = first.rank7();
    let start = ThreadTime::now();
    let mut ahead = 0;
    for_each_rank(|_, ranks| {
        let better = ranks.iter().map(|&rank| u16::from(rank < first));
        ahead += u64::from(better.sum::<u16>());
    });
    let time = start.elapsed().as_nanos() as f64 / HANDS as f64;
    (black_box(ahead), 0, time)
}

/// Runs another program; `None` if it does not support the task.
fn run_peer(program: &str, task: &str, file: &Path) -> Option<Answer> {
    let output = Command::new(program).arg(task).arg(file).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    if text.trim() == "unsupported" {
        return None;
    }
    let mut words = text.split_whitespace();
    let answer = (|| {
        let ahead = words.next()?.parse().ok()?;
        let level = words.next()?.parse().ok()?;
        Some((ahead, level, words.next()?.parse().ok()?))
    })();
    assert!(answer.is_some(), "{program} {task} printed {text:?}");
    answer
}
