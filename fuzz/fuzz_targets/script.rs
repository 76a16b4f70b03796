//! Any bytes as a script, in any mode: errors with places in the text, or a plan that hangs together.
#![no_main]

use libfuzzer_sys::fuzz_target;
use script::plan::Mode;
use script::{CompileOptions, Loaded, Loader, Source, compile};

/// `import` finds one small file and nothing else.
struct Shelf;

impl Loader for Shelf {
    fn load(&self, _: &str, path: &str) -> Result<Loaded, String> {
        match path {
            "a" => Ok(Loaded {
                identity: "a".to_owned(),
                source: Source::new("a", "imported = hcp(north)\nimport \"a\"\n"),
            }),
            _ => Err("no such file".to_owned()),
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else {
        return;
    };
    let mut options = CompileOptions {
        mode: [Mode::Native, Mode::V1, Mode::V2, Mode::Exe][usize::from(choice) % 4],
        loader: &Shelf,
        ..CompileOptions::default()
    };
    options.script_variables[1] = Some("hcp(north) > 5".to_owned());
    options.script_variables[2] = Some("$2 (".to_owned());
    match compile(&Source::new("script.dl", text), &options) {
        Ok((plan, warnings)) => {
            assert_eq!(plan.nodes.len(), plan.facts.len());
            for (number, node) in plan.nodes.iter().enumerate() {
                node.for_each_operand(|id| assert!(id.index() < number));
                assert!(plan.facts[number].min <= plan.facts[number].max);
            }
            assert!(!plan.explain().is_empty());
            warnings.iter().for_each(|w| assert!(!w.render().is_empty()));
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            errors.iter().for_each(|e| assert!(!e.render_coloured().is_empty()));
        }
    }
});
