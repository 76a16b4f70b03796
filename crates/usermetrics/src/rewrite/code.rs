//! The instructions of a function as a tree, with a reader and a writer of the binary form.

use wasmparser::{FunctionBody, Operator, ValType};

use super::index_of;

/// Maximum number of instructions of a function that is rewritten.
const MOST_NODES: usize = 20_000;
/// Maximum depth of nested blocks of a function that is rewritten.
const DEEPEST: usize = 64;

/// An instruction or a block. A label is the number of blocks between the instruction and its target, from 0 for the
/// innermost block.
#[derive(Clone, Debug)]
pub(super) enum Node<'a> {
    /// An instruction without a local, label or function, as bytes.
    Plain(&'a [u8]),
    Const(i32),
    Get(u32),
    Set(u32),
    Tee(u32),
    Branch(u32),
    BranchIf(u32),
    /// The labels; the last one is the default.
    BranchTable(Vec<u32>),
    Return,
    Call(u32),
    Block(Block<'a>),
}

/// A block of instructions that branches can have as their target.
#[derive(Clone, Debug)]
pub(super) struct Block<'a> {
    pub(super) kind: BlockOpcode,
    /// The block type in binary form.
    pub(super) kind_of_values: &'a [u8],
    pub(super) body: Vec<Node<'a>>,
    /// The instructions after `else`, if there are any.
    pub(super) other: Option<Vec<Node<'a>>>,
}

/// The instruction that opens a block, with its opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockOpcode {
    Block = 0x02,
    Loop = 0x03,
    If = 0x04,
}

/// The block type without parameters and results.
pub(super) const NOTHING: &[u8] = &[0x40];

impl<'a> Block<'a> {
    /// Creates a block that is neither a loop nor an `if`.
    pub(super) fn new(kind_of_values: &'a [u8], body: Vec<Node<'a>>) -> Block<'a> {
        Block {
            kind: BlockOpcode::Block,
            kind_of_values,
            body,
            other: None,
        }
    }

    /// Returns the body, followed by the instructions after `else` if there are any.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Vec<Node<'a>>> {
        std::iter::once(&self.body).chain(&self.other)
    }

    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Vec<Node<'a>>> {
        std::iter::once(&mut self.body).chain(&mut self.other)
    }
}

/// The body of a function.
#[derive(Clone, Debug)]
pub(super) struct Tree<'a> {
    pub(super) parameters: usize,
    /// Types of all locals, parameters first.
    pub(super) locals: Vec<ValType>,
    pub(super) body: Vec<Node<'a>>,
}

impl<'a> Tree<'a> {
    /// Reads a function of a valid module. Returns `None` if it has instructions or types that rewriting does not support.
    pub(super) fn read(parameters: &[ValType], body: &FunctionBody<'a>) -> Option<Tree<'a>> {
        let mut locals = parameters.to_vec();
        for group in body.get_locals_reader().ok()? {
            let (count, kind) = group.ok()?;
            if count as usize + locals.len() > MOST_NODES {
                return None;
            }
            locals.extend((0..count).map(|_| kind));
        }
        // `write` supports only numeric types.
        locals
            .iter()
            .try_for_each(|&kind| index_of(kind).map(|_| ()))?;
        Some(Tree {
            parameters: parameters.len(),
            locals,
            body: read_nodes(body)?,
        })
    }

    /// Returns the function in binary form, without its length.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let own = &self.locals[self.parameters..];
        write_number(&mut bytes, own.len() as u64);
        for &kind in own {
            const TYPES: [u8; 4] = [0x7f, 0x7e, 0x7d, 0x7c];
            bytes.extend([1, TYPES[index_of(kind).unwrap_or(0)]]);
        }
        write_nodes(&mut bytes, &self.body);
        bytes.push(END);
        bytes
    }
}

/// Returns the number of instructions in a list, including those inside blocks.
pub(super) fn length(nodes: &[Node<'_>]) -> usize {
    let each = nodes.iter().map(|node| match node {
        Node::Block(block) => 1 + block.parts().map(|part| length(part)).sum::<usize>(),
        _ => 1,
    });
    each.sum()
}

/// Calls `look` for each instruction that is not a block, with the number of enclosing blocks.
pub(super) fn visit<'a>(nodes: &[Node<'a>], depth: u32, look: &mut impl FnMut(&Node<'a>, u32)) {
    for node in nodes {
        match node {
            Node::Block(block) => block.parts().for_each(|part| visit(part, depth + 1, look)),
            other => look(other, depth),
        }
    }
}

