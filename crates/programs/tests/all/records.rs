//! Tests of `croupier record` and `croupier scenario`: hand records and the boards to print.

use crate::process_control;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::common::{croupier, dealer_path, done, failure};
use croupier::formats::{Board, OutputFormat, Reader, Writer};

/// Returns an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the output of a program of poppler-utils.
fn poppler(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.expect("poppler-utils is installed (./check does it)");
    assert!(output.status.success(), "{program} {arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Writes a file of two solved boards and returns its path.
fn solved(folder: &Path) -> String {
    let path = folder.join("boards.pbn").display().to_string();
    let deals = [
        "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7",
        "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
    ];
    let mut solver = croupier::solver::Solver::new();
    let (mut bytes, mut writer) = (Vec::new(), Writer::new(OutputFormat::Pbn));
    for (number, deal) in (1..).zip(deals) {
        let deal = deal.parse().unwrap();
        let board = Board {
            tricks: Some(solver.table(&deal)),
            ..Board::duplicate(&deal, number)
        };
        writer.write(&mut bytes, &board, &deal);
    }
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_hand_record_has_the_usual_parts() {
    let folder = folder("record");
    let boards = solved(&folder);
    let path = folder.join("records.pdf").display().to_string();
    for (per_page, paper, size) in [
        ("6", "a4", "595.28 x 841.89 pts (A4)"),
        ("12", "letter", "612 x 792 pts (letter)"),
        ("36", "A4", "595.28 x 841.89 pts (A4)"),
    ] {
        done(&[
            "record",
            "--force",
            &boards,
            "-o",
            &path,
            "--per-page",
            per_page,
            "--paper",
            paper,
            "--title",
            "Zürich, Thursday",
            "--date",
            "19 November",
            "--commitment",
            &"0f".repeat(32),
        ]);
        let text = poppler("pdftotext", &["-layout", &path, "-"]);
        for said in [
            "Zürich, Thursday",
            "19 November",
            "Page 1 of 1",
            "♥ KQJ",
            "♦ A9873",
            "♥ A963",
            "AKQJ1098765432",
            "North deals",
            "None vul",
            "East deals",
            "N-S vul",
            "HCP",
            &"0f".repeat(32),
        ] {
            assert!(text.contains(said), "{per_page}: {said}\n{text}");
        }
        // Points of the first board, and the par of the second: seven spades by North.
        for points in ["20", "5", "0", "15"] {
            assert!(text.split_whitespace().any(|word| word == points), "{text}");
        }
        assert!(text.contains("7♠"), "{text}");
        assert!(poppler("pdfinfo", &[&path]).contains(size), "{per_page}");
        let fonts = poppler("pdffonts", &[&path]);
        assert_eq!(
            fonts.matches("yes yes yes").count(),
            2,
            "embedded, in part, with its letters: {fonts}"
        );
    }
}

/// Returns the share of pixels of the first page that satisfy a condition, in millionths.
fn share(path: &str, kind: impl Fn([u8; 3]) -> bool) -> usize {
    let output = Command::new("pdftoppm")
        .args(["-r", "40", "-f", "1", "-l", "1", path])
        .output();
    let picture = output
        .expect("poppler-utils is installed (./check does it)")
        .stdout;
    // The header: P6, width, height and depth on three lines.
    let header: usize = picture
        .split(|&byte| byte == b'\n')
        .take(3)
        .map(|line| line.len() + 1)
        .sum();
    let pixels = picture[header..].as_chunks::<3>().0;
    1_000_000 * pixels.iter().filter(|&&pixel| kind(pixel)).count() / pixels.len()
}

#[test]
fn pages_are_printed_and_coloured() {
    let folder = folder("pictures");
    let boards = solved(&folder);
    let path = folder.join("out.pdf").display().to_string();
    let red = |[r, g, b]: [u8; 3]| r > 140 && g < 90 && b < 90;
    let green = |[r, g, b]: [u8; 3]| g > 100 && r < 90 && b < 120;
    done(&["record", "--force", &boards, "-o", &path, "--labels"]);
    let labels = share(&path, red);
    assert!(
        (3_000..100_000).contains(&labels),
        "only board 2 has vulnerable sides: {labels}"
    );
    let text = poppler("pdftotext", &["-layout", &path, "-"]);
    assert!(
        text.contains("West") || text.contains("East deals"),
        "{text}"
    );
    done(&["record", "--force", &boards, "-o", &path, "--per-page", "6"]);
    assert_eq!(share(&path, green), 0);
    done(&[
        "record",
        "--force",
        &boards,
        "-o",
        &path,
        "--per-page",
        "6",
        "--four-colour",
    ]);
    assert!(share(&path, green) > 0, "clubs are green");
}

#[test]
fn each_seat_has_its_own_pages_for_practice() {
    let folder = folder("practice");
    let boards = solved(&folder);
    let path = folder.join("practice.pdf").display().to_string();
    done(&["record", "--force", &boards, "-o", &path, "--practice=NS"]);
    assert!(poppler("pdfinfo", &[&path]).contains("Pages:           2"));
    let page = |number: &str| {
        poppler(
            "pdftotext",
            &["-layout", "-f", number, "-l", number, &path, "-"],
        )
    };
    let (north, south) = (page("1"), page("2"));
    assert!(
        north.contains("North") && north.contains("♥ KQJ") && !north.contains("98642"),
        "{north}"
    );
    assert!(
        south.contains("South") && south.contains("98642") && !south.contains("♥ KQJ"),
        "{south}"
    );
}

#[test]
fn equal_boards_give_equal_bytes_and_html_has_equal_content() {
    let folder = folder("same");
    let boards = solved(&folder);
    let [one, two, page] =
        ["one.pdf", "two.pdf", "page.html"].map(|name| folder.join(name).display().to_string());
    done(&["record", "--force", &boards, "-o", &one, "-j", "1"]);
    done(&["record", "--force", &boards, "-o", &two, "-j", "4"]);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    done(&[
        "record",
        "--force",
        &boards,
        "-o",
        &page,
        "--four-color",
        "--title",
        "A & B",
    ]);
    let html = fs::read_to_string(&page).unwrap();
    for said in [
        "<h1>A &amp; B</h1>",
        "Board 2",
        "N-S vulnerable",
        "sheet per12 four",
        "Par <b>",
        "What each hand makes",
    ] {
        assert!(html.contains(said), "{said}");
    }
    // The folder contains only complete files under their final names.
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4);
}

#[test]
fn a_deal_is_solved_on_request() {
    let folder = folder("solve");
    let path = folder.join("one.pdf").display().to_string();
    let deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
    done(&["record", "--force", deal, "-o", &path]);
    assert!(!poppler("pdftotext", &[&path, "-"]).contains("Par"));
    done(&["record", "--force", deal, "-o", &path, "--solve"]);
    assert!(poppler("pdftotext", &[&path, "-"]).contains("7♠= N"));
}

#[test]
fn wrong_orders_are_refused_and_leave_what_was_there() {
    let folder = folder("wrong");
    let boards = solved(&folder);
    let path = folder.join("out.pdf").display().to_string();
    fs::write(&path, "before").unwrap();
    for (arguments, status, said) in [
        (
            vec!["record", &boards, "-o", "out.doc"],
            2,
            "the ending tells no format",
        ),
        (
            vec!["record", &boards, "-o", "out.pbn"],
            2,
            "written as pdf or html",
        ),
        (
            vec!["record", "--force", "no-such-file", "-o", &path],
            2,
            "no-such-file",
        ),
        (
            vec!["record", "--force", &boards, "-o", &path, "--per-page", "7"],
            2,
            "6, 12 or 36",
        ),
        (
            vec![
                "record",
                "--force",
                &boards,
                "-o",
                &path,
                "--commitment",
                "12",
            ],
            2,
            "64 hexadecimal digits",
        ),
        (
            vec!["record", &boards, "-o", "/no/such/folder/out.pdf"],
            1,
            "/no/such/folder/out.pdf",
        ),
        (
            vec!["record", &boards, "-o", "x.html", "--labels"],
            2,
            "printed as PDF",
        ),
        (
            vec!["scenario", "deal", "staymann", "-o", &path],
            2,
            "did you mean stayman",
        ),
        (
            vec!["scenario", "list", "nonsense"],
            1,
            "no scenario is about",
        ),
    ] {
        let errors = failure(&arguments, status);
        assert!(errors.contains(said), "{arguments:?}\n{errors}");
    }
    assert_eq!(fs::read(&path).unwrap(), b"before");
}

/// Sends Ctrl-C to a command after some time and returns its output.
fn interrupted(arguments: &[&str], after: Duration) -> Output {
    let mut child = process_control::command_with_signals(env!("CARGO_BIN_EXE_croupier"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    assert!(
        process_control::wait_for_cpu_time(&mut child, after),
        "{arguments:?} should take far longer"
    );
    process_control::send(&child, "-INT");
    child.wait_with_output().expect("the program ends")
}

/// Interrupts a command after longer and longer times until it has complete results. Each earlier interrupt must print
/// that there are none and leave no file.
fn interrupted_with_results(arguments: &[&str], file: &Path) -> Output {
    let mut after = Duration::from_millis(300);
    loop {
        let output = interrupted(arguments, after);
        after *= 2;
        assert!(after < Duration::from_secs(120), "{arguments:?}");
        // Before the handler is installed, the signal itself ends the process.
        if output.status.code().is_none() {
            continue;
        }
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(130), "{errors}");
        assert!(errors.contains("interrupted"), "{errors}");
        if file.exists() {
            return output;
        }
        assert!(output.stdout.is_empty());
    }
}

/// Returns the names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// After Ctrl-C at any moment, `record`, `compare` and `lead` end with their complete results, and their files are
/// complete.
#[test]
fn interrupted_commands_write_what_is_complete() {
    let folder = folder("interrupted");
    let boards = folder.join("many.pbn").display().to_string();
    let path = |name: &str| folder.join(name).display().to_string();
    done(&[
        "scenario",
        "deal",
        "opening-1nt",
        "-n",
        "4000",
        "-s",
        "1",
        "-o",
        &boards,
    ]);
    let record = [
        "record",
        "--force",
        &boards,
        "-o",
        &path("out.pdf"),
        "--solve",
        "-j",
        "1",
    ];
    let output = interrupted_with_results(&record, &folder.join("out.pdf"));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let solved: usize = errors
        .split_once("the first ")
        .and_then(|(_, rest)| rest.split(' ').next())
        .and_then(|number| number.parse().ok())
        .unwrap_or_else(|| panic!("{errors}"));
    assert!((1..4000).contains(&solved), "{errors}");
    let pages = poppler("pdfinfo", &[&path("out.pdf")]);
    let pages = pages.lines().find_map(|line| line.strip_prefix("Pages:"));
    assert_eq!(pages.unwrap().trim(), solved.div_ceil(12).to_string());
    let text = poppler("pdftotext", &["-layout", &path("out.pdf"), "-"]);
    assert_eq!(
        text.matches("Par").count(),
        solved,
        "every board of the file is solved"
    );

    let [compared, page, leads] = ["compare.txt", "compare.html", "lead.csv"].map(path);
    let compare = ["compare", "-k", "3N", "-k", "4S", "-n", "100000", "-j", "1"];
    let compare = [&compare[..], &["-o", &compared, "--html", &page]].concat();
    interrupted_with_results(&compare, &folder.join("compare.txt"));
    let text = fs::read_to_string(path("compare.txt")).unwrap();
    let deals: u64 = text.split(' ').next().unwrap().parse().unwrap();
    assert!((1..100_000).contains(&deals), "{text}");
    assert!(
        text.contains("3N by S") && text.contains(" pct ") && text.ends_with('\n'),
        "{text}"
    );
    let page = fs::read_to_string(path("compare.html")).unwrap();
    assert!(page.contains(&format!("{deals} deals")) && page.trim_end().ends_with("</html>"));

    let lead = [
        "lead",
        "-k",
        "3N-S",
        "-H",
        "KQJ4.T9.A2.87632",
        "-n",
        "100000",
        "-j",
        "1",
    ];
    let lead = [&lead[..], &["-f", "csv", "-o", &leads]].concat();
    interrupted_with_results(&lead, &folder.join("lead.csv"));
    let text = fs::read_to_string(path("lead.csv")).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    // The leads are KQJ of spades, the 4 of spades, T9 of hearts, two diamonds, 876 of clubs and 32 of clubs: eight
    // rows with equal numbers of fields.
    let fields = |row: &&str| row.split(',').count();
    assert!(
        rows.len() > 6 && rows.iter().map(fields).all(|count| count == 16),
        "{text}"
    );

    // A conversion is complete or missing: it must not contain only the boards that happened to be solved.
    fs::write(path("out.lin"), "before").unwrap();
    let kept = names(&folder);
    let output = interrupted(
        &[
            "convert",
            "--force",
            &boards,
            "--solve",
            "-j",
            "1",
            "-o",
            &path("out.lin"),
        ],
        Duration::from_secs(2),
    );
    assert!(output.status.code().is_none_or(|code| code == 130));
    assert_eq!(fs::read(path("out.lin")).unwrap(), b"before");
    assert_eq!(names(&folder), kept);
}

#[test]
fn twenty_four_stayman_boards_in_every_format_with_one_command_each() {
    let folder = folder("stayman");
    let path = |name: &str| folder.join(name).display().to_string();
    for name in [
        "boards.pbn",
        "boards.lin",
        "boards.json",
        "boards.csv",
        "boards.zrd",
    ] {
        done(&[
            "scenario",
            "deal",
            "stayman",
            "-n",
            "24",
            "-s",
            "7",
            "-o",
            &path(name),
        ]);
    }
    let read = |name: &str| -> Vec<Board> {
        let file = fs::File::open(path(name)).unwrap();
        Reader::new(file).unwrap().map(Result::unwrap).collect()
    };
    let boards = read("boards.pbn");
    assert_eq!(boards.len(), 24);
    for board in &boards {
        let deal = board.deal().unwrap();
        let north = deal.hand(croupier::cards::Seat::North);
        let points: usize = north
            .into_iter()
            .map(|card| card.rank().index().saturating_sub(8))
            .sum();
        assert!((15..=17).contains(&points));
    }
    for name in ["boards.lin", "boards.json", "boards.csv", "boards.zrd"] {
        let deals =
            |boards: &[Board]| -> Vec<_> { boards.iter().map(|it| it.deal().unwrap()).collect() };
        assert_eq!(deals(&read(name)), deals(&boards), "{name}");
    }
    done(&[
        "scenario",
        "deal",
        "stayman",
        "-n",
        "24",
        "-s",
        "7",
        "-o",
        &path("boards.pdf"),
    ]);
    let text = poppler("pdftotext", &["-layout", &path("boards.pdf"), "-"]);
    assert!(
        text.contains("Stayman") && text.contains("Page 2 of 2"),
        "{text}"
    );
    // With --rotate the dealer of every board has the notrump hand.
    done(&[
        "scenario",
        "deal",
        "stayman",
        "-n",
        "4",
        "-s",
        "7",
        "--rotate",
        "-o",
        &path("turned.pbn"),
    ]);
    for (turned, board) in read("turned.pbn").iter().zip(&boards) {
        let dealer = turned.dealer.unwrap();
        let north = board.deal().unwrap().hand(croupier::cards::Seat::North);
        assert_eq!(turned.deal().unwrap().hand(dealer), north);
    }
}

#[test]
fn scenarios_are_listed_shown_and_imported_from_anywhere() {
    let folder = folder("import");
    let list = done(&["scenario", "list"]);
    assert_eq!(
        list.lines().count(),
        1 + croupier::scenarios::SCENARIOS.len()
    );
    assert!(
        list.lines()
            .any(|line| line.starts_with("stayman ") && line.contains("98")),
        "{list}"
    );
    let shown = done(&["scenario", "show", "stayman"]);
    assert_eq!(
        shown,
        croupier::scenarios::by_name("stayman").unwrap().script
    );
    let script = folder.join("mine.dl");
    let text = "import \"scenarios/stayman\"\ncondition opening && stayman && spades(south) == 4\nproduce 3\naction printoneline\n";
    fs::write(&script, text).unwrap();
    let output = Command::new(dealer_path())
        .args(["-s", "1", "-v", "--no-warnings"])
        .arg(&script)
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    fs::write(&script, "import \"scenarios/nothing\"\n").unwrap();
    let output = Command::new(dealer_path()).arg(&script).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("croupier scenario list"), "{errors}");
}

/// Every board of a preset satisfies its scenario: dealer, reading the boards, rejects none.
#[test]
fn presets_of_profiles_give_boards_of_their_scenarios() {
    let folder = folder("presets");
    let path = |name: &str| folder.join(name).display().to_string();
    let list = done(&["profile", "new", "--preset", "list"]);
    assert!(list.lines().count() >= 6, "{list}");
    for line in list.lines() {
        let name = line.split_whitespace().next().unwrap();
        let [profile, boards, script] =
            ["toml", "pbn", "dl"].map(|end| path(&format!("{name}.{end}")));
        done(&["profile", "new", "--preset", name, "-o", &profile]);
        done(&[
            "profile",
            &profile,
            "-n",
            "40",
            "-s",
            "1",
            "--no-rotate",
            "-o",
            &boards,
        ]);
        fs::write(&script, done(&["scenario", "show", name])).unwrap();
        let output = Command::new(dealer_path())
            .args([
                "--input-deals",
                &boards,
                "-p",
                "40",
                "-f",
                "oneline",
                "-v",
                &script,
            ])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text.lines().count(), 40, "{name}\n{text}");
    }
    assert!(failure(&["profile", "new", "--preset", "nonsense"], 2).contains("stayman"));
}

#[test]
fn a_record_of_a_tournament_carries_its_commitment() {
    let folder = folder("commitment");
    let [boards, page] = ["boards.pbn", "page.pdf"].map(|name| folder.join(name));
    let output = Command::new(dealer_path())
        .args([
            "--tournament=0123456789abcdef",
            "-p",
            "3",
            "-f",
            "pbn",
            "-v",
        ])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success());
    fs::write(&boards, &output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let promised = errors.split("commitment SHA-256 ").nth(1).unwrap();
    let promised = &promised[..64];
    let page = page.display().to_string();
    done(&[
        "record",
        "--force",
        &boards.display().to_string(),
        "-o",
        &page,
    ]);
    let text = poppler("pdftotext", &["-layout", &page, "-"]);
    assert!(text.contains(promised), "{promised}\n{text}");
}

/// A file of boards with all results is printed within seconds.
#[test]
#[ignore = "measures, for ./check --long"]
fn long_a_thousand_solved_boards_are_pages_in_five_seconds() {
    let folder = folder("thousand");
    let [boards, page] =
        ["boards.pbn", "out.pdf"].map(|name| folder.join(name).display().to_string());
    let (mut bytes, mut writer) = (Vec::new(), Writer::new(OutputFormat::Pbn));
    let dealt = done(&["deal", "-s", "1", "-n", "1000", "-v", "-f", "oneline"]);
    // All boards have one table, so that the test measures only the printing.
    let mut tricks = None;
    for (number, board) in (1..).zip(Reader::new(dealt.as_bytes()).unwrap()) {
        let deal = board.unwrap().deal().unwrap();
        let board = Board {
            tricks: *tricks
                .get_or_insert_with(|| Some(croupier::solver::Solver::new().table(&deal))),
            ..Board::duplicate(&deal, number)
        };
        writer.write(&mut bytes, &board, &deal);
    }
    fs::write(&boards, bytes).unwrap();
    let start = std::time::Instant::now();
    done(&["record", "--force", &boards, "-o", &page]);
    let needed = start.elapsed();
    println!("1,000 boards: {needed:?}");
    assert!(needed < Duration::from_secs(5), "{needed:?}");
    assert!(poppler("pdfinfo", &[&page]).contains("Pages:           84"));
    let text = poppler("pdftotext", &["-layout", &page, "-"]);
    assert_eq!(text.matches("Par").count(), 1000);
}

/// Suits of eight to ten cards do not touch the table, par or the compass.
#[test]
fn long_suits_leave_the_table_readable() {
    let folder = folder("long-suits");
    let path = |name: &str| folder.join(name).display().to_string();
    let deals = [
        "N:AKQJT98765.2.3.4 2.AKQJT98765.2.3 3.3.AKQJT98765.2 4.4.4.AKQJT98765",
        "N:AKQJT987.2.32.43 2.AKQJT987.4.652 43.43.AKQJT987.A 65.65.65.KQJT987",
    ];
    for per_page in ["6", "12"] {
        let pdf = path(&format!("{per_page}.pdf"));
        done(&[
            "record",
            "--force",
            deals[0],
            deals[1],
            "--solve",
            "--per-page",
            per_page,
            "-o",
            &pdf,
        ]);
        let page = poppler("pdftotext", &["-bbox", &pdf, "-"]);
        let field = |line: &str, name: &str| -> Option<f64> {
            let (_, rest) = line.split_once(&format!("{name}=\""))?;
            rest.split('"').next()?.parse().ok()
        };
        let words: Vec<([f64; 4], &str)> = page
            .lines()
            .filter(|line| line.trim_start().starts_with("<word"))
            .filter_map(|line| {
                let sides = ["xMin", "xMax", "yMin", "yMax"].map(|name| field(line, name));
                let [a, b, c, d] = sides;
                Some(([a?, b?, c?, d?], line))
            })
            .collect();
        assert!(words.len() > 80, "{page}");
        for (i, (a, first)) in words.iter().enumerate() {
            for (b, second) in &words[i + 1..] {
                let wide = a[1].min(b[1]) - a[0].max(b[0]);
                // The boxes of consecutive lines overlap a little in height.
                let high = a[3].min(b[3]) - a[2].max(b[2]);
                assert!(wide < 0.5 || high < 4.0, "{first} {second}");
            }
        }
    }
}

/// In every scenario the dealer opens, so that no hand calls before the opener. --rotate and --dealer rotate the deal.
#[test]
fn the_opener_of_a_scenario_is_the_dealer() {
    use croupier::cards::Seat;
    let read = |text: &str| -> Vec<Board> {
        Reader::new(text.as_bytes())
            .unwrap()
            .map(Result::unwrap)
            .collect()
    };
    for scenario in croupier::scenarios::SCENARIOS {
        let deal = |switch: &[&str]| {
            let words = ["scenario", "deal", scenario.name, "-n", "5", "-s", "11"];
            read(&done(&[&words, switch].concat()))
        };
        assert!(scenario.script.contains("\ndealer "), "{}", scenario.name);
        let opener = scenario.opener();
        let plain = deal(&[]);
        let check = |boards: Vec<Board>, dealer: &dyn Fn(u64) -> Seat| {
            assert_eq!(boards.len(), 5);
            for (board, plain) in boards.iter().zip(&plain) {
                let seat = dealer(board.number.unwrap());
                assert_eq!(board.dealer, Some(seat), "{}", scenario.name);
                let opening = plain.deal().unwrap().hand(opener);
                assert_eq!(
                    board.deal().unwrap().hand(seat),
                    opening,
                    "{}",
                    scenario.name
                );
                let extras = board.extras.as_ref().unwrap();
                assert!(extras.tag("Generator").unwrap().ends_with("seed 11"));
            }
        };
        check(plain.clone(), &|_| opener);
        check(deal(&["--rotate"]), &Seat::dealer_of_board);
        check(deal(&["--dealer", "S"]), &|_| Seat::South);
    }
}

#[test]
fn a_scenario_prints_its_seed_and_writes_several_files() {
    let folder = folder("several-files");
    let path = |name: &str| folder.join(name).display().to_string();
    let names = ["a.pbn", "a.lin", "a.dup", "a.pdf"].map(path);
    let words = [
        "scenario",
        "deal",
        "takeout-double",
        "-n",
        "4",
        "-o",
        &names[0],
        "-o",
        &names[1],
        "-o",
        &names[2],
        "-o",
        &names[3],
    ];
    let output = croupier(&words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    let seed = errors
        .lines()
        .find_map(|line| line.strip_prefix("croupier: seed "))
        .unwrap();
    assert!(
        fs::read_to_string(&names[0])
            .unwrap()
            .contains(&format!("seed {seed}"))
    );
    assert!(errors.contains("no room for the dealer"), "{errors}");
    // Existing files stay as they are without --force.
    let before = fs::read(&names[0]).unwrap();
    let output = croupier(&words);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(&names[0]).unwrap(), before);
    assert!(
        croupier(&[&words[..], &["--force"]].concat())
            .status
            .success()
    );
}

/// A lesson page shows auction, explanations, play, names and comments below each diagram.
#[test]
fn lessons_show_auction_play_and_comments() {
    let folder = folder("lessons");
    let path = |name: &str| folder.join(name).display().to_string();
    let board = "[Event \"Lesson one\"]\n[Board \"1\"]\n[North \"Ann\"]\n[East \"Eve\"]\n[South \"Bob\"]\n[West \"Wim\"]\n\
        [Dealer \"S\"]\n[Vulnerable \"None\"]\n\
        [Deal \"N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3\"]\n\
        [Declarer \"S\"]\n[Contract \"2S\"]\n[Result \"9\"]\n{Count your <b>losers</b> in \\S first. This text is long enough to need more than one line of a column. {WORD}}\n\
        [Auction \"S\"]\n1S Pass 2S =1= AP\n[Note \"1:constructive\"]\n[Play \"W\"]\nDA D3 D2 DT\n";
    let long_word = "N:H5,N:H4,".repeat(12);
    let board = &board.replace("{WORD}", &long_word);
    let board2 = board.replace("[Board \"1\"]", "[Board \"2\"]");
    fs::write(path("l.pbn"), format!("{board}\n{board2}")).unwrap();
    done(&[
        "record",
        "--force",
        &path("l.pbn"),
        "--with",
        "auction,play,comments",
        "-o",
        &path("l.pdf"),
    ]);
    let text = poppler("pdftotext", &["-layout", &path("l.pdf"), "-"]);
    for part in [
        "Lesson one",
        "N-S Ann – Bob",
        "E-W Eve – Wim",
        "West",
        "2♠ 1",
        "1 constructive",
        "Contract 2♠ by South, lead ♦A, 9 tricks.",
        "1. ♦A ♦3 ♦2 ♦10",
        "Count your losers in ♠ first.",
        "Page 1 of 1",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The principal line replaces comments that are not printed.
    done(&[
        "record",
        "--force",
        &path("l.pbn"),
        "--with",
        "line",
        "-o",
        &path("line.pdf"),
    ]);
    let line = poppler("pdftotext", &["-layout", &path("line.pdf"), "-"]);
    assert!(line.contains("Best play of 2S by S, "), "{line}");
    assert!(!line.contains("Count your losers"), "{line}");
    // A word that is longer than a line continues on the next one, at the same size.
    assert!(!text.contains(&long_word), "{text}");
    let failed = failure(
        &[
            "record",
            "--force",
            &path("l.pbn"),
            "--with",
            "auction",
            "-o",
            &path("l.html"),
        ],
        2,
    );
    assert!(failed.contains("PDF"), "{failed}");
}
