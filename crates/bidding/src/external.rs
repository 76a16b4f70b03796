//! External robots: programs that answer questions over their standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::protocol::{AnswerMessage, LONGEST_LINE, QuestionMessage};
use crate::robot::{Answer, BiddingSystem, CallPosition, Detail, Robot, RobotError};

/// The default time limit for a call.
pub const DEFAULT_CALL_TIME: Duration = Duration::from_secs(30);

/// A robot that is a separate program.
#[derive(Clone, Debug)]
pub struct ExternalRobot {
    command: String,
    words: Vec<String>,
    time_limit: Duration,
}

impl ExternalRobot {
    /// Creates the robot of a command line: a program and its arguments, separated by blanks. Quotes keep blanks within a
    /// word. Each call may take `time_limit`.
    ///
    /// # Errors
    /// If there is no program in the command, or a quote is not closed.
    pub fn new(command: &str, time_limit: Duration) -> Result<ExternalRobot, RobotError> {
        let wrong = |reason: &str| RobotError::Start {
            command: command.to_owned(),
            reason: reason.to_owned(),
        };
        let words = split(command).ok_or_else(|| wrong("a quote is not closed"))?;
        if words.is_empty() {
            return Err(wrong("the command is empty"));
        }
        Ok(ExternalRobot {
            command: command.to_owned(),
            words,
            time_limit,
        })
    }
}

/// Splits a command line at blanks outside single and double quotes. `None` if a quote is not closed.
fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

impl BiddingSystem for ExternalRobot {
    fn name(&self) -> &str {
        &self.command
    }

    fn robot(&self) -> Result<Box<dyn Robot + '_>, RobotError> {
        Ok(Box::new(Process::start(self)?))
    }
}

/// The time to wait for the last message of a program that has ended.
const MESSAGE_TIME: Duration = Duration::from_secs(1);

/// A running robot.
struct Process<'a> {
    robot: &'a ExternalRobot,
    child: Child,
    /// Sends lines to the program's input. A thread writes them, so that a program that reads nothing cannot block a
    /// caller.
    questions: mpsc::Sender<String>,
    lines: Receiver<Vec<u8>>,
    last_message: Arc<Mutex<String>>,
    /// Disconnected when the program's standard error has been read to its end.
    messages_end: Receiver<()>,
}

impl Process<'_> {
    fn start(robot: &ExternalRobot) -> Result<Process<'_>, RobotError> {
        let failed = |error: std::io::Error| RobotError::Start {
            command: robot.command.clone(),
            reason: error.to_string(),
        };
        let (program, arguments) = robot.words.split_first().ok_or_else(|| RobotError::Start {
            command: robot.command.clone(),
            reason: "the command is empty".to_owned(),
        })?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(messages)) = pipes else {
            return Err(failed(std::io::Error::other("no pipes")));
        };
        let (last_message, messages_end) = keep_last(messages);
        Ok(Process {
            robot,
            child,
            questions: write_lines(input),
            lines: read_lines(output),
            last_message,
            messages_end,
        })
    }

    fn ended(&mut self) -> RobotError {
        // The program's output is closed, so the program has ended or is about to.
        let _ = self.child.kill();
        let mut how = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        // Wait for its last message, but not for ever: a program that it started may keep the pipe open.
        let _ = self.messages_end.recv_timeout(MESSAGE_TIME);
        let message = self.last_message.lock();
        let message = message.unwrap_or_else(PoisonError::into_inner);
        if !message.is_empty() {
            how = format!("{how}, {message:?}");
        }
        RobotError::Ended {
            command: self.robot.command.clone(),
            how,
        }
    }

    fn nonsense(&self, line: &[u8], reason: impl ToString) -> RobotError {
        let text: String = String::from_utf8_lossy(line).chars().take(80).collect();
        RobotError::InvalidAnswer {
            command: self.robot.command.clone(),
            line: text,
            reason: reason.to_string(),
        }
    }
}

/// Starts a thread that writes the lines that are sent to a program's input.
fn write_lines(mut input: ChildStdin) -> mpsc::Sender<String> {
    let (sender, lines) = mpsc::channel::<String>();
    thread::spawn(move || {
        for line in lines {
            if input
                .write_all(line.as_bytes())
                .and_then(|()| input.flush())
                .is_err()
            {
                return;
            }
        }
    });
    sender
}

/// Starts a thread that reads the lines of a program's output, each cut at [`LONGEST_LINE`].
fn read_lines(output: ChildStdout) -> Receiver<Vec<u8>> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let read = output
                .by_ref()
                .take(LONGEST_LINE as u64)
                .read_until(b'\n', &mut line);
            match read {
                Ok(0) | Err(_) => return,
                Ok(_) if sender.send(line).is_err() => return,
                Ok(_) => {}
            }
        }
    });
    lines
}

/// Keeps the last line that a program writes to its standard error, for an error message. The receiver is disconnected
/// when there are no more lines.
fn keep_last(messages: ChildStderr) -> (Arc<Mutex<String>>, Receiver<()>) {
    let last = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&last);
    let (end, messages_end) = mpsc::channel();
    thread::spawn(move || {
        let _end = end;
        for line in BufReader::new(messages).split(b'\n') {
            let Ok(line) = line else { return };
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            if !text.is_empty() {
                let text = text.chars().take(200).collect();
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = text;
            }
        }
    });
    (last, messages_end)
}

impl Robot for Process<'_> {
    fn answer(
        &mut self,
        question: &CallPosition<'_>,
        detail: Detail,
    ) -> Result<Answer, RobotError> {
        let message = QuestionMessage::new(question, detail);
        let line = serde_json::to_string(&message).unwrap_or_default() + "\n";
        if self.questions.send(line).is_err() {
            return Err(self.ended());
        }
        let line = match self.lines.recv_timeout(self.robot.time_limit) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            Err(RecvTimeoutError::Timeout) => {
                return Err(RobotError::TimedOut {
                    command: self.robot.command.clone(),
                    seconds: self.robot.time_limit.as_secs_f64(),
                });
            }
        };
        let message: AnswerMessage = serde_json::from_slice(&line)
            .map_err(|error| self.nonsense(line.trim_ascii_end(), error))?;
        if let Some(message) = message.error {
            return Err(RobotError::Reported {
                command: self.robot.command.clone(),
                message,
            });
        }
        message
            .answer()
            .map_err(|reason| self.nonsense(line.trim_ascii_end(), reason))
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        // A robot that is dropped has no work left.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
