//! Unrolling of loops with a known number of iterations, and replacement of locals with known values by constants.

use std::collections::HashMap;

use wasmparser::ValType;

use super::code::{Block, BlockOpcode, NOTHING, Node, Tree, length, visit, writes};

/// Maximum number of iterations of a loop that is unrolled: the cards of a suit or hand.
const MOST_TURNS: usize = 13;
/// Maximum number of instructions of an unrolled loop. Longer ones were slower in measurements, probably because of worse
/// branch prediction.
const LONGEST: usize = 700;
/// Maximum number of instructions that are processed before unrolling gives up.
const MOST_WORK: usize = 200_000;

/// The known values of locals, by index. All are 32-bit integers.
type Known = HashMap<u32, i32>;

struct Unroller {
    work: usize,
    saved: u64,
}

/// A loop with a counter and a known number of iterations.
struct Counting<'t, 'a> {
    counter: u32,
    /// The instructions before the counter changes.
    body: &'t [Node<'a>],
    /// The value of the counter in each iteration.
    turns: Vec<i32>,
    /// The value of the counter after the last iteration.
    end: i32,
}

/// Unrolls the loops of a function. Returns an upper bound of the saved steps for each remaining step, or `None` if the
/// function is too large.
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
    /// Returns the instructions with loops unrolled. `known` has the values before them and is updated to those after them.
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
        if block.kind == BlockOpcode::Block && !is_target(&block.body) {
            // No branch leads to the end of the block, so its body always runs to the end.
            copy.body = self.nodes(&block.body, known)?;
            written.push(Node::Block(copy));
            return Some(());
        }
        if block.kind == BlockOpcode::Loop {
            // An iteration may begin with values from the previous one.
            forget_written(&block.body, known);
        }
        for part in copy.parts_mut() {
            *part = self.nodes(part, &mut known.clone())?;
        }
        block.parts().for_each(|part| forget_written(part, known));
        written.push(Node::Block(copy));
        Some(())
    }

    /// Returns the iterations of a loop one after the other; `Some(None)` if they are too long.
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
            // A block replaces the loop, so that labels inside keep their meaning.
            written.extend([Node::Const(turn), Node::Set(counter)]);
            written.push(Node::Block(Block::new(NOTHING, body)));
        }
        written.extend([Node::Const(counting.end), Node::Set(counter)]);
        known.insert(counter, counting.end);
        /// Maximum number of steps to start an iteration, count, compare and branch.
        const STEPS_OF_TURN: u64 = 9;
        self.saved += STEPS_OF_TURN * counting.turns.len() as u64;
        Some(Some(written))
    }
}

/// The opcode of `i32.add`.
const ADD: u8 = 0x6a;

/// Evaluates a comparison of 32-bit integers by its opcode. Returns `None` for other instructions.
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
    /// Recognises a loop that ends with an addition to a local and a comparison of the local with a constant.
    fn find(block: &'t Block<'a>, known: &Known) -> Option<Counting<'t, 'a>> {
        if block.kind != BlockOpcode::Loop || block.kind_of_values != NOTHING {
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

/// Returns whether an instruction in the body branches to the label of the block.
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

/// Removes the locals that `nodes` writes from the known values.
fn forget_written(nodes: &[Node<'_>], known: &mut Known) {
    visit(nodes, 0, &mut |node, _| {
        if let Node::Set(local) | Node::Tee(local) = node {
            known.remove(local);
        }
    });
}

/// Removes constants that are stored in locals which are never read. Returns the number of saved steps.
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
