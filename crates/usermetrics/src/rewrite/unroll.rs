//! Loops that count from a known number to another are written out, and what is known is written as a number.

use std::collections::HashMap;

use wasmparser::ValType;

use super::code::{Block, Kind, NOTHING, Node, Tree, length, visit, writes};

/// Loops of more turns stay, and those that would become longer than this: with more instructions the processor knows less
/// well which of them comes next, as it seems, and what is saved is lost again.
const MOST_TURNS: usize = 13;
const LONGEST: usize = 700;
/// Instructions looked at before this is given up.
const MOST_WORK: usize = 200_000;

/// The values of locals that are known; all of them 32-bit integers.
type Known = HashMap<u32, i32>;

struct Unroller {
    work: usize,
    saved: u64,
}

/// A loop that counts.
struct Counting<'t, 'a> {
    counter: u32,
    /// The loop body before the counter.
    body: &'t [Node<'a>],
    /// The counter in each turn, and after the last.
    turns: Vec<i32>,
    end: i32,
}

/// Writes out the loops of a function. Returns a bound of the steps that are saved wherever one is made.
pub(super) fn unroll(tree: &mut Tree<'_>) -> Option<u64> {
    let mut unroller = Unroller { work: 0, saved: 0 };
    let locals = tree.locals.iter().enumerate().skip(tree.parameters);
    let mut known = locals
        .filter(|(_, kind)| **kind == ValType::I32)
        .map(|(local, _)| (local as u32, 0))
        .collect();
    tree.body = unroller.nodes(&tree.body, &mut known)?;
    Some(unroller.saved + forget_unread(tree))
}

impl Unroller {
    /// The instructions with loops written out. `known` is what is known before them, and then after them.
    fn nodes<'a>(&mut self, nodes: &[Node<'a>], known: &mut Known) -> Option<Vec<Node<'a>>> {
        let mut written: Vec<Node<'a>> = Vec::with_capacity(nodes.len());
        for node in nodes {
            self.work += 1;
            if self.work > MOST_WORK {
                return None;
            }
            match node {
                Node::Get(local) if known.contains_key(local) => {
                    written.push(Node::Const(known[local]));
                }
                Node::Set(local) => {
                    match written.last() {
                        Some(Node::Const(value)) => known.insert(*local, *value),
                        _ => known.remove(local),
                    };
                    written.push(node.clone());
                }
                Node::Tee(local) => {
                    known.remove(local);
                    written.push(node.clone());
                }
                Node::Block(block) => self.block(block, known, &mut written)?,
                other => written.push(other.clone()),
            }
        }
        Some(written)
    }

    fn block<'a>(
        &mut self,
        block: &Block<'a>,
        known: &mut Known,
        written: &mut Vec<Node<'a>>,
    ) -> Option<()> {
        if let Some(counting) = Counting::find(block, known)
            && let Some(mut turns) = self.turns(&counting, known)?
        {
            written.append(&mut turns);
            return Some(());
        }
        let mut copy = block.clone();
        if block.kind == Kind::Block && !is_target(&block.body) {
            // Its end is reached from within only.
            copy.body = self.nodes(&block.body, known)?;
            written.push(Node::Block(copy));
            return Some(());
        }
        if block.kind == Kind::Loop {
            // It may begin with what its last turn left.
            forget_written(&block.body, known);
        }
        for part in copy.parts_mut() {
            *part = self.nodes(part, &mut known.clone())?;
        }
        block.parts().for_each(|part| forget_written(part, known));
        written.push(Node::Block(copy));
        Some(())
    }

    /// All turns of a loop one after the other, unless they are too long together.
    fn turns<'a>(
        &mut self,
        counting: &Counting<'_, 'a>,
        known: &mut Known,
    ) -> Option<Option<Vec<Node<'a>>>> {
        let (known_before, saved_before) = (known.clone(), self.saved);
        let mut written = Vec::new();
        let mut longest = 0;
        let counter = counting.counter;
        for &turn in &counting.turns {
            known.insert(counter, turn);
            let body = self.nodes(counting.body, known)?;
            longest = longest.max(length(&body));
            if longest * counting.turns.len() > LONGEST {
                *known = known_before;
                self.saved = saved_before;
                return Some(None);
            }
            // The label stays, for those that count labels to one further out.
            written.extend([Node::Const(turn), Node::Set(counter)]);
            written.push(Node::Block(Block::new(NOTHING, body)));
        }
        written.extend([Node::Const(counting.end), Node::Set(counter)]);
        known.insert(counter, counting.end);
        /// To begin a turn, to count, to compare and to jump.
        const STEPS_OF_TURN: u64 = 9;
        self.saved += STEPS_OF_TURN * counting.turns.len() as u64;
        Some(Some(written))
    }
}

