//! Levelled classes, mixed scripts, keys, tournament boards and the page for the browser, from the command line.

use std::path::Path;
use std::process::{Command, Output};

fn dealer(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dealer"))
        .args(words)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const CLASSES: &str = "
    HandType_Weak = hcp(north) < 5
    HandType_Strong = hcp(north) >= 20
    condition spades(south) >= 4
    action printes(hcp(north), \\n)";

fn points(output: &Output) -> Vec<i32> {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect()
}

#[test]
fn classes_come_in_the_shares_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = script(folder.path(), "classes.dl", CLASSES);
    let equal = dealer(&["--level", &file, "-s", "1", "-p", "200"]);
    let strong = points(&equal).iter().filter(|&&p| p >= 20).count();
    assert_eq!(points(&equal).len(), 200);
    assert!(
        (60..=140).contains(&strong),
        "half of 200, standard deviation 7: {strong}"
    );
    assert!(
        text(&equal.stderr).contains("Strong"),
        "{}",
        text(&equal.stderr)
    );
    let one_to_nine = dealer(&[
        "--level",
        "Strong=9,Weak=1",
        &file,
        "-s",
        "1",
        "-p",
        "200",
        "-v",
    ]);
    assert!(points(&one_to_nine).iter().filter(|&&p| p >= 20).count() > 150);
    let threads = |n: &str| {
        points(&dealer(&[
            "--level", &file, "-s", "1", "-p", "200", "-R", n,
        ]))
    };
    assert_eq!(threads("1"), threads("7"));
}

#[test]
fn a_levelled_script_needs_no_levelling() {
    let folder = tempfile::tempdir().unwrap();
    let file = script(folder.path(), "classes.dl", CLASSES);
    let plain = folder.path().join("plain.dl");
    let plain = plain.to_str().unwrap();
    let output = dealer(&["--level", "--write-leveled", plain, &file, "-s", "3"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    // The classic program understands it too.
    for mode in [&["-s", "1"][..], &["--compat", "v1", "-s", "1"]] {
        let words: Vec<&str> = mode
            .iter()
            .copied()
            .chain([plain, "-p", "400", "-v"])
            .collect();
        let dealt = points(&dealer(&words));
        let strong = dealt.iter().filter(|&&p| p >= 20).count();
        assert_eq!(dealt.len(), 400);
        assert!(
            (140..=260).contains(&strong),
            "half of 400, standard deviation 10: {strong}"
        );
    }
}

#[test]
fn unknown_classes_and_missing_shares_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = script(folder.path(), "classes.dl", CLASSES);
    for (words, status, message) in [
        (vec!["--level", "Huge=1,Weak=1", &file], 1, "Huge"),
        (
            vec!["--level", "Weak=0,Strong=1", &file],
            2,
            "is not a share",
        ),
        (
            vec!["--mix", "1:2:3", &file, &file],
            2,
            "one for each script",
        ),
        (vec!["--mix", "2:1", &file], 2, "two or more scripts"),
    ] {
        let output = dealer(&words);
        assert_eq!(output.status.code(), Some(status), "{words:?}");
        assert!(
            text(&output.stderr).contains(message),
            "{}",
            text(&output.stderr)
        );
        assert!(output.stdout.is_empty());
    }
    let none = script(folder.path(), "none.dl", "condition 1");
    assert!(text(&dealer(&["--level", &none]).stderr).contains("HandType_"));
}

#[test]
fn scripts_are_mixed_evenly() {
    let folder = tempfile::tempdir().unwrap();
    let weak = script(
        folder.path(),
        "weak.dl",
        "condition hcp(north) < 5 action printes(hcp(north), \\n)",
    );
    let strong = script(folder.path(), "strong.dl", "condition hcp(north) >= 20");
    let dealt = points(&dealer(&[
        &weak, &strong, "--mix", "2:1", "-s", "5", "-p", "60", "-v",
    ]));
    assert_eq!(dealt.len(), 60);
    assert!(
        dealt
            .chunks(3)
            .all(|three| three.iter().filter(|&&p| p >= 20).count() == 1),
        "{dealt:?}"
    );
}

#[test]
fn an_unseeded_run_can_be_repeated_by_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = script(folder.path(), "any.dl", "produce 3 action printoneline");
    let first = text(&dealer(&[&file]).stdout);
    let key = first
        .lines()
        .find_map(|line| line.strip_prefix("Initial random seed "))
        .unwrap();
    assert!(key.starts_with("key:") && key.len() == 68, "{key}");
    let again = text(&dealer(&[&file, "-s", key]).stdout);
    let deals = |text: &str| text.lines().take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(deals(&first), deals(&again));
    assert_eq!(dealer(&[&file, "-s", "key:xyz"]).status.code(), Some(2));
}

#[test]
fn tournament_boards_are_promised_before_and_proved_after() {
    let folder = tempfile::tempdir().unwrap();
    let file = script(folder.path(), "any.dl", "produce 2 action printoneline");
    let key = format!("01{}", "00".repeat(31));
    let output = dealer(&[&file, &format!("--tournament={key}")]);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(
        out.starts_with(
            "n T6.853.QJ9.KQT76 e 9843.AT.T8432.J3 s K75.J9.AK7.A9854 w AQJ2.KQ7642.65.2 \n"
        ),
        "{out}"
    );
    let commitment = err.lines().next().unwrap().rsplit(' ').next().unwrap();
    assert_eq!(commitment.len(), 64);
    assert!(
        out.contains(&format!("Commitment SHA-256 {commitment}")),
        "{out}"
    );
    assert!(
        err.contains(&format!(
            "Publish after play (secret until then): key:{key}"
        )),
        "{err}"
    );
    assert!(
        !out.contains(&key),
        "the secret must not stand beside the boards"
    );
}

#[test]
fn the_page_for_the_browser_has_boards_and_charts() {
    let folder = tempfile::tempdir().unwrap();
    let file = script(
        folder.path(),
        "report.dl",
        "title \"A <b> & c\" produce 20 action printoneline, average \"points\" hcp(north),
         frequency \"spades\" (spades(north), 0, 6), frequency \"both\" (hcp(north), 5, 15, hcp(south), 5, 15)",
    );
    let page = folder.path().join("page.html");
    let output = dealer(&[&file, "-s", "1", "--report", page.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("<h1>A &lt;b&gt; &amp; c</h1>"));
    assert_eq!(html.matches("class=\"board\"").count(), 20);
    assert!(
        html.contains("<h2>spades</h2>")
            && html.contains("class=\"heat\"")
            && html.contains("95 %")
    );
    let missing = folder.path().join("no/such/page.html");
    let output = dealer(&[&file, "-s", "1", "--report", missing.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("No such file"));
}
