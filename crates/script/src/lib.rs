//! The dealer language: compiles the text of a script to a plan.
//!
//! ```
//! use croupier_script::{CompileOptions, ScriptSource, compile};
//!
//! let source = ScriptSource::new("opening.dl", "condition hcp(north) >= 15 and hearts(north) == 5");
//! let (plan, warnings) = compile(&source, &CompileOptions::default()).unwrap();
//! assert!(plan.condition.is_some() && warnings.is_empty());
//!
//! let source = ScriptSource::new("wrong.dl", "condition hcp(north) = 15");
//! let errors = compile(&source, &CompileOptions::default()).unwrap_err();
//! assert_eq!(
//!     errors[0].render(),
//!     "wrong.dl:1:22: error[E203]: `=` defines a name; to compare write `==`\n    \
//!     1 | condition hcp(north) = 15\n      \
//!       |                      ^\n"
//! );
//! ```

mod ast;
mod diagnostic;
pub mod dialect;
mod explain;
pub mod expression;
mod function;
mod layout;
mod lexer;
mod loader;
mod lower;
mod non_script;
pub mod outline;
mod parameters;
mod parser;
mod pieces;
pub mod plan;
pub mod shape;
mod source;
mod spelling;
mod statements;
pub mod system;
mod token;
mod word;

pub use diagnostic::{Diagnostic, Fix, Severity};
pub use dialect::{DIALECTS, Dialect, DialectEntry, UnknownDialect};
pub use function::{Argument, Parameter};
pub use layout::{format, reformat};
pub use loader::{FileLoader, LONGEST_IMPORT, LoadError, Loaded, Loader};
pub use lower::counters::default_counters;
pub use parameters::{ScriptParameter, parameters};
pub use plan::Mode;
pub use source::{Place, ScriptSource, SourceMap};
pub use word::{WordCategory, WordEntry, words};

use cards::{BySeat, Seat};
use diagnostic::Report;
use plan::{Plan, Span};

/// Options of the compiler.
pub struct CompileOptions<'a> {
    /// Dialect of the script.
    pub mode: Mode,
    /// Texts of `$0` to `$9`.
    pub script_variables: [Option<String>; 10],
    /// Reads imported files.
    pub loader: &'a dyn Loader,
    /// Cards that the caller predeals, as in `SAKQ,H2`. They override the script's.
    pub predeal: BySeat<Option<String>>,
    /// Opener set by the caller. It overrides the script's.
    pub opener: Option<Seat>,
    /// Whether the caller sets the number of deals to generate; the script's number then has no effect.
    pub generate: bool,
    /// Whether the caller sets the number of deals to produce; the script's number then has no effect.
    pub produce: bool,
    /// Whether the script is read as dealer3 reads it: `not a > b` negates the comparison, `a == b == c` compares all three, a
    /// `$n` without a text is an error, suits are numbers, and `altcount`, `losers`, `cccc` and `quality` count as in v1. For
    /// [`Mode::Native`] only.
    pub dealer3: bool,
}

impl CompileOptions<'_> {
    /// Returns whether `altcount`, `losers`, `cccc` and `quality` count as in v1.
    pub(crate) fn has_v1_values(&self) -> bool {
        self.mode.is_v1() || self.dealer3
    }
}

impl Default for CompileOptions<'_> {
    fn default() -> Self {
        CompileOptions {
            mode: Mode::Native,
            script_variables: Default::default(),
            loader: &FileLoader,
            predeal: Default::default(),
            opener: None,
            generate: false,
            produce: false,
            dealer3: false,
        }
    }
}

