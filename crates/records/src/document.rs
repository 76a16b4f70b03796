//! Pages to draw on, and the PDF file made of them.
//!
//! Positions are in points from the upper left corner of the page.

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use crate::font::{Font, FontWeight};

/// Red, green and blue, 0 to 255.
pub type Colour = [u8; 3];

/// The alignment of a text to its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// The text begins there.
    Left,
    /// The middle of the text is there.
    Centre,
    /// The text ends there.
    Right,
}

/// The style of a text.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Size in points.
    pub size: f32,
    /// Weight of the font.
    pub weight: FontWeight,
    /// Colour.
    pub colour: Colour,
}

/// A document to which pages are added.
pub struct Document {
    size: (f32, f32),
    fonts: [Font; 2],
    pages: Vec<Vec<u8>>,
    content: Content,
}

/// The names of the fonts on the pages.
const NAMES: [Name<'static>; 2] = [Name(b"F1"), Name(b"F2")];
const SYSTEM: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

impl Document {
    /// Creates a document with pages of this size and begins the first page.
    pub fn new(size: (f32, f32)) -> Document {
        Document {
            size,
            fonts: FontWeight::ALL.map(Font::new),
            pages: Vec::new(),
            content: Content::new(),
        }
    }

    /// Begins another page.
    pub fn next_page(&mut self) {
        let content = std::mem::replace(&mut self.content, Content::new());
        self.pages.push(compressed(&content.finish()));
    }

    fn y(&self, y: f32) -> f32 {
        self.size.1 - y
    }

    fn font(&mut self, weight: FontWeight) -> &mut Font {
        &mut self.fonts[weight as usize]
    }

    /// Returns the width of a text.
    pub fn width(&mut self, look: TextStyle, text: &str) -> f32 {
        self.font(look.weight).width(text, look.size)
    }

    /// Draws a text with its baseline at `y` and returns its width.
    pub fn text(&mut self, look: TextStyle, align: Align, (x, y): (f32, f32), text: &str) -> f32 {
        let width = self.width(look, text);
        let start = match align {
            Align::Left => x,
            Align::Centre => x - width / 2.0,
            Align::Right => x - width,
        };
        let font = self.font(look.weight);
        let bytes: Vec<u8> = text
            .chars()
            .flat_map(|c| font.glyph(c).number.to_be_bytes())
            .collect();
        let y = self.y(y);
        let [red, green, blue] = shares(look.colour);
        self.content
            .set_fill_rgb(red, green, blue)
            .begin_text()
            .set_font(NAMES[look.weight as usize], look.size)
            .next_line(start, y)
            .show(Str(&bytes))
            .end_text();
        width
    }

    /// Draws a text like [`Document::text`], in a smaller size if it would be wider than `most`.
    pub fn text_within(
        &mut self,
        mut look: TextStyle,
        align: Align,
        place: (f32, f32),
        most: f32,
        text: &str,
    ) -> f32 {
        let width = self.width(look, text);
        if width > most {
            look.size *= most / width;
        }
        self.text(look, align, place, text)
    }

    /// Draws a line.
    pub fn line(&mut self, colour: Colour, width: f32, from: (f32, f32), to: (f32, f32)) {
        let [red, green, blue] = shares(colour);
        let (y0, y1) = (self.y(from.1), self.y(to.1));
        self.content
            .set_stroke_rgb(red, green, blue)
            .set_line_width(width)
            .move_to(from.0, y0)
            .line_to(to.0, y1)
            .stroke();
    }

    /// Draws the outline of a rectangle.
    pub fn outline(&mut self, colour: Colour, width: f32, (x, y): (f32, f32), size: (f32, f32)) {
        let [red, green, blue] = shares(colour);
        let bottom = self.y(y + size.1);
        self.content
            .set_stroke_rgb(red, green, blue)
            .set_line_width(width)
            .rect(x, bottom, size.0, size.1)
            .stroke();
    }

    /// Draws a filled polygon.
    pub fn polygon(&mut self, colour: Colour, corners: &[(f32, f32)]) {
        let [red, green, blue] = shares(colour);
        self.content.set_fill_rgb(red, green, blue);
        for (place, &(x, y)) in corners.iter().enumerate() {
            let y = self.y(y);
            match place {
                0 => self.content.move_to(x, y),
                _ => self.content.line_to(x, y),
            };
        }
        self.content.close_path().fill_nonzero();
    }

    /// Draws a filled disc.
    pub fn disc(&mut self, colour: Colour, (x, y): (f32, f32), radius: f32) {
        // Distance of the control points of the four Bézier curves that approximate a circle of radius 1.
        const HANDLE: f32 = 0.552_285;
        let [red, green, blue] = shares(colour);
        let (y, r, h) = (self.y(y), radius, radius * HANDLE);
        self.content
            .set_fill_rgb(red, green, blue)
            .move_to(x + r, y)
            .cubic_to(x + r, y + h, x + h, y + r, x, y + r)
            .cubic_to(x - h, y + r, x - r, y + h, x - r, y)
            .cubic_to(x - r, y - h, x - h, y - r, x, y - r)
            .cubic_to(x + h, y - r, x + r, y - h, x + r, y)
            .close_path()
            .fill_nonzero();
    }

    /// Returns the file. It has no date, so the same boards give the same bytes.
    pub fn finish(mut self, title: &str) -> Vec<u8> {
        self.next_page();
        let [catalog, tree, info] = [1, 2, 3].map(Ref::new);
        // Five objects for each font, two for each page.
        let font_ids = [4, 9].map(Ref::new);
        let page_id = |page: usize| Ref::new(14 + 2 * page as i32);
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(tree).lang(TextStr("en"));
        let kids = (0..self.pages.len()).map(page_id);
        pdf.pages(tree).kids(kids).count(self.pages.len() as i32);
        pdf.document_info(info)
            .title(TextStr(title))
            .producer(TextStr("croupier"));
        for (font, id) in self.fonts.iter().zip(font_ids) {
            embed(&mut pdf, font, id);
        }
        for (number, content) in self.pages.iter().enumerate() {
            let id = page_id(number);
            let content_id = Ref::new(id.get() + 1);
            let mut page = pdf.page(id);
            page.media_box(Rect::new(0.0, 0.0, self.size.0, self.size.1))
                .parent(tree)
                .contents(content_id);
            let mut resources = page.resources();
            let mut fonts = resources.fonts();
            for (name, id) in NAMES.into_iter().zip(font_ids) {
                fonts.pair(name, id);
            }
            fonts.finish();
            resources.finish();
            page.finish();
            pdf.stream(content_id, content).filter(Filter::FlateDecode);
        }
        pdf.finish()
    }
}

fn shares(colour: Colour) -> [f32; 3] {
    colour.map(|part| f32::from(part) / 255.0)
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6)
}

