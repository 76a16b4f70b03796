//! Compiles the nodes of a plan to a linear program.

use cards::Contract;
use script::plan::{BinaryOp, Mode, Node, NodeId, Plan};

/// The number of a jump target; resolved to an address at the end.
type Label = u32;

/// One step of the stack machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Push a number.
    Constant(i32),
    /// Push the value of a node without operands.
    Leaf(NodeId),
    /// Push the cached value of the node, or call its subroutine.
    Call {
        node: NodeId,
        routine: Label,
        pure: bool,
    },
    /// End of a subroutine.
    Return,
    /// End of the program.
    Stop,
    /// Replace the top two numbers by the result of the operator.
    Binary {
        op: BinaryOp,
        node: NodeId,
    },
    /// Replace the top number by 1 if it is 0, else by 0.
    Not,
    /// Replace the top number by its negative.
    Negate,
    Abs,
    /// Pop the top number and jump if it is 0.
    JumpIfZero(Label),
    /// Pop the top number and jump if it is not 0.
    JumpUnlessZero(Label),
    /// Jump.
    Jump(Label),
    /// Replace the top number by a random one below it.
    Draw,
    /// If the top number is 0 replace it by the number of produced deals and jump, else drop it.
    ProducedIfZero(Label),
    /// If the top number is 0 replace it by the number of produced deals and jump, else keep it.
    ProducedIfZeroElseKeep(Label),
    /// Replace a number of tricks by the contract's score.
    Score {
        contract: Contract,
        vulnerable: bool,
    },
    /// Replace a difference by IMPs.
    Imps,
}

/// The compiled expressions of a plan.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) steps: Vec<Step>,
    /// Address of every label.
    pub(super) labels: Vec<u32>,
    /// Address of the code of each root, by node.
    entries: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

/// Estimated nanoseconds of a step.
const STEP: u64 = 5;

impl Program {
    /// Compiles the given expressions of the plan and all that they use.
    #[must_use]
    pub fn new(plan: &Plan, roots: impl IntoIterator<Item = NodeId>) -> Self {
        let roots: Vec<NodeId> = roots.into_iter().collect();
        let mut compiler = Compiler::new(plan, &roots);
        for &root in &roots {
            compiler.root(root);
        }
        compiler.finish()
    }

    /// Returns an upper estimate of the nanoseconds to evaluate these expressions on a deal. Values without draws are
    /// evaluated once; values with draws once for every use, which doubles with every variable that uses another one
    /// twice.
    #[must_use]
    pub fn cost(plan: &Plan, roots: impl IntoIterator<Item = NodeId>) -> u64 {
        let is_random = |id: NodeId| plan.facts_of(id).random;
        let own = |index: usize| match is_leaf(&plan.nodes[index]) {
            true => u64::from(plan.facts[index].cost).max(STEP),
            false => STEP,
        };
        // Steps of one evaluation of a random value, without the cached values below it.
        let mut drawn = vec![0u64; plan.nodes.len()];
        for (index, node) in plan.nodes.iter().enumerate() {
            let mut total = own(index);
            let twice = matches!(node, Node::Rnd(_)) && plan.mode == Mode::V2;
            node.for_each_operand(|id| {
                if is_random(id) {
                    let times = if twice { 2 } else { 1 };
                    total = total.saturating_add(drawn[id.index()].saturating_mul(times));
                }
            });
            drawn[index] = total;
        }
        let mut total = 0u64;
        let mut needed = vec![false; plan.nodes.len()];
        for root in roots {
            needed[root.index()] = true;
            if is_random(root) {
                total = total.saturating_add(drawn[root.index()]);
            }
        }
        for index in (0..plan.nodes.len()).rev() {
            if !needed[index] {
                continue;
            }
            if !plan.facts[index].random {
                total = total.saturating_add(own(index));
            }
            plan.nodes[index].for_each_operand(|id| needed[id.index()] = true);
        }
        total
    }

    /// Returns whether the expression was compiled.
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.entries
            .get(node.index())
            .is_some_and(|&entry| entry != NOWHERE)
    }

    pub(super) fn entry(&self, node: NodeId) -> Option<usize> {
        let entry = *self.entries.get(node.index())?;
        (entry != NOWHERE).then_some(entry as usize)
    }
}

/// A task of the compiler; the last pushed is done first.
enum Task {
    Code(NodeId),
    Emit(Step),
    Bind(Label),
}

struct Compiler<'a> {
    plan: &'a Plan,
    /// How many parents use a node, at most two.
    uses: Vec<u8>,
    /// Label of a node's subroutine.
    routines: Vec<u32>,
    /// Subroutines that are called but not yet compiled.
    pending: Vec<NodeId>,
    tasks: Vec<Task>,
    steps: Vec<Step>,
    labels: Vec<u32>,
    entries: Vec<u32>,
}

impl<'a> Compiler<'a> {
    fn new(plan: &'a Plan, roots: &[NodeId]) -> Self {
        let n = plan.nodes.len();
        Compiler {
            plan,
            uses: count_uses(plan, roots),
            routines: vec![NOWHERE; n],
            pending: Vec::new(),
            tasks: Vec::new(),
            steps: Vec::new(),
            labels: Vec::new(),
            entries: vec![NOWHERE; n],
        }
    }

    fn root(&mut self, root: NodeId) {
        if self.entries[root.index()] != NOWHERE {
            return;
        }
        self.entries[root.index()] = self.steps.len() as u32;
        self.tasks.push(Task::Emit(Step::Stop));
        self.tasks.push(Task::Code(root));
        self.work();
        while let Some(node) = self.pending.pop() {
            let label = self.routines[node.index()];
            self.tasks.push(Task::Emit(Step::Return));
            self.body(node);
            self.tasks.push(Task::Bind(label));
            self.work();
        }
    }