/// Compiles a script to a plan.
///
/// # Errors
/// All errors found, in reading order, followed by the warnings.
pub fn compile(
    source: &ScriptSource,
    options: &CompileOptions<'_>,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let unwrapped = match options.mode {
        Mode::Native => non_script::script_inside(&source.text),
        _ => None,
    };
    let unwrapped = unwrapped.map(|text| ScriptSource::new(source.name.clone(), text));
    let source = unwrapped.as_ref().unwrap_or(source);
    let mut variables = options.script_variables.clone();
    if options.mode == Mode::Native {
        parameters::fill(&mut variables, &source.text);
    }
    let mut lexer = lexer::Lexer::new(options.mode, &variables);
    if source.text.len() >= u32::MAX as usize / 2 {
        let small = lexer
            .sources
            .add(source.name.clone(), [].into(), source::Origin::Script);
        let span = Span {
            source: small,
            start: 0,
            end: 0,
        };
        lexer.reports.add(Report::error(
            "E101",
            span,
            "the script is larger than 2 GB",
        ));
        return Err(lexer.reports.finish(&lexer.sources));
    }
    let files = loader::load(&mut lexer, source, options);
    if let Some(report) = non_script::report(&source.text) {
        lexer.reports.replace(report);
        return Err(lexer.reports.finish(&lexer.sources));
    }
    if unwrapped.is_some() {
        let start = Span::default();
        let message = "this is a practice scenario; the script inside `setDealerCode(...)` is read";
        lexer.reports.add(Report::warning("W25", start, message));
    }
    if options.mode == Mode::Native {
        parameters::check(&mut lexer, &files, options);
    }
    let switches = switch_cards(&mut lexer.sources, &mut lexer.reports, options);
    let lexer::Lexer {
        sources,
        mut reports,
        fd_texts,
        echo,
        ..
    } = lexer;
    let mut parser = parser::Parser::new(&sources, &mut reports, &files, &fd_texts, options);
    parser.script();
    let mut script = parser.script;
    drop(files);
    if let Some(seat) = options.opener {
        script.settings.opener = Some(seat);
    }
    if reports.has_errors() {
        // Cards that are dealt twice are reported even if there are syntax errors.
        lower::predeal::predeal(
            &script.predeal,
            &switches,
            options.mode,
            sources.end_of_script(),
            &mut reports,
        );
        return Err(reports.finish(&sources));
    }
    finish(script, options, sources, &switches, reports, echo)
}

/// Lowers a syntax tree without errors and collects the diagnostics.
pub(crate) fn finish(
    script: ast::Script,
    options: &CompileOptions<'_>,
    sources: SourceMap,
    switches: &lower::predeal::SwitchCards,
    mut reports: diagnostic::Reports,
    echo: Vec<u8>,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut plan = lower::lower(script, options, &sources, switches, &mut reports);
    plan.texts(echo, sources);
    let plan = plan.build();
    lower::report_certain_failures(&plan, &mut reports);
    let failed = reports.has_errors();
    let diagnostics = reports.finish(&plan.sources);
    if failed {
        return Err(diagnostics);
    }
    Ok((plan, diagnostics))
}

/// Returns the text that the classic scanners copy to standard output while they read the first `until` bytes of a script, where
/// they stop with an error.
#[must_use]
pub fn classic_echo(source: &ScriptSource, mode: Mode, until: u32) -> Vec<u8> {
    let variables = Default::default();
    let mut lexer = lexer::Lexer::new(mode, &variables);
    let number = lexer.sources.add(
        source.name.clone(),
        source.text[..source.text.len().min(until as usize)].into(),
        source::Origin::Script,
    );
    lexer.file(number);
    lexer.echo
}

/// Reads the cards that the caller predeals.
fn switch_cards(
    sources: &mut SourceMap,
    reports: &mut diagnostic::Reports,
    options: &CompileOptions<'_>,
) -> lower::predeal::SwitchCards {
    let mut result = BySeat([None; 4]);
    for (seat, text) in &options.predeal {
        let Some(text) = text else {
            continue;
        };
        let switch = format!("-{}", seat.letter());
        let source = sources.add(
            switch.clone(),
            text.as_bytes().into(),
            source::Origin::Switch(switch),
        );
        let span = Span {
            source,
            start: 0,
            end: text.len() as u32,
        };
        match cards::notation::suit_holdings(text) {
            Ok(cards) => result[seat] = Some((cards, span)),
            Err(error) => reports.add(Report::error(
                "E507",
                span,
                format!("{error}; cards are written as in `SAKQ,H2`"),
            )),
        }
    }
    result
}
