//! Inlining: the body of a called function replaces the call.

use std::collections::HashMap;

use wasmparser::ValType;

use super::code::{Block, NOTHING, Node, Tree, length, visit, writes};
use super::{Parts, index_of};

/// Maximum number of instructions of a function that is inlined.
const LARGEST: usize = 400;
/// Maximum number of instructions that are copied into one function.
const MOST_COPIED: usize = 4_000;

struct Inliner<'m, 'a> {
    parts: &'m Parts<'a>,
    /// All locals of the caller, including those of inlined functions.
    locals: Vec<ValType>,
    /// The first local of each inlined function. All copies of a function share its locals.
    places: HashMap<u32, u32>,
    /// The chain of functions that are being inlined, the outermost first.
    within: Vec<u32>,
    copied: usize,
    /// Upper bound of the number of saved steps between two steps that remain.
    saved: u64,
}

/// An inlined function: the replacements of its locals, and the number of blocks around the current instruction.
struct Copied<'t, 'a> {
    locals: &'t [Place<'a>],
    depth: u32,
}

/// The replacement of a local of an inlined function.
enum Place<'a> {
    Local(u32),
    /// The argument, a constant or a local of the caller, in place of a parameter that is never written.
    Argument(Node<'a>),
}

/// Inlines the functions that `tree` calls. Returns an upper bound of the saved steps for each remaining step.
pub(super) fn inline<'a>(parts: &Parts<'a>, tree: &mut Tree<'a>) -> u64 {
    let mut inliner = Inliner {
        parts,
        locals: tree.locals.clone(),
        places: HashMap::new(),
        within: vec![parts.evaluate],
        copied: 0,
        saved: 0,
    };
    tree.body = inliner.nodes(&tree.body, None);
    tree.locals = inliner.locals;
    inliner.saved
}

impl<'a> Inliner<'_, 'a> {
    /// Returns the instructions with calls inlined. `copied` is the inlined function that they belong to, if any.
    fn nodes(&mut self, nodes: &[Node<'a>], copied: Option<&Copied<'_, 'a>>) -> Vec<Node<'a>> {
        let place = |local: u32| match copied.map(|copied| &copied.locals[local as usize]) {
            None => Node::Get(local),
            Some(Place::Local(place)) => Node::Get(*place),
            Some(Place::Argument(argument)) => argument.clone(),
        };
        let written_place = |local: u32| match place(local) {
            Node::Get(place) => place,
            _ => local,
        };
        let mut written = Vec::with_capacity(nodes.len());
        for node in nodes {
            written.push(match node {
                Node::Get(local) => place(*local),
                Node::Set(local) => Node::Set(written_place(*local)),
                Node::Tee(local) => Node::Tee(written_place(*local)),
                // A return becomes a branch to the end of the block that holds the inlined function.
                Node::Return => copied.map_or(Node::Return, |copied| Node::Branch(copied.depth)),
                Node::Call(function) => {
                    self.call(*function, &mut written);
                    continue;
                }
                Node::Block(block) => {
                    let inside = copied.map(|copied| Copied {
                        locals: copied.locals,
                        depth: copied.depth + 1,
                    });
                    let mut block = block.clone();
                    for part in block.parts_mut() {
                        *part = self.nodes(part, inside.as_ref());
                    }
                    Node::Block(block)
                }
                other => other.clone(),
            });
        }
        written
    }

    /// Appends the inlined function to `written`, or the call if the function cannot be inlined.
    fn call(&mut self, function: u32, written: &mut Vec<Node<'a>>) {
        let Some((tree, values)) = self.suitable(function) else {
            return written.push(Node::Call(function));
        };
        /// The call and the start of the function. Arguments are counted separately.
        const STEPS_OF_CALL: u64 = 2;
        self.saved += STEPS_OF_CALL + tree.parameters as u64;
        let first = *self.places.entry(function).or_insert_with(|| {
            let first = self.locals.len() as u32;
            self.locals.extend(&tree.locals);
            first
        });
        let numbers = first..first + tree.locals.len() as u32;
        let mut places: Vec<Place<'a>> = numbers.map(Place::Local).collect();
        // Constants and locals at the end of the written instructions are the last arguments.
        let mut parameters = tree.parameters;
        while parameters > 0
            && written.last().is_some_and(is_simple)
            && !writes(&tree.body, parameters as u32 - 1)
            && let Some(argument) = written.pop()
        {
            parameters -= 1;
            places[parameters] = Place::Argument(argument);
        }
        let given = (first..first + parameters as u32).rev();
        written.extend(given.map(Node::Set));
        for (number, &kind) in tree.locals.iter().enumerate().skip(tree.parameters) {
            let number = number as u32;
            if is_read_first(&tree, number) {
                written.extend([zero(kind), Node::Set(first + number)]);
            }
        }
        self.within.push(function);
        let copied = Copied {
            locals: &places,
            depth: 0,
        };
        let body = self.nodes(&tree.body, Some(&copied));
        self.within.pop();
        written.push(Node::Block(Block::new(values, body)));
    }

    /// Returns the function and its block type if it can be inlined.
    fn suitable(&mut self, function: u32) -> Option<(Tree<'a>, &'static [u8])> {
        const ONE_VALUE: [&[u8]; 4] = [&[0x7f], &[0x7e], &[0x7d], &[0x7c]];
        if self.within.contains(&function) || self.copied > MOST_COPIED {
            return None;
        }
        let values = match *self.parts.type_of(function)?.results() {
            [] => NOTHING,
            [kind] => ONE_VALUE[index_of(kind)?],
            _ => return None,
        };
        let tree = self.parts.tree(function)?;
        let length = length(&tree.body);
        if length > LARGEST || tree.locals.len() + self.locals.len() > LARGEST {
            return None;
        }
        self.copied += length;
        Some((tree, values))
    }
}

/// Returns whether an instruction only pushes a local or a constant.
fn is_simple(node: &Node<'_>) -> bool {
    const CONSTANTS: std::ops::RangeInclusive<u8> = 0x42..=0x44;
    match node {
        Node::Get(_) | Node::Const(_) => true,
        Node::Plain(raw) => CONSTANTS.contains(&raw[0]),
        _ => false,
    }
}

/// Returns whether a local may be read before it is written. It cannot if its first use is a write outside of all blocks,
/// because every path through the function passes that write or leaves the function before it.
fn is_read_first(tree: &Tree<'_>, local: u32) -> bool {
    for node in &tree.body {
        match node {
            Node::Set(other) | Node::Tee(other) if *other == local => return false,
            Node::Get(other) if *other == local => return true,
            Node::Block(_) => {
                let mut named = false;
                visit(std::slice::from_ref(node), 0, &mut |inside, _| {
                    named |= matches!(inside,
                        Node::Get(other) | Node::Set(other) | Node::Tee(other) if *other == local);
                });
                if named {
                    return true;
                }
            }
            _ => (),
        }
    }
    false
}

/// Returns the instruction that pushes the zero of a type, the initial value of a local.
fn zero(kind: ValType) -> Node<'static> {
    match kind {
        ValType::I64 => Node::Plain(&[0x42, 0]),
        ValType::F32 => Node::Plain(&[0x43, 0, 0, 0, 0]),
        ValType::F64 => Node::Plain(&[0x44, 0, 0, 0, 0, 0, 0, 0, 0]),
        _ => Node::Const(0),
    }
}