/// `i32.add`.
const ADD: u8 = 0x6a;

/// Whether one number stands to another as an instruction asks, if it compares 32-bit integers.
fn compares(instruction: u8, one: i32, other: i32) -> Option<bool> {
    Some(match instruction {
        0x47 => one != other,
        0x48 => one < other,
        0x49 => (one as u32) < other as u32,
        0x4a => one > other,
        0x4b => one as u32 > other as u32,
        0x4c => one <= other,
        0x4d => one as u32 <= other as u32,
        0x4e => one >= other,
        0x4f => one as u32 >= other as u32,
        _ => return None,
    })
}

impl<'t, 'a> Counting<'t, 'a> {
    /// Whether a block is a loop that ends with adding a number to a local and going on while it has not come to another.
    fn find(block: &'t Block<'a>, known: &Known) -> Option<Counting<'t, 'a>> {
        if block.kind != Kind::Loop || block.kind_of_values != NOTHING {
            return None;
        }
        let (counter, step, last, compare, body) = match &block.body[..] {
            [
                body @ ..,
                Node::Get(counter),
                Node::Const(step),
                Node::Plain([ADD]),
                Node::Set(set),
                Node::Get(get),
                Node::Const(last),
                Node::Plain([compare]),
                Node::BranchIf(0),
            ] if counter == set && counter == get => (*counter, *step, *last, *compare, body),
            [
                body @ ..,
                Node::Get(counter),
                Node::Const(step),
                Node::Plain([ADD]),
                Node::Tee(tee),
                Node::Const(last),
                Node::Plain([compare]),
                Node::BranchIf(0),
            ] if counter == tee => (*counter, *step, *last, *compare, body),
            _ => return None,
        };
        if is_target(body) || writes(body, counter) {
            return None;
        }
        let mut turns = Vec::new();
        let mut at = *known.get(&counter)?;
        let mut goes_on = true;
        while goes_on {
            if turns.len() == MOST_TURNS {
                return None;
            }
            turns.push(at);
            at = at.wrapping_add(step);
            goes_on = compares(compare, at, last)?;
        }
        Some(Counting {
            counter,
            body,
            turns,
            end: at,
        })
    }
}

/// Whether something in the body of a block jumps to the block's label.
fn is_target(body: &[Node<'_>]) -> bool {
    let mut found = false;
    visit(body, 0, &mut |node, depth| {
        found |= match node {
            Node::Branch(label) | Node::BranchIf(label) => *label == depth,
            Node::BranchTable(labels) => labels.contains(&depth),
            _ => false,
        };
    });
    found
}

/// The value of a written local is unknown.
fn forget_written(nodes: &[Node<'_>], known: &mut Known) {
    visit(nodes, 0, &mut |node, _| {
        if let Node::Set(local) | Node::Tee(local) = node {
            known.remove(local);
        }
    });
}

/// Leaves out numbers that are put where nobody looks. Returns how many steps that saves.
fn forget_unread(tree: &mut Tree<'_>) -> u64 {
    let mut read = vec![false; tree.locals.len()];
    visit(&tree.body, 0, &mut |node, _| {
        if let Node::Get(local) = node {
            read[*local as usize] = true;
        }
    });
    forget_in(&mut tree.body, &read)
}

fn forget_in(nodes: &mut Vec<Node<'_>>, read: &[bool]) -> u64 {
    let mut saved = 0;
    let mut kept: Vec<Node<'_>> = Vec::with_capacity(nodes.len());
    for mut node in nodes.drain(..) {
        match &mut node {
            Node::Set(local)
                if !read[*local as usize] && matches!(kept.last(), Some(Node::Const(_))) =>
            {
                kept.pop();
                saved += 2;
                continue;
            }
            Node::Block(block) => {
                for part in block.parts_mut() {
                    saved += forget_in(part, read);
                }
            }
            _ => (),
        }
        kept.push(node);
    }
    *nodes = kept;
    saved
}
