//! WebAssembly modules as metrics.
//!
//! A module exports its memory as `memory` and one function,
//!
//! ```text
//! evaluate(tag: i32, side: i32, deal: i32, results: i32) -> i32
//! ```
//!
//! `side` is 0 for North-South, 1 for East-West. `deal` is the address of four 64-bit numbers, the hands
//! of North, East, South and West: bit `13 * suit + rank` is set for every card held, clubs and deuces
//! lowest. `results` is the address of 128 32-bit numbers, all 0, which the function fills. It returns the
//! number of results (0 to 128; numbers after them are ignored), or a negative number if it has no metric
//! with this tag. Both blocks lie in a page of memory that the host adds, so a module reserves no memory
//! for them. Modules have no imports.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

use wasmi::{
    CompilationMode, Config, EnforcedLimits, Engine, Error, Linker, Memory, Store, StoreLimits,
    StoreLimitsBuilder, TrapCode, TypedFunc, TypedResumableCall,
};

use crate::rewrite::rewrite;
use crate::{Evaluator, MetricRequest, MetricResults, ProgramLimits, SLOTS, UserMetricError};

/// Size of the four hands in bytes.
const DEAL: usize = 32;
const PAGE: u64 = 65_536;
/// Maximum size of a module file in bytes. Larger files are rejected.
const LARGEST_FILE: usize = 16 << 20;
/// Number of steps between two checks of the time limit.
const SLICE: u64 = 1_000_000;

/// A validated and compiled module. Each thread creates an instance of it.
#[derive(Clone)]
pub struct Module {
    path: String,
    engine: Engine,
    module: wasmi::Module,
    quick: Option<Quick>,
    limits: ProgramLimits,
}

/// The rewritten module, and the number of steps within which its results are those of the original.
#[derive(Clone)]
struct Quick {
    module: wasmi::Module,
    steps: u64,
}

impl Quick {
    fn new(engine: &Engine, binary: &[u8], fuel: u64) -> Option<Quick> {
        let rewritten = rewrite(binary)?;
        wasmi::Module::validate(engine, &rewritten.binary).ok()?;
        Some(Quick {
            module: wasmi::Module::new(engine, &rewritten.binary).ok()?,
            steps: (fuel / rewritten.ratio).min(SLICE),
        })
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module")
            .field("path", &self.path)
            .field("limits", &self.limits)
            .finish()
    }
}

type Evaluate = TypedFunc<(i32, i32, i32, i32), i32>;

