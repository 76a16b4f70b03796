//! Pages for lessons: in two columns the diagram of each board, its auction, play and comments below it.

use cards::{Card as PlayingCard, Seat, Strain, Suit};
use formats::{Board, Call, Record};

use crate::card::draw_card;
use crate::document::{Align, Colour, Document, TextStyle};
use crate::font::FontWeight;
use crate::tools::{FAINT, FOOT, HEAD, INK, MARGIN, Runs, frame, look, name, runs, suit_colour};
use crate::{LessonParts, RankingRow, Sheet, Traveller};

/// Distance between the columns, and between boards, in points.
const GAP: f32 = 16.0;
/// Height of a diagram in points.
const DIAGRAM: f32 = 178.0;
/// Font size of the text and distance of its lines.
const SIZE: f32 = 9.0;
const LEADING: f32 = 11.5;

/// A part of a column.
enum Item<'a> {
    Diagram(&'a Board),
    /// Texts with the distance of each from the left edge, and the room for each.
    Row(Vec<(f32, f32, Runs)>, FontWeight),
    Space(f32),
}

impl Item<'_> {
    fn height(&self) -> f32 {
        match self {
            Item::Diagram(_) => DIAGRAM + 4.0,
            Item::Row(..) => LEADING,
            Item::Space(height) => *height,
        }
    }
}

/// Draws the pages.
pub fn pages(document: &mut Document, boards: &[Board], parts: LessonParts, sheet: &Sheet) {
    let (paper_width, paper_height) = sheet.paper.size();
    let width = (paper_width - 2.0 * MARGIN - GAP) / 2.0;
    let (top, bottom) = (MARGIN + HEAD, paper_height - MARGIN - FOOT);
    // Each column has the items that fit, with their distances from the top.
    let mut columns: Vec<Vec<(f32, Item<'_>)>> = vec![Vec::new()];
    let mut y = top;
    let mut blocks: Vec<Vec<Item<'_>>> = Vec::new();
    for board in boards {
        let mut items = items(document, board, parts, width, sheet.four_colour);
        let mut travellers = sheet.travellers.iter();
        if let Some(results) = travellers.find(|it| Some(it.number) == board.number) {
            items.extend(traveller(results, width, sheet.four_colour));
        }
        blocks.push(items);
    }
    if !sheet.ranking.is_empty() {
        blocks.push(ranking(&sheet.ranking, width));
    }
    for items in blocks {
        // A diagram is kept together with the first lines below it.
        let head: f32 = items.iter().take(6).map(Item::height).sum();
        if y > top && y + head > bottom {
            columns.push(Vec::new());
            y = top;
        }
        for item in items {
            if y + item.height() > bottom {
                columns.push(Vec::new());
                y = top;
            }
            let height = item.height();
            if let Some(column) = columns.last_mut() {
                column.push((y, item));
            }
            y += height;
        }
        y += GAP;
    }
    let pages = columns.len().div_ceil(2);
    for (place, column) in columns.into_iter().enumerate() {
        if place % 2 == 0 {
            if place > 0 {
                document.next_page();
            }
            frame(document, sheet, "", (place / 2 + 1, pages));
        }
        let x = MARGIN + (place % 2) as f32 * (width + GAP);
        for (y, item) in column {
            match item {
                Item::Diagram(board) => {
                    draw_card(document, board, (x, y), (width, DIAGRAM), sheet.four_colour);
                }
                Item::Row(cells, weight) => {
                    for (at, room, text) in cells {
                        let style = look(SIZE, weight, INK);
                        runs(
                            document,
                            style,
                            Align::Left,
                            (x + at, y + SIZE),
                            room,
                            &text,
                        );
                    }
                }
                Item::Space(_) => {}
            }
        }
    }
}

/// Returns the parts of a board from top to bottom.
fn items<'a>(
    document: &mut Document,
    board: &'a Board,
    parts: LessonParts,
    width: f32,
    four: bool,
) -> Vec<Item<'a>> {
    let is_known = board.deal().is_some() || board.hands.0.values().any(Option::is_some);
    let mut items = match is_known {
        true => vec![Item::Diagram(board)],
        // Files of results alone have no cards.
        false => vec![Item::Row(
            vec![(
                0.0,
                width,
                vec![(INK, format!("Board {}", board.number.unwrap_or(1)))],
            )],
            FontWeight::Bold,
        )],
    };
    let record = board.record.as_deref();
    if let Some(text) = players(board) {
        items.extend(paragraph(document, &text, width, FAINT, four));
    }
    if let Some(record) = record.filter(|record| parts.auction && !record.auction.is_empty()) {
        items.extend(auction(record, board.place().1, width, four));
        for (number, text) in (1..).zip(notes(record)) {
            items.extend(paragraph(
                document,
                &format!("{number}  {text}"),
                width,
                FAINT,
                four,
            ));
        }
    }
    if let Some(text) = record.and_then(result) {
        items.push(Item::Space(3.0));
        items.extend(paragraph(document, &text, width, INK, four));
    }
    if let Some(record) = record.filter(|record| parts.play && !record.play.is_empty()) {
        items.push(Item::Space(3.0));
        items.extend(play(record, width, four));
        for (at, text) in &record.play_notes {
            let trick = at / 4 + 1;
            items.extend(paragraph(
                document,
                &format!("Trick {trick}: {text}"),
                width,
                FAINT,
                four,
            ));
        }
    }
    if let Some(extras) = board.extras.as_deref().filter(|_| parts.comments) {
        for comment in &extras.comments {
            items.push(Item::Space(4.0));
            for text in comment.split('\n') {
                items.extend(paragraph(document, text, width, INK, four));
            }
        }
    }
    items
}

