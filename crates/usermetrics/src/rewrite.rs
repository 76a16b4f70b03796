//! Rewriting of a module so that it needs fewer steps: functions that `evaluate` calls are inlined, and short counting
//! loops are unrolled.
//!
//! The interpreter does not optimise. Modules from a compiler are already optimised, but modules written by hand have many
//! small functions and loops of four or thirteen iterations, and a call costs the interpreter as much as ten other
//! instructions. The example of docs/user-metrics.md needs 390 steps instead of 650, and the processor executes 4,410
//! instructions instead of 9,680 (docs/dev/speed.md).
//!
//! The rewritten module computes the same bits, because the operations on numbers and memory and their order are
//! unchanged. Its number of steps differs. So its result is used only if it ends within a number of steps that
//! guarantees that the original would end with the same result within its limits; in all other cases the original is
//! run.

mod code;
mod inline;
#[cfg(all(test, feature = "text"))]
mod tests;
mod unroll;

use wasmparser::{ExternalKind, FuncType, FunctionBody, Parser, Payload, ValType};

use code::{Tree, write_number};

/// A module that takes fewer steps.
pub(crate) struct Rewritten {
    pub(crate) binary: Vec<u8>,
    /// Maximum number of steps of the original module for each step of the rewritten one.
    pub(crate) ratio: u64,
}

/// The parts of a module that rewriting needs. Modules have no imports, so functions and bodies have the same numbers.
struct Parts<'a> {
    types: Vec<FuncType>,
    type_of: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    /// The code section with its header.
    code: std::ops::Range<usize>,
    evaluate: u32,
}

/// Maximum size in bytes of a module to rewrite. Larger modules come from a compiler.
const LARGEST: usize = 1 << 20;

/// Rewrites a valid module without imports. Returns `None` if rewriting would save no steps.
pub(crate) fn rewrite(binary: &[u8]) -> Option<Rewritten> {
    if binary.len() > LARGEST {
        return None;
    }
    let parts = Parts::read(binary)?;
    let mut tree = parts.tree(parts.evaluate)?;
    let mut saved = inline::inline(&parts, &mut tree);
    saved += unroll::unroll(&mut tree)?;
    if saved == 0 {
        return None;
    }
    Some(Rewritten {
        binary: parts.with_evaluate(binary, &tree),
        ratio: 1 + saved,
    })
}

impl<'a> Parts<'a> {
    fn read(binary: &'a [u8]) -> Option<Parts<'a>> {
        let mut parts = Parts {
            types: Vec::new(),
            type_of: Vec::new(),
            bodies: Vec::new(),
            code: 0..0,
            evaluate: u32::MAX,
        };
        let mut end_of_last = 0;
        for payload in Parser::new(0).parse_all(binary) {
            let payload = payload.ok()?;
            let section = payload.as_section();
            match payload {
                Payload::Version { range, .. } => end_of_last = range.end,
                Payload::TypeSection(types) => {
                    let types = types.into_iter_err_on_gc_types();
                    parts.types = types.collect::<Result<_, _>>().ok()?;
                }
                Payload::ImportSection(imports) if imports.count() > 0 => return None,
                Payload::FunctionSection(list) => {
                    parts.type_of = list.into_iter().collect::<Result<_, _>>().ok()?;
                }
                Payload::ExportSection(list) => {
                    for export in list {
                        let export = export.ok()?;
                        if export.name == "evaluate" && export.kind == ExternalKind::Func {
                            parts.evaluate = export.index;
                        }
                    }
                }
                Payload::CodeSectionStart { range, .. } => parts.code = end_of_last..range.end,
                Payload::CodeSectionEntry(body) => parts.bodies.push(body),
                _ => (),
            }
            if let Some((_, range)) = section {
                end_of_last = range.end;
            }
        }
        Some(parts)
    }

    fn type_of(&self, function: u32) -> Option<&FuncType> {
        let number = *self.type_of.get(function as usize)?;
        self.types.get(number as usize)
    }

    /// Returns the instructions of a function as a tree.
    fn tree(&self, function: u32) -> Option<Tree<'a>> {
        let body = self.bodies.get(function as usize)?;
        Tree::read(self.type_of(function)?.params(), body)
    }

    /// Returns the module with `tree` as the body of `evaluate`.
    fn with_evaluate(&self, binary: &[u8], tree: &Tree<'_>) -> Vec<u8> {
        let mut code = Vec::new();
        write_number(&mut code, self.bodies.len() as u64);
        for (number, body) in self.bodies.iter().enumerate() {
            let written;
            let bytes = if number == self.evaluate as usize {
                written = tree.write();
                &written[..]
            } else {
                body.as_bytes()
            };
            write_number(&mut code, bytes.len() as u64);
            code.extend_from_slice(bytes);
        }
        const CODE: u8 = 10;
        let mut module = binary[..self.code.start].to_vec();
        module.push(CODE);
        write_number(&mut module, code.len() as u64);
        module.extend_from_slice(&code);
        module.extend_from_slice(&binary[self.code.end..]);
        module
    }
}

/// Returns the index of a numeric type in tables by type; `None` for other types.
fn index_of(kind: ValType) -> Option<usize> {
    [ValType::I32, ValType::I64, ValType::F32, ValType::F64]
        .into_iter()
        .position(|other| other == kind)
}
