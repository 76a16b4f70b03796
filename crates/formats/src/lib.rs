//! Every way a deal is read or written.
//!
//! Writers append bytes to a `Vec<u8>`: whoever owns the output decides when and where it goes.
//! Readers are iterators over [`Board`]s and never fail as a whole because of one bad board. The
//! printed pages of the classic programs come in three looks that differ by the tables in
//! [`style`], not by copies of the writers. What a run as a whole has to say is drawn by the crate
//! `render`.
//!
//! ```
//! use cards::{Deal, Seat};
//! use formats::{Board, Reader, hand, lin, pbn};
//!
//! let deal: Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".parse().unwrap();
//!
//! // A page of the classic program …
//! let mut line = Vec::new();
//! hand::one_line(&mut line, &deal, Some(20));
//! assert_eq!(line, b"n AKJ.KQJ.A9873.Q9 e QT.T75.QT6.JT843 s 98642.842.52.652 w 753.A963.KJ4.AK7 20\n");
//!
//! // … is read back, as is any other format: the reader finds out which one it is.
//! let mut file = Vec::new();
//! lin::write(&mut file, &Board::duplicate(&deal, 1));
//! for text in [&line, &file] {
//!     let board = Reader::new(&text[..]).unwrap().next().unwrap().unwrap();
//!     assert_eq!(board.deal(), Some(deal));
//! }
//! ```

pub mod board;
pub mod csv;
mod detect;
pub mod dl52;
pub mod dlm;
pub mod duplimate;
pub mod hand;
pub mod handviewer;
pub mod json;
pub mod lin;
pub mod lines;
pub mod number;
pub mod page;
pub mod pbn;
pub mod reader;
pub mod record;
pub mod style;
pub mod text;
pub mod writer;
pub mod zrd;

pub use board::{Board, ExtraTag, Extras, Hands, Names};
pub use reader::{Format, Problem, Reader};
pub use record::{Call, Record};
pub use style::{Dialect, Style};
pub use writer::{OutputFormat, Refusal, Writer};