impl Module {
    /// Reads a module from a file.
    ///
    /// # Errors
    /// If the file cannot be read or the module is invalid.
    pub fn open(path: &Path, limits: ProgramLimits) -> Result<Module, UserMetricError> {
        let name = path.display().to_string();
        // One byte more than the limit is enough to reject the file.
        let read = File::open(path).and_then(|file| {
            let mut bytes = Vec::new();
            file.take(LARGEST_FILE as u64 + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        match read {
            Ok(bytes) => Module::from_bytes(&name, &bytes, limits),
            Err(error) => Err(UserMetricError::CannotOpen {
                path: name,
                reason: error.to_string(),
            }),
        }
    }

    /// Reads a module from its bytes, binary or text. `name` is used in messages.
    ///
    /// # Errors
    /// If the module is invalid.
    pub fn from_bytes(
        name: &str,
        bytes: &[u8],
        limits: ProgramLimits,
    ) -> Result<Module, UserMetricError> {
        let bad = |reason: String| UserMetricError::BadModule {
            path: name.to_string(),
            reason,
        };
        if bytes.len() > LARGEST_FILE {
            return Err(bad(format!("it is larger than {} MiB", LARGEST_FILE >> 20)));
        }
        #[cfg(feature = "text")]
        let binary = wat::parse_bytes(bytes).map_err(|error| bad(error.to_string()))?;
        #[cfg(not(feature = "text"))]
        let binary = match bytes.starts_with(b"\0asm") {
            true => bytes,
            false => {
                let reason = "it is not in binary form, and this program reads no other";
                return Err(bad(reason.to_owned()));
            }
        };
        // wasmi divides by the number of functions, so a code section without functions would make it panic.
        if has_code_without_functions(&binary) {
            let reason = "its code section has no functions, but something else";
            return Err(bad(reason.to_owned()));
        }
        let mut config = Config::default();
        config
            .consume_fuel(true)
            // With lazy compilation, the first call of a function would count its compilation as steps.
            .compilation_mode(CompilationMode::Eager)
            .enforced_limits(EnforcedLimits::strict());
        let engine = Engine::new(&config);
        // Rejects functions with instructions after their end, which would make wasmi panic in eager compilation.
        wasmi::Module::validate(&engine, &binary).map_err(|error| bad(error.to_string()))?;
        let module =
            wasmi::Module::new(&engine, &binary).map_err(|error| bad(error.to_string()))?;
        if let Some(import) = module.imports().next() {
            let wanted = format!("{}.{}", import.module(), import.name());
            return Err(bad(format!(
                "it imports \"{wanted}\", but a metric gets nothing but the deal"
            )));
        }
        let module = Module {
            path: name.to_string(),
            quick: Quick::new(&engine, &binary, limits.fuel),
            engine,
            module,
            limits,
        };
        // Creates an instance to check the memory, the start function and the exports.
        module.start(&module.module)?;
        Ok(module)
    }

    /// Creates an instance for one thread.
    ///
    /// # Errors
    /// If the module exceeds its limits or lacks an export.
    pub fn instance(&self) -> Result<ModuleInstance, UserMetricError> {
        let quick = self.quick.as_ref().and_then(|quick| {
            let started = self.start(&quick.module).ok()?;
            Some((started, quick.steps))
        });
        let exact = match quick {
            Some(_) => None,
            None => Some(self.start(&self.module)?),
        };
        Ok(ModuleInstance {
            module: self.clone(),
            quick,
            exact,
            failed: None,
        })
    }

    /// Returns the module without its rewritten form.
    #[cfg(test)]
    pub(crate) fn as_given(&self) -> Module {
        Module {
            quick: None,
            ..self.clone()
        }
    }

    fn start(&self, module: &wasmi::Module) -> Result<Instance, UserMetricError> {
        let bad = |reason: String| UserMetricError::BadModule {
            path: self.path.clone(),
            reason,
        };
        let limits = StoreLimitsBuilder::new()
            .memory_size(self.limits.memory)
            .table_elements(100_000)
            .instances(1)
            .memories(1)
            .tables(4)
            .build();
        let mut store = Store::new(&self.engine, limits);
        store.limiter(|limits| limits);
        store
            .set_fuel(self.limits.fuel)
            .map_err(|error| bad(error.to_string()))?;
        let instance = Linker::new(&self.engine)
            .instantiate_and_start(&mut store, module)
            .map_err(|error| self.failure(&error))?;
        let memory = instance
            .get_memory(&store, "memory")
            .ok_or_else(|| bad("it exports no memory named \"memory\"".to_string()))?;
        let evaluate: Evaluate = instance
            .get_typed_func(&store, "evaluate")
            .map_err(|error| {
                bad(format!(
                    "it must export evaluate(tag, side, deal, results) -> i32, all i32 ({error})"
                ))
            })?;
        let page = memory.grow(&mut store, 1).map_err(|_| {
            bad(format!(
                "its memory leaves no page free below {} bytes",
                self.limits.memory
            ))
        })?;
        let block = page * PAGE;
        let address =
            i32::try_from(block).map_err(|_| bad("its memory is too large".to_string()))?;
        Ok(Instance {
            store,
            memory,
            evaluate,
            address,
        })
    }

    fn failure(&self, error: &Error) -> UserMetricError {
        let path = self.path.clone();
        match error.as_trap_code() {
            Some(TrapCode::OutOfFuel) => UserMetricError::OutOfFuel {
                path,
                steps: self.limits.fuel,
            },
            Some(TrapCode::GrowthOperationLimited) => UserMetricError::Trapped {
                path,
                reason: format!("it wanted more than {} bytes of memory", self.limits.memory),
            },
            _ => UserMetricError::Trapped {
                path,
                reason: error.to_string(),
            },
        }
    }
}

/// An instance of a module with its own memory.
pub struct ModuleInstance {
    module: Module,
    /// The rewritten module and its maximum number of steps; `None` after its first failure.
    quick: Option<(Instance, u64)>,
    /// The original module. It is instantiated when it is first used.
    exact: Option<Instance>,
    failed: Option<UserMetricError>,
}

impl fmt::Debug for ModuleInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModuleInstance")
            .field("module", &self.module)
            .finish()
    }
}

struct Instance {
    store: Store<StoreLimits>,
    memory: Memory,
    evaluate: Evaluate,
    /// The address of the deal. The results follow it.
    address: i32,
}

impl Instance {
    /// Returns the deal and the results in the module's memory.
    #[inline]
    fn block(&mut self) -> (&mut [u8; DEAL], &mut [u8; 4 * SLOTS]) {
        let start = self.address as usize;
        let memory = &mut self.memory.data_mut(&mut self.store)[start..];
        // A module cannot shrink its memory, so the block always exists.
        let (deal, rest) = memory.split_first_chunk_mut().expect("the deal");
        (deal, rest.first_chunk_mut().expect("the results"))
    }

