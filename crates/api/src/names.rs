//! Names from the registries: dialects, file formats and poker games.

use croupier::formats::FILE_FORMATS;
use croupier::poker::GAMES;
use croupier::script::UnknownDialect;
use serde::{Deserialize, Serialize};

use crate::words::Nothing;
use crate::{RequestError, RequestLimits};

/// Dialect of a script, by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Dialect(pub croupier::script::Dialect);

impl TryFrom<String> for Dialect {
    type Error = UnknownDialect;

    fn try_from(name: String) -> Result<Dialect, UnknownDialect> {
        name.parse().map(Dialect)
    }
}

impl From<Dialect> for String {
    fn from(dialect: Dialect) -> String {
        dialect.0.to_string()
    }
}

/// Declares the schema of a name that is one of a list.
#[cfg(feature = "openapi")]
macro_rules! names {
    ($type:ident, $description:literal, $names:expr) => {
        impl utoipa::PartialSchema for $type {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .description(Some($description))
                    .enum_values(Some($names))
                    .into()
            }
        }

        impl utoipa::ToSchema for $type {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }
        }
    };
}

/// Name of a game, for descriptions of the interface.
#[cfg(feature = "openapi")]
pub struct GameName;

/// Name of a file format that is written, for descriptions of the interface.
#[cfg(feature = "openapi")]
pub struct FormatName;

#[cfg(feature = "openapi")]
names!(
    Dialect,
    "Name of a dialect of the script language.",
    croupier::script::DIALECTS.map(|row| row.name)
);
#[cfg(feature = "openapi")]
names!(GameName, "Name of a poker game.", GAMES.map(|row| row.name));
#[cfg(feature = "openapi")]
names!(
    FormatName,
    "Name of a file format.",
    FILE_FORMATS.map(|row| row.name)
);

/// A poker game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameData {
    /// Name.
    #[cfg_attr(feature = "openapi", schema(value_type = GameName))]
    pub name: String,
    /// Name as players write it.
    pub title: String,
    /// Description in a few words.
    pub about: String,
    /// A range of hands of the game.
    pub example: String,
    /// Number of a player's own cards at the showdown.
    pub hole_cards: usize,
    /// Number of cards on a complete board: five, or none in the games without a board.
    pub board_cards: usize,
}

/// All poker games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Games {
    /// Games, the usual one first.
    pub games: Vec<GameData>,
}

/// Lists the poker games.
///
/// # Errors
/// None; the result type is that of all requests.
pub fn games(_: Nothing, _: &RequestLimits) -> Result<Games, RequestError> {
    let games = GAMES.map(|row| GameData {
        name: row.name.to_owned(),
        title: row.title.to_owned(),
        about: row.about.to_owned(),
        example: row.example.to_owned(),
        hole_cards: row.game.hole_cards(),
        board_cards: row.game.board_cards(),
    });
    Ok(Games {
        games: games.to_vec(),
    })
}

/// A format of files of deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormatData {
    /// Name.
    #[cfg_attr(feature = "openapi", schema(value_type = FormatName))]
    pub name: String,
    /// Short text for a button.
    pub label: String,
    /// Description in a few words.
    pub about: String,
    /// Ending of file names.
    pub ending: String,
    /// Whether the request `read` accepts the format.
    pub reads: bool,
    /// Whether the request `write` can make the format.
    pub writes: bool,
}

/// All formats of files of deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Formats {
    /// Formats.
    pub formats: Vec<FormatData>,
    /// Maximum number of boards in one file.
    pub boards: usize,
    /// Maximum length in bytes of a file to read.
    pub bytes: usize,
}

/// Lists the formats of files of deals.
///
/// # Errors
/// None; the result type is that of all requests.
pub fn formats(_: Nothing, limits: &RequestLimits) -> Result<Formats, RequestError> {
    let formats = FILE_FORMATS.map(|row| FormatData {
        name: row.name.to_owned(),
        label: row.label.to_owned(),
        about: row.about.to_owned(),
        ending: row.ending.to_owned(),
        reads: row.reads.is_some(),
        writes: row.writes.is_some() || cfg!(feature = "records"),
    });
    Ok(Formats {
        formats: formats.to_vec(),
        boards: limits.boards,
        // A file is sent in base 64, which needs four bytes for three.
        bytes: limits.text / 4 * 3,
    })
}