/// Returns whether some instruction writes the local.
pub(super) fn writes(nodes: &[Node<'_>], local: u32) -> bool {
    let mut found = false;
    visit(nodes, 0, &mut |node, _| {
        found |= matches!(node, Node::Set(other) | Node::Tee(other) if *other == local);
    });
    found
}

const ELSE: u8 = 0x05;
const END: u8 = 0x0b;

fn read_nodes<'a>(body: &FunctionBody<'a>) -> Option<Vec<Node<'a>>> {
    let bytes = body.as_bytes();
    let first = body.range().start;
    let mut reader = body.get_operators_reader().ok()?;
    // The open blocks, the innermost last, each with the instructions before it.
    let mut open: Vec<(Vec<Node<'a>>, Block<'a>)> = Vec::new();
    let mut nodes = Vec::new();
    let mut count = 0;
    while !reader.eof() {
        let start = reader.original_position() - first;
        let operator = reader.read().ok()?;
        let raw = &bytes[start..reader.original_position() - first];
        count += 1;
        if count > MOST_NODES || open.len() > DEEPEST {
            return None;
        }
        let node = match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                let kind = match operator {
                    Operator::Block { .. } => BlockOpcode::Block,
                    Operator::Loop { .. } => BlockOpcode::Loop,
                    _ => BlockOpcode::If,
                };
                let block = Block {
                    kind,
                    ..Block::new(&raw[1..], Vec::new())
                };
                open.push((std::mem::take(&mut nodes), block));
                continue;
            }
            Operator::Else => {
                let (_, block) = open.last_mut()?;
                block.body = std::mem::take(&mut nodes);
                block.other = Some(Vec::new());
                continue;
            }
            Operator::End => {
                let Some((before, mut block)) = open.pop() else {
                    // This is the end of the function.
                    return reader.eof().then_some(nodes);
                };
                let inside = std::mem::replace(&mut nodes, before);
                match &mut block.other {
                    Some(other) => *other = inside,
                    None => block.body = inside,
                }
                Node::Block(block)
            }
            other => plain_node(other, raw)?,
        };
        nodes.push(node);
    }
    None
}

/// Converts an instruction that is not a block. Returns `None` if it is not supported.
fn plain_node<'a>(operator: Operator<'a>, raw: &'a [u8]) -> Option<Node<'a>> {
    Some(match operator {
        Operator::I32Const { value } => Node::Const(value),
        Operator::LocalGet { local_index } => Node::Get(local_index),
        Operator::LocalSet { local_index } => Node::Set(local_index),
        Operator::LocalTee { local_index } => Node::Tee(local_index),
        Operator::Br { relative_depth } => Node::Branch(relative_depth),
        Operator::BrIf { relative_depth } => Node::BranchIf(relative_depth),
        Operator::BrTable { targets } => {
            let labels = targets.targets().collect::<Result<Vec<u32>, _>>().ok()?;
            let default = targets.default();
            Node::BranchTable(labels.into_iter().chain([default]).collect())
        }
        Operator::Return => Node::Return,
        Operator::Call { function_index } => Node::Call(function_index),
        // The remaining instructions of the interpreter that contain labels or leave the function.
        Operator::ReturnCall { .. }
        | Operator::ReturnCallIndirect { .. }
        | Operator::ReturnCallRef { .. }
        | Operator::TryTable { .. } => return None,
        _ => Node::Plain(raw),
    })
}

fn write_nodes(bytes: &mut Vec<u8>, nodes: &[Node<'_>]) {
    for node in nodes {
        let (code, number) = match node {
            Node::Plain(raw) => {
                bytes.extend_from_slice(raw);
                continue;
            }
            Node::Const(value) => {
                bytes.push(0x41);
                write_signed(bytes, *value);
                continue;
            }
            Node::Return => {
                bytes.push(0x0f);
                continue;
            }
            Node::Block(block) => {
                bytes.push(block.kind as u8);
                bytes.extend_from_slice(block.kind_of_values);
                write_nodes(bytes, &block.body);
                if let Some(other) = &block.other {
                    bytes.push(ELSE);
                    write_nodes(bytes, other);
                }
                bytes.push(END);
                continue;
            }
            Node::BranchTable(labels) => {
                bytes.push(0x0e);
                write_number(bytes, labels.len() as u64 - 1);
                let labels = labels.iter();
                labels.for_each(|&label| write_number(bytes, u64::from(label)));
                continue;
            }
            Node::Get(local) => (0x20, local),
            Node::Set(local) => (0x21, local),
            Node::Tee(local) => (0x22, local),
            Node::Branch(label) => (0x0c, label),
            Node::BranchIf(label) => (0x0d, label),
            Node::Call(function) => (0x10, function),
        };
        bytes.push(code);
        write_number(bytes, u64::from(*number));
    }
}

/// Writes an unsigned number in the LEB128 encoding: groups of seven bits, the lowest first.
pub(super) fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn write_signed(bytes: &mut Vec<u8>, mut number: i32) {
    loop {
        let group = number as u8 & 0x7f;
        number >>= 7;
        // The highest bit of the last group is the sign.
        if number == -i32::from(group >> 6) {
            return bytes.push(group);
        }
        bytes.push(group | 0x80);
    }
}