    /// Writes the deal to the module's memory and clears the results. Returns the arguments of the call.
    #[inline]
    fn prepare(&mut self, request: &MetricRequest<'_>) -> (i32, i32, i32, i32) {
        let (deal, results) = self.block();
        for (place, hand) in deal.chunks_exact_mut(8).zip(request.deal.hands()) {
            place.copy_from_slice(&hand.0.to_le_bytes());
        }
        results.fill(0);
        let side = request.side.index() as i32;
        let results = self.address + DEAL as i32;
        (request.tag, side, self.address, results)
    }

    /// Calls the module once, with `fuel` units of fuel.
    #[inline]
    fn call_once(&mut self, request: &MetricRequest<'_>, fuel: u64) -> Result<i32, Error> {
        self.store.set_fuel(fuel)?;
        let arguments = self.prepare(request);
        self.evaluate.call(&mut self.store, arguments)
    }

    /// Calls the module in slices of [`SLICE`] steps and checks the time limit after each slice.
    fn call(
        &mut self,
        request: &MetricRequest<'_>,
        module: &Module,
    ) -> Result<i32, UserMetricError> {
        let limits = module.limits;
        // Most evaluations end within the first slice, which takes a few milliseconds. The clock is read only for longer ones.
        let mut start = None;
        let first = limits.fuel.min(SLICE);
        let mut left = limits.fuel - first;
        let failure = |error: Error| module.failure(&error);
        self.store.set_fuel(first).map_err(failure)?;
        let arguments = self.prepare(request);
        let mut call = self
            .evaluate
            .call_resumable(&mut self.store, arguments)
            .map_err(failure)?;
        loop {
            let stopped = match call {
                TypedResumableCall::Finished(count) => return Ok(count),
                TypedResumableCall::OutOfFuel(stopped) => stopped,
                TypedResumableCall::HostTrap(trap) => {
                    return Err(module.failure(trap.host_error()));
                }
            };
            // A single instruction, such as filling memory, may need more than a slice.
            let slice = stopped.required_fuel().max(SLICE.min(left));
            if left == 0 || left < slice {
                let path = module.path.clone();
                return Err(UserMetricError::OutOfFuel {
                    path,
                    steps: limits.fuel,
                });
            }
            if start.get_or_insert_with(Instant::now).elapsed() > limits.time {
                let path = module.path.clone();
                return Err(UserMetricError::TimeOut {
                    path,
                    limit: limits.time,
                });
            }
            left -= slice;
            self.store.set_fuel(slice).map_err(failure)?;
            call = stopped.resume(&mut self.store).map_err(failure)?;
        }
    }

