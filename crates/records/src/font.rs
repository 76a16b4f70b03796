//! The two fonts of all documents.

use std::collections::BTreeMap;

use subsetter::GlyphRemapper;
use ttf_parser::Face;

/// The weights of the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FontWeight {
    /// For hands and texts.
    Book,
    /// For numbers of boards and titles.
    Bold,
}

impl FontWeight {
    /// Both weights, in the order of their numbers in a document.
    pub const ALL: [FontWeight; 2] = [FontWeight::Book, FontWeight::Bold];

    /// Returns the font file.
    pub fn file(self) -> &'static [u8] {
        match self {
            FontWeight::Book => include_bytes!("fonts/DejaVuSansCondensed.ttf"),
            FontWeight::Bold => include_bytes!("fonts/DejaVuSansCondensed-Bold.ttf"),
        }
    }

    /// Returns the name of the font.
    pub fn name(self) -> &'static str {
        match self {
            FontWeight::Book => "DejaVuSansCondensed",
            FontWeight::Bold => "DejaVuSansCondensed-Bold",
        }
    }
}

/// A glyph that a document uses.
#[derive(Clone, Copy, Debug)]
pub struct Glyph {
    /// Number of the glyph in the document, from 1 in the order of first use.
    pub number: u16,
    /// Width of the glyph in thousandths of the font size.
    pub width: f32,
}

/// A font and the glyphs of it that are used.
pub struct Font {
    /// Weight of the font.
    pub weight: FontWeight,
    /// The parsed font file.
    pub face: Face<'static>,
    /// The used characters.
    used: BTreeMap<char, Glyph>,
    /// The numbers of the glyphs in the document.
    pub numbers: GlyphRemapper,
    /// The used glyphs in the order of their numbers, with the first character that used each.
    pub order: Vec<(char, Glyph)>,
}

impl Font {
    /// Creates a font without used glyphs.
    pub fn new(weight: FontWeight) -> Font {
        let face = Face::parse(weight.file(), 0).expect("the bundled font is one");
        Font {
            weight,
            face,
            used: BTreeMap::new(),
            numbers: GlyphRemapper::new(),
            order: Vec::new(),
        }
    }

    /// Returns the glyph of a character, or the replacement glyph if the font does not have it.
    pub fn glyph(&mut self, character: char) -> Glyph {
        if let Some(glyph) = self.used.get(&character) {
            return *glyph;
        }
        let Some(id) = self.face.glyph_index(character) else {
            return self.glyph('\u{fffd}');
        };
        let units = f32::from(self.face.units_per_em());
        let width = f32::from(self.face.glyph_hor_advance(id).unwrap_or(0));
        let glyph = Glyph {
            number: self.numbers.remap(id.0),
            width: 1000.0 * width / units,
        };
        self.used.insert(character, glyph);
        // Several characters may share a glyph.
        if usize::from(glyph.number) > self.order.len() {
            self.order.push((character, glyph));
        }
        glyph
    }

    /// Returns the width of a text in this size.
    pub fn width(&mut self, text: &str, size: f32) -> f32 {
        text.chars().map(|c| self.glyph(c).width).sum::<f32>() * size / 1000.0
    }
}
