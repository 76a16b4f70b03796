//! Functions that are called are copied into the caller.

use std::collections::HashMap;

use wasmparser::ValType;

use super::code::{Block, NOTHING, Node, Tree, length, visit, writes};
use super::{Parts, index_of};

/// A function with more instructions is called as before.
const LARGEST: usize = 400;
/// Maximum number of instructions copied into one function.
const MOST_COPIED: usize = 4_000;

struct Inliner<'m, 'a> {
    parts: &'m Parts<'a>,
    /// All locals of the function that others are copied into.
    locals: Vec<ValType>,
    /// Where the locals of each function begin that was copied: one copy uses them after the other.
    places: HashMap<u32, u32>,
    /// Functions that are being copied, one into the other.
    within: Vec<u32>,
    copied: usize,
    /// Upper bound of the number of steps that are saved between two remaining ones.
    saved: u64,
}

/// A function that is copied: what its locals have become, and how many labels are around the instruction.
struct Copied<'t, 'a> {
    locals: &'t [Place<'a>],
    depth: u32,
}

/// The new index of a local of a copied function.
enum Place<'a> {
    Local(u32),
    /// A parameter that is never written, for which the argument itself stands: a number or a local of the caller.
    Argument(Node<'a>),
}

/// Copies what a function calls into it. Returns a bound of the steps that are saved wherever one is made.
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
    /// The instructions with all calls written out, as part of a copied function or of the function itself.
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
                // The function's own label is now that of the block it is copied into.
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

    /// Writes a call, or what it does.
    fn call(&mut self, function: u32, written: &mut Vec<Node<'a>>) {
        let Some((tree, values)) = self.suitable(function) else {
            return written.push(Node::Call(function));
        };
        /// The call itself and the beginning of the function, the arguments, and numbers that locals begin with.
        const STEPS_OF_CALL: u64 = 2;
        self.saved += STEPS_OF_CALL + tree.parameters as u64;
        let first = *self.places.entry(function).or_insert_with(|| {
            let first = self.locals.len() as u32;
            self.locals.extend(&tree.locals);
            first
        });
        let numbers = first..first + tree.locals.len() as u32;
        let mut places: Vec<Place<'a>> = numbers.map(Place::Local).collect();
        // The last arguments are the last instructions, as long as they are simple.
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

    /// The function and the type of its values, if it can be copied.
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

/// Whether an instruction does nothing but put a local or a number on the stack.
fn is_simple(node: &Node<'_>) -> bool {
    const CONSTANTS: std::ops::RangeInclusive<u8> = 0x42..=0x44;
    match node {
        Node::Get(_) | Node::Const(_) => true,
        Node::Plain(raw) => CONSTANTS.contains(&raw[0]),
        _ => false,
    }
}

/// Whether a local may be read before it is written. It is not if it is written outside of all blocks before anything else
/// is done with it: until then one can only go on or leave the function.
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

/// Initialises the locals.
fn zero(kind: ValType) -> Node<'static> {
    match kind {
        ValType::I64 => Node::Plain(&[0x42, 0]),
        ValType::F32 => Node::Plain(&[0x43, 0, 0, 0, 0]),
        ValType::F64 => Node::Plain(&[0x44, 0, 0, 0, 0, 0, 0, 0, 0]),
        _ => Node::Const(0),
    }
}