/// Returns the row of a table whose columns have these shares of the width.
fn table_row<'a, const N: usize>(
    cells: [Runs; N],
    shares: [f32; N],
    width: f32,
    weight: FontWeight,
) -> Item<'a> {
    let mut at = 0.0;
    let cells = cells.into_iter().zip(shares).map(|(text, share)| {
        let room = share * width;
        at += room;
        (at - room, room - 4.0, text)
    });
    Item::Row(cells.collect(), weight)
}

/// Returns the results of a board as a table.
fn traveller<'a>(results: &Traveller, width: f32, four: bool) -> Vec<Item<'a>> {
    const SHARES: [f32; 5] = [0.27, 0.27, 0.24, 0.11, 0.11];
    let heads = ["N-S", "E-W", "Contract", "Score", "Points"];
    let heads = heads.map(|text| vec![(INK, text.to_owned())]);
    let mut items = vec![
        Item::Space(3.0),
        table_row(heads, SHARES, width, FontWeight::Bold),
    ];
    for row in &results.rows {
        let cells = row.clone().map(|text| coloured(&text, INK, four));
        items.push(table_row(cells, SHARES, width, FontWeight::Book));
    }
    items
}

/// Returns the ranking as a table.
fn ranking<'a>(rows: &[RankingRow], width: f32) -> Vec<Item<'a>> {
    const SHARES: [f32; 4] = [0.1, 0.56, 0.17, 0.17];
    let heads = ["", "Ranking", "Total", "%"].map(|text| vec![(INK, text.to_owned())]);
    let mut items = vec![table_row(heads, SHARES, width, FontWeight::Bold)];
    for row in rows {
        let cells = row.clone().map(|text| vec![(INK, text)]);
        items.push(table_row(cells, SHARES, width, FontWeight::Book));
    }
    items
}

/// Returns the names of the players in a line.
fn players(board: &Board) -> Option<String> {
    let names = board.names.as_deref()?;
    let pair = |seats: [Seat; 2]| {
        let names = seats.map(|seat| names.players[seat].trim());
        let known = names
            .into_iter()
            .filter(|name| !matches!(*name, "" | "?" | "-"));
        known.collect::<Vec<_>>().join(" – ")
    };
    let [ours, theirs] = [
        pair([Seat::North, Seat::South]),
        pair([Seat::East, Seat::West]),
    ];
    let sides = [("N-S", ours), ("E-W", theirs)].into_iter();
    let sides = sides.filter(|(_, names)| !names.is_empty());
    let texts: Vec<String> = sides
        .map(|(side, names)| format!("{side} {names}"))
        .collect();
    (!texts.is_empty()).then(|| texts.join(" · "))
}

