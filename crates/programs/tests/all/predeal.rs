//! Predealt cards and lengths are in every board that `dealer` prints, with every method of dealing.

use crate::common::{croupier, dealer, err, out};

/// Conditions on the points of two hands and a predealt length in a third. The sampler has no small tables for them.
const CLUBS: &str = "predeal clubs(south)==3\ncondition hcp(north)>=20 and hcp(east)>=10\n";

/// Returns the boards of `printoneline`, and how many of them have three clubs with South.
fn boards_and_kept(printed: &str) -> (usize, usize) {
    let south = |line: &str| -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        let place = words.iter().position(|&word| word == "s");
        words[place.expect("South is named") + 1].to_owned()
    };
    let boards: Vec<&str> = printed
        .lines()
        .filter(|line| line.starts_with("n "))
        .collect();
    let kept = boards.iter().filter(|line| {
        let hand = south(line);
        let clubs = hand.rsplit('.').next().expect("a hand has four suits");
        clubs.len() == 3
    });
    (boards.len(), kept.count())
}

#[test]
fn a_predealt_length_holds_beside_points_of_other_hands() {
    for sampler in ["auto", "on", "off"] {
        let switches = [
            "-s",
            "1",
            "-p",
            "2000",
            "-f",
            "oneline",
            "--sampler",
            sampler,
        ];
        let output = dealer(&switches, CLUBS);
        let printed = out(&output);
        assert!(output.status.success(), "{}", err(&output));
        assert_eq!(boards_and_kept(&printed), (2000, 2000), "{sampler}");
    }
}

/// One deal in 431.738 with three clubs at South satisfies the condition, according to `croupier probability`.
#[test]
fn generated_counts_deals_with_the_predealt_length() {
    let output = dealer(&["-s", "1", "-p", "2000", "-f", "oneline"], CLUBS);
    let all = out(&output) + &err(&output);
    let generated = all
        .lines()
        .find_map(|line| line.strip_prefix("Generated "))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse::<f64>().ok())
        .unwrap_or_else(|| panic!("{all}"));
    let (mean, deviation) = (2000.0 * 431.738, 2000f64.sqrt() * 431.738);
    assert!(
        (generated - mean).abs() < 5.0 * deviation,
        "{generated}, not about {mean}"
    );
}

#[test]
fn a_predealt_length_holds_in_mixed_scripts() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the file can be accessed");
        path.display().to_string()
    };
    let one = file("one.dl", CLUBS);
    let other = file(
        "other.dl",
        "predeal clubs(south)==3\ncondition hcp(west)>=18 and hcp(north)>=11\n",
    );
    let output = dealer(
        &[
            "-s", "1", "-p", "300", "-f", "oneline", &one, &other, "--mix", "2:1",
        ],
        "",
    );
    assert_eq!(
        boards_and_kept(&out(&output)),
        (300, 300),
        "{}",
        err(&output)
    );
}

#[test]
fn a_predealt_length_holds_in_levelled_classes() {
    let classes = "predeal clubs(south)==3
        HandType_Strong = hcp(north)>=20 and hcp(east)>=10
        HandType_Weak = hcp(west)>=18 and hcp(north)>=11\n";
    let output = dealer(
        &["-s", "1", "-p", "300", "-f", "oneline", "--level"],
        classes,
    );
    assert_eq!(
        boards_and_kept(&out(&output)),
        (300, 300),
        "{}",
        err(&output)
    );
}

#[test]
fn a_predealt_length_holds_in_merged_parts() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let parts: Vec<String> = (1..=2)
        .map(|part| {
            let path = folder.path().join(format!("{part}.json"));
            let path = path.display().to_string();
            let shard = format!("{part}/2");
            let switches = ["-s", "1", "-g", "200000", "-p", "400", "--shard", &shard];
            let script = format!("{CLUBS}action printoneline\n");
            let made = dealer(&[&switches[..], &["--partial", &path]].concat(), &script);
            assert!(made.status.success(), "{}", err(&made));
            path
        })
        .collect();
    let merged = croupier(&["merge", &parts[0], &parts[1]]);
    let (boards, kept) = boards_and_kept(&out(&merged));
    assert!(boards > 300, "{boards}\n{}", err(&merged));
    assert_eq!(kept, boards);
}

/// The exchange would move the cards to another seat.
#[test]
fn predealt_cards_are_not_exchanged() {
    for (exchange, predeal) in [("2", "east SAK"), ("2", "west H2"), ("3", "south DA")] {
        let output = dealer(&["-x", exchange], &format!("predeal {predeal}\n"));
        let seat = predeal.split(' ').next().expect("a seat");
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        let message = format!("-x: the hand of {seat} is exchanged");
        assert!(err(&output).contains(&message), "{}", err(&output));
    }
    for (exchange, predeal) in [("2", "north SAK"), ("2", "south DA"), ("3", "north SAK")] {
        let script = format!("predeal {predeal}\naction printoneline\n");
        let output = dealer(&["-x", exchange, "-s", "1", "-p", "12"], &script);
        let (seat, cards) = predeal.split_once(' ').expect("a seat and cards");
        let holding = format!("{} ", &seat[..1]);
        assert!(output.status.success(), "{}", err(&output));
        let printed = out(&output);
        let boards = printed.lines().filter(|line| line.starts_with("n "));
        for line in boards {
            let hand = line.split(&holding).nth(1).expect("the hand");
            let suit = match &cards[..1] {
                "S" => 0,
                _ => 2,
            };
            let held = hand.split('.').nth(suit).expect("a hand has four suits");
            assert!(cards[1..].chars().all(|rank| held.contains(rank)), "{line}");
        }
    }
}

#[test]
fn hands_are_not_exchanged_where_classes_are_dealt() {
    let script = "Strong = hcp(north)>=20\nWeak = hcp(north)<9\nlevel Strong, Weak\n";
    let output = dealer(&["-x", "2"], script);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        err(&output).contains("-x: hands are not exchanged"),
        "{}",
        err(&output)
    );
}
