//! Divides a text such as `AKs vs QQ+` into the ranges of the players.

/// Returns the ranges of a text that joins them by `vs`, `v`, `versus` or `against`; without one, the text itself.
///
/// ```
/// assert_eq!(croupier_poker::split_players("AKs vs QQ+, JJ vs. random"), ["AKs", "QQ+, JJ", "random"]);
/// assert_eq!(croupier_poker::split_players("QQ+ [flush draw]"), ["QQ+ [flush draw]"]);
/// ```
#[must_use]
pub fn split_players(text: &str) -> Vec<&str> {
    let mut players = Vec::new();
    let mut start = 0;
    let mut depth = 0usize;
    let mut place = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim().trim_end_matches('.');
        let joins = ["vs", "v", "versus", "against"];
        if depth == 0 && place > start && joins.iter().any(|it| bare.eq_ignore_ascii_case(it)) {
            players.push(text[start..place].trim());
            start = place + word.len();
        }
        for letter in word.chars() {
            match letter {
                '[' | '{' => depth += 1,
                ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        place += word.len();
    }
    players.push(text[start..].trim());
    players
}