/// Writes the used glyphs of a font, as objects `id` to `id + 4`.
fn embed(pdf: &mut Pdf, font: &Font, id: Ref) {
    let [cid, descriptor, file, unicode] = [1, 2, 3, 4].map(|step| Ref::new(id.get() + step));
    let subset = subsetter::subset(font.weight.file(), 0, &font.numbers)
        .expect("the bundled font can be reduced");
    // A prefix of six letters marks a subset of a font; it differs between the two fonts.
    let name = match font.weight {
        FontWeight::Book => format!("CROUPA+{}", font.weight.name()),
        FontWeight::Bold => format!("CROUPB+{}", font.weight.name()),
    };
    let name = Name(name.as_bytes());
    pdf.type0_font(id)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(cid)
        .to_unicode(unicode);
    let mut cid_font = pdf.cid_font(cid);
    cid_font
        .subtype(CidFontType::Type2)
        .base_font(name)
        .system_info(SYSTEM)
        .font_descriptor(descriptor)
        .default_width(0.0)
        .cid_to_gid_map_predefined(Name(b"Identity"));
    let widths = font.order.iter().map(|(_, glyph)| glyph.width);
    cid_font.widths().consecutive(1, widths);
    cid_font.finish();
    let face = &font.face;
    let scale = |value: i16| 1000.0 * f32::from(value) / f32::from(face.units_per_em());
    let bounds = face.global_bounding_box();
    pdf.font_descriptor(descriptor)
        .name(name)
        .flags(FontFlags::SYMBOLIC)
        .bbox(Rect::new(
            scale(bounds.x_min),
            scale(bounds.y_min),
            scale(bounds.x_max),
            scale(bounds.y_max),
        ))
        .italic_angle(0.0)
        .ascent(scale(face.ascender()))
        .descent(scale(face.descender()))
        .cap_height(scale(face.capital_height().unwrap_or(face.ascender())))
        .stem_v(80.0)
        .font_file2(file);
    let mut map = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
    for (character, glyph) in &font.order {
        map.pair(glyph.number, *character);
    }
    pdf.stream(file, &compressed(&subset))
        .filter(Filter::FlateDecode);
    pdf.stream(unicode, &compressed(map.finish().as_slice()))
        .filter(Filter::FlateDecode);
}
