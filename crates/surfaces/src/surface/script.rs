//! The compiler of the language, and the formatter of scripts.

use script::plan::Mode;
use script::{CompileOptions, LoadError, Loaded, Loader, ScriptSource, compile};

use crate::observed::Observed;
use crate::{Surface, seeds};

/// Scripts in every dialect.
pub static SCRIPT: Surface = Surface {
    name: "script",
    about: "Any bytes as a script in any dialect (the first byte chooses): errors with places in the text, or a plan that hangs together.",
    feed,
    seeds: || with_choice(5, seeds::conditions()),
    words: seeds::language,
    inputs: 30_000,
};

/// Formatting by `croupier fmt`.
pub static LAYOUT: Surface = Surface {
    name: "layout",
    about: "Any bytes laid out: the meaning of a good script stays, doing it again changes nothing, and the outline for editors has its places in the text.",
    feed: lay_out,
    seeds: seeds::scripts,
    words: seeds::language,
    inputs: 3_000,
};

/// Returns every script with a first byte that selects the dialect in turn.
pub fn with_choice(dialects: usize, more: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let chosen = |(number, script): (usize, Vec<u8>)| {
        let mut input = vec![b'0' + (number % dialects) as u8];
        input.extend(script);
        input
    };
    let scripts = seeds::scripts().into_iter().chain(more);
    scripts.enumerate().map(chosen).collect()
}

/// Loader with one valid file and one that imports itself.
pub struct TestLoader;

impl Loader for TestLoader {
    fn load(&self, _: &str, path: &str) -> Result<Loaded, LoadError> {
        let text = match path {
            "a" => "imported = hcp(north)\n",
            "b" => "import \"b\"\n",
            _ => return Err(LoadError::Refused("no such file".into())),
        };
        Ok(Loaded {
            identity: path.to_owned(),
            source: ScriptSource::new(path, text),
        })
    }
}

fn feed(input: &[u8]) -> u64 {
    let Some((&choice, text)) = input.split_first() else {
        return 0;
    };
    let choice = usize::from(choice) % 5;
    let mut options = CompileOptions {
        mode: [Mode::Native, Mode::V1, Mode::V2, Mode::Exe, Mode::Native][choice],
        dealer3: choice == 4,
        loader: &TestLoader,
        ..CompileOptions::default()
    };
    options.script_variables[1] = Some("hcp(north) > 5".to_owned());
    options.script_variables[2] = Some("$2 (".to_owned());
    options.script_variables[3] = Some("$4 $4".to_owned());
    options.script_variables[4] = Some("spades $5".to_owned());
    let source = ScriptSource::new("script.dl", text);
    let mut observed = Observed::default();
    observed.note(choice);
    match compile(&source, &options) {
        Ok((plan, warnings)) => {
            assert_eq!(
                plan.nodes.len(),
                plan.facts.len(),
                "every node has its facts"
            );
            for (number, node) in plan.nodes.iter().enumerate() {
                node.for_each_operand(|id| assert!(id.index() < number, "operands come first"));
                let facts = &plan.facts[number];
                assert!(
                    facts.min <= facts.max,
                    "a range has a lower and an upper end"
                );
                let _ = plan.sources.place(facts.span);
                observed.note(std::mem::discriminant(node));
            }
            assert!(!plan.explain().is_empty());
            for warning in &warnings {
                assert!(!warning.render().is_empty());
                observed.note(warning.code);
            }
            for action in &plan.actions {
                observed.note(std::mem::discriminant(action));
            }
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "a refusal has a reason");
            let lines = text.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
            for error in &errors {
                assert!(
                    error.place.file != "script.dl" || error.place.line <= lines,
                    "a line of the script"
                );
                assert!(!error.message.is_empty());
                assert!(error.render_coloured().len() >= error.render().len());
                let _ = error.render_classic();
                observed.note(error.code).note(error.fix.is_some());
            }
        }
    }
    observed.number()
}

fn lay_out(input: &[u8]) -> u64 {
    let once = script::format(input);
    let outline = script::outline::Outline::of(input);
    let mut end = 0;
    let mut observed = Observed::default();
    for mark in &outline.tokens {
        assert!(
            mark.range.start >= end && mark.range.end <= input.len(),
            "marks in reading order"
        );
        end = mark.range.end;
        observed.note(mark.class);
    }
    for part in &outline.statements {
        assert!(part.range.start <= part.head.start && part.head.end <= part.range.end);
    }
    for offset in 0..input.len().min(200) {
        let _ = outline.at(offset);
    }
    let parameters = script::parameters(input);
    observed.note(parameters.len());
    let options = CompileOptions {
        loader: &TestLoader,
        ..CompileOptions::default()
    };
    let source = ScriptSource::new("script.dl", input);
    if let (Ok((before, _)), Ok(laid_out)) = (
        compile(&source, &options),
        script::reformat(&source, &options),
    ) {
        let after = compile(&ScriptSource::new("script.dl", laid_out), &options);
        let (after, _) =
            after.unwrap_or_else(|errors| panic!("broken by the layout: {}", errors[0].render()));
        assert_eq!(before.explain(), after.explain(), "the meaning stays");
        let twice = script::format(&once);
        assert_eq!(
            String::from_utf8_lossy(&once),
            String::from_utf8_lossy(&twice),
            "a script that is laid out stays as it is"
        );
    }
    observed.number()
}