/// Returns the different explanations of calls in order; alerts alone have none.
fn notes(record: &Record) -> Vec<&str> {
    let mut texts: Vec<&str> = Vec::new();
    for (_, text) in &record.notes {
        if !text.is_empty() && !texts.contains(&text.as_str()) {
            texts.push(text);
        }
    }
    texts
}

/// The columns of an auction.
const COLUMNS: [Seat; 4] = [Seat::West, Seat::North, Seat::East, Seat::South];

fn auction<'a>(record: &Record, dealer: Seat, width: f32, four: bool) -> Vec<Item<'a>> {
    let room = width / 4.0;
    let cell = |column: usize, text: Runs| (column as f32 * room, room - 4.0, text);
    let heads = COLUMNS.iter().enumerate();
    let heads = heads.map(|(i, &seat)| cell(i, vec![(INK, name(seat).to_owned())]));
    let mut items = vec![
        Item::Space(3.0),
        Item::Row(heads.collect(), FontWeight::Bold),
    ];
    let first = COLUMNS.iter().position(|&seat| seat == dealer).unwrap_or(0);
    let texts = notes(record);
    let mut row = Vec::new();
    for (i, word) in record.auction.iter().enumerate() {
        let column = (first + i) % 4;
        if column == 0 && !row.is_empty() {
            items.push(Item::Row(std::mem::take(&mut row), FontWeight::Book));
        }
        let mut text = call(word, four);
        for (_, note) in record.notes.iter().filter(|(at, _)| *at == i) {
            let number = texts.iter().position(|text| text == note);
            let mark = number.map_or(" *".to_owned(), |number| format!(" {}", number + 1));
            text.push((FAINT, mark));
        }
        row.push(cell(column, text));
    }
    items.push(Item::Row(row, FontWeight::Book));
    items
}

/// Returns a call as players write it: `1♠`, `Pass`, `Dbl`.
fn call(word: &str, four: bool) -> Runs {
    match Call::read(word) {
        Some(Call::Pass) => vec![(INK, "Pass".to_owned())],
        Some(Call::Double) => vec![(INK, "Dbl".to_owned())],
        Some(Call::Redouble) => vec![(INK, "Rdbl".to_owned())],
        Some(Call::Bid(bid)) => match bid.strain.suit() {
            Some(suit) => vec![
                (INK, bid.level().to_string()),
                (suit_colour(suit, four), suit.symbol().to_string()),
            ],
            None => vec![(INK, format!("{}NT", bid.level()))],
        },
        None => vec![(INK, word.to_owned())],
    }
}

/// Returns contract, declarer, lead and result in a sentence.
fn result(record: &Record) -> Option<String> {
    let contract = match record.contract {
        None if record.passed_out() => return Some("All passed.".to_owned()),
        contract => contract?,
    };
    let strain = match contract.strain {
        Strain::Notrump => "NT".to_owned(),
        strain => strain
            .suit()
            .map_or(String::new(), |suit| suit.symbol().to_string()),
    };
    let doubling = ["", " doubled", " redoubled"][contract.doubling as usize];
    let mut text = format!("Contract {}{strain}{doubling}", contract.level());
    if let Some(declarer) = record.declarer {
        text.push_str(&format!(" by {}", name(declarer)));
    }
    if let Some(lead) = record.play.first() {
        text.push_str(&format!(", lead {}", shown(*lead)));
    }
    if let Some(tricks) = record.result {
        text.push_str(&format!(", {tricks} tricks"));
    }
    Some(text + ".")
}

fn shown(card: PlayingCard) -> String {
    let rank = card.rank().letter().to_string().replace('T', "10");
    format!("{}{rank}", card.suit().symbol())
}