    /// Reads the results of a call from memory, given its return value.
    #[inline(always)]
    fn results(
        &mut self,
        request: &MetricRequest<'_>,
        count: i32,
        module: &Module,
    ) -> Result<MetricResults, UserMetricError> {
        let path = || module.path.clone();
        match usize::try_from(count) {
            Err(_) => Err(UserMetricError::Refused {
                path: path(),
                tag: request.tag,
                code: count,
            }),
            Ok(count) if count > SLOTS => {
                let reason = format!("it returned {count} results; {SLOTS} is the most");
                let path = path();
                Err(UserMetricError::BadModule { path, reason })
            }
            Ok(count) => {
                let (_, bytes) = self.block();
                let mut answer = [0; SLOTS];
                // Copies all slots at once, which is faster, and clears those after `count`.
                for (slot, bytes) in answer.iter_mut().zip(bytes.as_chunks().0) {
                    *slot = i32::from_le_bytes(*bytes);
                }
                answer[count..].fill(0);
                Ok(answer)
            }
        }
    }
}

impl ModuleInstance {
    /// Returns whether the rewritten module is in use.
    #[cfg(test)]
    pub(crate) fn is_quick(&self) -> bool {
        self.quick.is_some()
    }

    #[inline]
    fn ask(&mut self, request: &MetricRequest<'_>) -> Result<MetricResults, UserMetricError> {
        if let Some((quick, steps)) = &mut self.quick {
            if let Ok(count) = quick.call_once(request, *steps) {
                return quick.results(request, count, &self.module);
            }
            // The rewritten module was stopped midway. The original module is run to get the exact error.
            self.quick = None;
        }
        let exact = match &mut self.exact {
            Some(exact) => exact,
            none => none.insert(self.module.start(&self.module.module)?),
        };
        let count = exact.call(request, &self.module)?;
        exact.results(request, count, &self.module)
    }
}

impl Evaluator for ModuleInstance {
    #[inline]
    fn evaluate(&mut self, request: &MetricRequest<'_>) -> Result<MetricResults, UserMetricError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if request.tag < 0 {
            return Err(UserMetricError::NegativeTag(request.tag));
        }
        let answer = self.ask(request);
        if let Err(error) = &answer
            && !matches!(error, UserMetricError::Refused { .. })
        {
            // The memory of a module that was stopped in the middle of an evaluation is undefined.
            self.failed = Some(error.clone());
        }
        answer
    }
}

/// Returns whether the code section of a binary module declares no functions but is not empty. Other errors of the
/// module are left to the WebAssembly engine.
fn has_code_without_functions(binary: &[u8]) -> bool {
    const HEADER: usize = 8;
    const CODE: u8 = 10;
    let mut rest = binary.get(HEADER..).unwrap_or_default();
    while let Some((&section, after)) = rest.split_first() {
        let Some((size, after)) = number(after) else {
            return false;
        };
        // The file may end within the section; then its beginning is checked.
        let (body, after) = after.split_at(after.len().min(size as usize));
        if section == CODE
            && size > 1
            && let Some((0, _)) = number(body)
        {
            return true;
        }
        rest = after;
    }
    false
}

/// Reads a number in the LEB128 encoding: at most 32 bits, in groups of seven, the lowest first. Returns it with the
/// remaining bytes.
fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let end = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)?;
    let (digits, rest) = bytes.split_at(end + 1);
    let value = digits
        .iter()
        .rev()
        .fold(0_u64, |value, byte| value << 7 | u64::from(byte & 0x7f));
    Some((u32::try_from(value).ok()?, rest))
}
