//! Tests of `croupier results`: travellers, rankings and USEBIO.

use crate::common::{done, failure};

const DEAL: &str = "N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3";

/// Returns a board of four tables: 420 twice, 170 and -50.
fn score_table() -> String {
    format!(
        "[Event \"Club evening\"]\n[Board \"1\"]\n[Dealer \"N\"]\n[Vulnerable \"None\"]\n[Deal \"{DEAL}\"]\n\
        [ScoreTable \"PairId_NS\\2R;PairId_EW\\2R;Contract\\5L;Declarer\\1R;Result\\2R;Lead\\2L\"]\n\
         1  2 4S    S 10 H9\n 3  4 4S    S 10 DA\n 5  6 2S    S 10 -\n 7  8 4S    S  9 CA\n\
        [TotalScoreTable \"Rank;PairId;Names\"]\n1 1 \"Ann & Bob\"\n"
    )
}

#[test]
fn matchpoints_imps_and_butler_of_a_score_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("a.pbn"), score_table()).unwrap();
    let text = done(&["results", &path("a.pbn"), "-f", "csv"]);
    for row in [
        "1,Ann & Bob,2,4S,S,H9,10,420,5,1",
        "1,5,6,2S,S,,10,170,2,4",
        "1,7,8,4S,S,CA,9,-50,0,6",
        "1,8,1,6,100.00",
        "2,Ann & Bob,1,5,83.33",
    ] {
        assert!(text.lines().any(|line| line == row), "{row}: {text}");
    }
    // 420 against 420, 170 and -50: 0, 6 and 10 IMPs.
    let text = done(&["results", &path("a.pbn"), "-f", "csv", "--scoring", "imps"]);
    assert!(text.contains(",420,5.33,-5.33"), "{text}");
    // The datum is (420 + 420 + 170 - 50) / 4 = 240.
    let text = done(&[
        "results",
        &path("a.pbn"),
        "-f",
        "csv",
        "--scoring",
        "butler",
    ]);
    assert!(
        text.contains(",420,5,-5") && text.contains(",-50,-7,7"),
        "{text}"
    );
    let text = done(&["results", &path("a.pbn")]);
    assert!(text.starts_with("Club evening\n\nBoard 1\n"), "{text}");
}

#[test]
fn usebio_written_and_read_gives_the_same_ranking() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("a.pbn"), score_table()).unwrap();
    done(&["results", &path("a.pbn"), "-o", &path("a.xml")]);
    for scoring in ["mp", "imps", "butler"] {
        let ranking =
            |name: &str| done(&["results", &path(name), "--scoring", scoring, "-f", "json"]);
        assert_eq!(ranking("a.xml"), ranking("a.pbn"));
    }
    let xml = std::fs::read_to_string(path("a.xml")).unwrap();
    std::fs::write(path("cut.xml"), &xml[..xml.len() / 2]).unwrap();
    let message = failure(&["results", &path("cut.xml")], 1);
    assert!(
        message.contains("the file ends inside") || message.contains("not closed"),
        "{message}"
    );
}

#[test]
fn two_rooms_are_a_match_of_teams() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.lin").display().to_string();
    let deal =
        "md|3SAKQ62HKJ5DTCJT76,S973H9876DAJ87CA3,ST85HATDQ96543CQ8,|rh||ah|Board 3|sv|o|pg||";
    let text = format!(
        "vg|Cup,1,I,3,3,Ireland,0,Norway,0|\nrs|4SS=,2SS+2|\npn|A,B,C,D,E,F,G,H|pg||\nqx|o3|{deal}\nqx|c3|{deal}\n"
    );
    std::fs::write(&path, text).unwrap();
    let ranking = done(&["results", &path, "--ranking", "-f", "csv"]);
    // 420 against 170: 6 IMPs.
    assert_eq!(
        ranking,
        "rank,name,boards,total,percent\n1,Ireland,1,6,\n2,Norway,1,-6,\n"
    );
    let text = done(&["results", &path]);
    assert!(text.contains("C – A") && text.contains("4S"), "{text}");
}

#[test]
fn a_file_without_results_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.pbn").display().to_string();
    std::fs::write(&path, format!("[Deal \"{DEAL}\"]\n")).unwrap();
    assert!(failure(&["results", &path], 1).contains("there are no results in it"));
    assert!(failure(&["results", "nofile.pbn"], 2).contains("there is no file of this name"));
}

#[test]
fn travellers_and_ranking_are_printed_with_the_hands() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("a.pbn"), score_table()).unwrap();
    done(&["results", &path("a.pbn"), "-o", &path("a.xml")]);
    for input in ["a.pbn", "a.xml"] {
        let page = path(&format!("{input}.pdf"));
        done(&["results", &path(input), "-o", &page]);
        let text = std::process::Command::new("pdftotext")
            .args(["-layout", &page, "-"])
            .output()
            .expect("pdftotext runs");
        let text = String::from_utf8(text.stdout).unwrap();
        for part in [
            "Club evening",
            "Ann & Bob",
            "4♠ S ♥9 10",
            "420",
            "-50",
            "Ranking",
            "83.33",
        ] {
            assert!(text.contains(part), "{input}: {part}: {text}");
        }
        // USEBIO files without cards have no diagrams.
        assert_eq!(text.contains("Board 1"), input == "a.xml", "{text}");
    }
}