/// Returns the tricks in two columns, the card that was led first.
fn play<'a>(record: &Record, width: f32, four: bool) -> Vec<Item<'a>> {
    let tricks: Vec<Runs> = record
        .play
        .chunks(4)
        .enumerate()
        .map(|(i, cards)| {
            let mut text = vec![(FAINT, format!("{}. ", i + 1))];
            for card in cards {
                let rank = card.rank().letter().to_string().replace('T', "10");
                text.push((
                    suit_colour(card.suit(), four),
                    card.suit().symbol().to_string(),
                ));
                text.push((INK, format!("{rank} ")));
            }
            text
        })
        .collect();
    let half = tricks.len().div_ceil(2);
    let room = width / 2.0;
    (0..half)
        .map(|i| {
            let mut cells = vec![(0.0, room - 4.0, tricks[i].clone())];
            if let Some(right) = tricks.get(half + i) {
                cells.push((room, room - 4.0, right.clone()));
            }
            Item::Row(cells, FontWeight::Book)
        })
        .collect()
}

/// The ways in which files write a suit in a text, and the suits.
const SUIT_CODES: [(&str, Suit); 8] = [
    ("\\S", Suit::Spades),
    ("\\H", Suit::Hearts),
    ("\\D", Suit::Diamonds),
    ("\\C", Suit::Clubs),
    ("!S", Suit::Spades),
    ("!H", Suit::Hearts),
    ("!D", Suit::Diamonds),
    ("!C", Suit::Clubs),
];

/// Marks of bold, italic and underlined text in comments of BridgeComposer, which are left out.
const MARKUP: [&str; 6] = ["<b>", "</b>", "<i>", "</i>", "<u>", "</u>"];

/// Returns the lines of a text that is broken at blanks.
fn paragraph<'a>(
    document: &mut Document,
    text: &str,
    width: f32,
    colour: Colour,
    four: bool,
) -> Vec<Item<'a>> {
    let mut text = text.replace("\\n", " ");
    for (code, suit) in SUIT_CODES {
        let symbol = suit.symbol().to_string();
        text = text
            .replace(code, &symbol)
            .replace(&code.to_ascii_lowercase(), &symbol);
    }
    for mark in MARKUP {
        text = text.replace(mark, "");
    }
    let style: TextStyle = look(SIZE, FontWeight::Book, colour);
    let mut lines = Vec::new();
    let mut line = String::new();
    let words = text.split_whitespace();
    let words: Vec<String> = words
        .flat_map(|word| broken(document, style, word, width))
        .collect();
    for word in &words {
        let longer = match line.is_empty() {
            true => word.clone(),
            false => format!("{line} {word}"),
        };
        if !line.is_empty() && document.width(style, &longer) > width {
            lines.push(std::mem::replace(&mut line, word.clone()));
        } else {
            line = longer;
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    let row = |line: String| {
        Item::Row(
            vec![(0.0, width, coloured(&line, colour, four))],
            FontWeight::Book,
        )
    };
    lines.into_iter().map(row).collect()
}

/// Returns the parts of a word that is wider than a line, or the word itself.
fn broken(document: &mut Document, style: TextStyle, word: &str, width: f32) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    for c in word.chars() {
        part.push(c);
        if document.width(style, &part) > width && part.chars().count() > 1 {
            part.pop();
            parts.push(std::mem::replace(&mut part, c.to_string()));
        }
    }
    parts.push(part);
    parts
}

/// Returns a line with the suit symbols in their colours.
fn coloured(line: &str, colour: Colour, four: bool) -> Runs {
    let mut pieces: Runs = Vec::new();
    for c in line.chars() {
        let suit = Suit::ALL.into_iter().find(|suit| suit.symbol() == c);
        let colour = suit.map_or(colour, |suit| suit_colour(suit, four));
        match pieces.last_mut() {
            Some((last, text)) if *last == colour => text.push(c),
            _ => pieces.push((colour, c.to_string())),
        }
    }
    pieces
}