    fn work(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Emit(step) => self.steps.push(step),
                Task::Bind(label) => self.labels[label as usize] = self.steps.len() as u32,
                Task::Code(node) => self.code(node),
            }
        }
    }

    fn label(&mut self) -> Label {
        self.labels.push(NOWHERE);
        (self.labels.len() - 1) as Label
    }

    /// Emits code that leaves the node's value on the stack: its body, or a call if it is used more than once.
    fn code(&mut self, node: NodeId) {
        if self.uses[node.index()] < 2 || is_leaf(self.plan.node(node)) {
            self.body(node);
            return;
        }
        if self.routines[node.index()] == NOWHERE {
            self.routines[node.index()] = self.label();
            self.pending.push(node);
        }
        self.steps.push(Step::Call {
            node,
            routine: self.routines[node.index()],
            pure: !self.plan.facts_of(node).random,
        });
    }

    /// Pushes the tasks for a node's own code in reverse order.
    fn body(&mut self, node: NodeId) {
        match *self.plan.node(node) {
            Node::Constant(value) => self.push([Task::Emit(Step::Constant(value))]),
            Node::Score {
                vulnerable,
                contract,
                tricks,
            } => {
                self.unary(
                    tricks,
                    Step::Score {
                        contract,
                        vulnerable,
                    },
                );
            }
            Node::Imps(x) => self.unary(x, Step::Imps),
            Node::Not(x) => self.unary(x, Step::Not),
            Node::Negate(x) => self.unary(x, Step::Negate),
            Node::Abs(x) => self.unary(x, Step::Abs),
            Node::Binary { op, left, right } => {
                let emit = Step::Binary { op, node };
                self.push([Task::Code(left), Task::Code(right), Task::Emit(emit)]);
            }
            Node::And(ref terms) => self.chain(terms, Step::JumpIfZero, 0),
            Node::Or(ref terms) => self.chain(terms, Step::JumpUnlessZero, 1),
            Node::Choose { test, yes, no } => {
                let (otherwise, end) = (self.label(), self.label());
                self.push([
                    Task::Code(test),
                    Task::Emit(Step::JumpIfZero(otherwise)),
                    Task::Code(yes),
                    Task::Emit(Step::Jump(end)),
                    Task::Bind(otherwise),
                    Task::Code(no),
                    Task::Bind(end),
                ]);
            }
            Node::Rnd(x) => self.rnd(x),
            _ => self.push([Task::Emit(Step::Leaf(node))]),
        }
    }

    fn push<const N: usize>(&mut self, tasks: [Task; N]) {
        self.tasks.extend(tasks.into_iter().rev());
    }

    fn unary(&mut self, operand: NodeId, step: Step) {
        self.push([Task::Code(operand), Task::Emit(step)]);
    }

    /// Compiles `and` and `or`: the first term that decides jumps to the end with the deciding value.
    fn chain(&mut self, terms: &[NodeId], jump: impl Fn(Label) -> Step, decided: i32) {
        let (short, end) = (self.label(), self.label());
        let mut tasks = Vec::with_capacity(2 * terms.len() + 5);
        for &term in terms {
            tasks.push(Task::Code(term));
            tasks.push(Task::Emit(jump(short)));
        }
        tasks.push(Task::Emit(Step::Constant(1 - decided)));
        tasks.push(Task::Emit(Step::Jump(end)));
        tasks.push(Task::Bind(short));
        tasks.push(Task::Emit(Step::Constant(decided)));
        tasks.push(Task::Bind(end));
        self.tasks.extend(tasks.into_iter().rev());
    }

    /// Compiles `rnd`. v1 always draws. v2 first tests whether the argument is 0 and then evaluates it again, which
    /// matters if the argument draws too. Native mode keeps v2's meaning of 0 and evaluates once.
    fn rnd(&mut self, x: NodeId) {
        let end = self.label();
        match self.plan.mode {
            Mode::V1 | Mode::Exe => self.push([Task::Code(x), Task::Emit(Step::Draw)]),
            Mode::V2 => self.push([
                Task::Code(x),
                Task::Emit(Step::ProducedIfZero(end)),
                Task::Code(x),
                Task::Emit(Step::Draw),
                Task::Bind(end),
            ]),
            Mode::Native => self.push([
                Task::Code(x),
                Task::Emit(Step::ProducedIfZeroElseKeep(end)),
                Task::Emit(Step::Draw),
                Task::Bind(end),
            ]),
        }
    }

    fn finish(self) -> Program {
        Program {
            steps: self.steps,
            labels: self.labels,
            entries: self.entries,
        }
    }
}

fn is_leaf(node: &Node) -> bool {
    let mut leaf = true;
    node.for_each_operand(|_| leaf = false);
    leaf
}

/// Counts how often each node is used below the roots, at most two. The argument of a v2 `rnd` counts twice.
fn count_uses(plan: &Plan, roots: &[NodeId]) -> Vec<u8> {
    let mut uses = vec![0u8; plan.nodes.len()];
    let mark = |uses: &mut Vec<u8>, id: NodeId, times: u8| {
        uses[id.index()] = (uses[id.index()] + times).min(2);
    };
    for &root in roots {
        mark(&mut uses, root, 1);
    }
    // Parents come after their children, so one pass from the end sees every use.
    for index in (0..plan.nodes.len()).rev() {
        if uses[index] == 0 {
            continue;
        }
        let node = &plan.nodes[index];
        let times = if matches!(node, Node::Rnd(_)) { 2 } else { 1 };
        node.for_each_operand(|operand| mark(&mut uses, operand, times));
    }
    uses
}
