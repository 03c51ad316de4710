//! What an editor sends and is sent: messages of JSON behind headers that say how long they are.
//!
//! A message that cannot be read is answered, and the next one is read: the session goes on as long as it is known where
//! a message ends.

use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, select};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

/// A message may be so long; of a longer one only the end is looked for.
const MOST_BYTES: u64 = 1 << 26;

/// A line of a header may be so long.
const MOST_HEADER: u64 = 1 << 12;

/// The threads that read and write.
pub struct Wire {
    reader: thread::JoinHandle<io::Result<()>>,
    writer: thread::JoinHandle<io::Result<()>>,
}

/// Talks to an editor by the standard input and output.
///
/// # Errors
/// There can be no more threads.
pub fn stdio() -> io::Result<(Connection, Wire)> {
    let (to_editor, answers) = bounded(0);
    let (refuse, refused) = bounded(0);
    let (send, receiver) = bounded(0);
    let writer = thread::Builder::new()
        .spawn(move || write_all(&mut io::stdout().lock(), &answers, &refused))?;
    let reader =
        thread::Builder::new().spawn(move || read_all(&mut io::stdin().lock(), &send, &refuse))?;
    let connection = Connection {
        sender: to_editor,
        receiver,
    };
    Ok((connection, Wire { reader, writer }))
}

impl Wire {
    /// Waits until all is read and written.
    ///
    /// # Errors
    /// The input or the output failed.
    pub fn join(self) -> io::Result<()> {
        let ended = |it: thread::JoinHandle<io::Result<()>>| {
            let panicked = |_| Err(io::Error::other("a thread panicked"));
            it.join().unwrap_or_else(panicked)
        };
        ended(self.reader)?;
        ended(self.writer)
    }
}

fn write_all(
    out: &mut impl Write,
    answers: &Receiver<Message>,
    refused: &Receiver<Value>,
) -> io::Result<()> {
    let mut refused = refused.clone();
    loop {
        select! {
            recv(answers) -> message => match message {
                Ok(message) => message.write(out)?,
                Err(_) => return Ok(()),
            },
            recv(refused) -> said => match said {
                Ok(said) => {
                    let text = said.to_string();
                    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
                    out.flush()?;
                }
                // Nothing more is read; what was is still answered.
                Err(_) => refused = crossbeam_channel::never(),
            },
        }
    }
}

fn read_all(
    input: &mut impl BufRead,
    send: &Sender<Message>,
    refuse: &Sender<Value>,
) -> io::Result<()> {
    while let Some(length) = header(input)? {
        let read = match length > MOST_BYTES {
            true => {
                io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
                Err((ErrorCode::InvalidRequest, "it is too long".to_owned()))
            }
            false => message(input, length)?,
        };
        match read {
            Ok(message) => {
                let is_last = matches!(&message, Message::Notification(it) if it.method == "exit");
                if send.send(message).is_err() || is_last {
                    return Ok(());
                }
            }
            Err((code, why)) => {
                let said = format!("this message cannot be read: {why}");
                let error = json!({ "code": code as i32, "message": said });
                let answer = json!({ "jsonrpc": "2.0", "id": null, "error": error });
                if refuse.send(answer).is_err() {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Reads a message, or why it cannot be read.
fn message(
    input: &mut impl BufRead,
    length: u64,
) -> io::Result<Result<Message, (ErrorCode, String)>> {
    let mut text = Vec::new();
    input.by_ref().take(length).read_to_end(&mut text)?;
    if (text.len() as u64) < length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    // What is JSON and no message is another error than what is no JSON.
    let read = serde_json::from_slice::<Value>(&text)
        .map_err(|why| (ErrorCode::ParseError, why.to_string()))
        .and_then(|value| {
            serde_json::from_value(value)
                .map_err(|why| (ErrorCode::InvalidRequest, why.to_string()))
        });
    Ok(read)
}

/// Reads up to the next message, and how long it is; none at the end.
fn header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.by_ref().take(MOST_HEADER).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        let wrong = || io::Error::new(ErrorKind::InvalidData, format!("`{line}` is no header"));
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("Content-Length") => {
                length = Some(value.trim().parse().map_err(|_| wrong())?);
            }
            Some(_) => {}
            None if !line.is_empty() => return Err(wrong()),
            // Empty lines in front of a header mean nothing.
            None if length.is_some() => return Ok(length),
            None => {}
        }
    }
}
