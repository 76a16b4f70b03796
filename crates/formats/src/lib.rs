//! Readers and writers of deals in all formats.
//!
//! Writers append bytes to a `Vec<u8>`; the caller decides when and where these are written. Readers are iterators over
//! [`Board`]s; a bad board is an error item, after which they continue. The printed pages of the classic programs have
//! three styles, which differ by the tables in [`style`], not by copies of the writers. The crate `render` formats the
//! results of a whole run.
//!
//! ```
//! use cards::{Deal, Seat};
//! use croupier_formats::{Board, Reader, hand, lin, pbn};
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

pub mod auction;
pub mod bigdeal;
pub mod board;
pub mod csv;
mod declared;
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
mod registry;
pub mod results;
pub mod style;
pub mod text;
pub mod writer;
pub mod zrd;

pub use auction::{Auction, AuctionError, AuctionFault, AuctionPattern};
pub use bigdeal::BigDealReader;
pub use board::{Board, BoardNames, ExtraTag, Extras, Hands};
pub use declared::{DeclaredContract, ParseDeclaredContractError};
pub use pbn::SourceText;
pub use reader::{BoardReadError, InputFormat, Reader};
pub use record::{Call, Record};
pub use registry::{FILE_FORMATS, FileFormat, KeptData};
pub use style::PrintStyle;
pub use writer::{OutputFormat, WriteError, Writer};
