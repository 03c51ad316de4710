//! What comes by the input of `adit lsp` itself, readable or not.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdout, Command, Stdio};

use serde_json::{Value, json};

fn framed(text: &[u8]) -> Vec<u8> {
    let header = format!("Content-Length: {}\r\n\r\n", text.len());
    [header.as_bytes(), text].concat()
}

fn next(out: &mut BufReader<ChildStdout>) -> Value {
    let mut header = String::new();
    out.read_line(&mut header).unwrap();
    let length = header.trim().strip_prefix("Content-Length: ").unwrap();
    let mut text = vec![0; 2 + length.parse::<usize>().unwrap()];
    out.read_exact(&mut text).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// Sends what is no message, and looks how it is answered.
fn refused(input: &mut impl Write, out: &mut BufReader<ChildStdout>) {
    let deep = "[".repeat(10_000);
    let wrong: [(&[u8], i64); 6] = [
        (b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\"", -32700),
        (b"", -32700),
        (b"{\"id\": \"\xff\"}", -32700),
        (deep.as_bytes(), -32700),
        (b"[1, 2]", -32600),
        (b"{\"jsonrpc\": \"2.0\"}", -32600),
    ];
    for (text, code) in wrong {
        input.write_all(&framed(text)).unwrap();
        let answer = next(out);
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert_eq!(answer["id"], Value::Null);
    }
    // More than is read, and a header with more in it, lead to the next message too.
    let long = 70_000_000;
    write!(input, "Content-Length: {long}\r\nContent-Type: x\r\n\r\n").unwrap();
    std::io::copy(&mut std::io::repeat(b' ').take(long), input).unwrap();
    assert_eq!(next(out)["error"]["code"], -32600);
}

#[test]
fn what_cannot_be_read_is_answered_and_the_session_goes_on() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_adit"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let ask = |id: u8, method: &str| {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {} });
        framed(request.to_string().as_bytes())
    };
    let tell = |method: &str| {
        let told = json!({ "jsonrpc": "2.0", "method": method, "params": {} });
        framed(told.to_string().as_bytes())
    };
    refused(&mut input, &mut out);
    input.write_all(&ask(1, "initialize")).unwrap();
    let answer = next(&mut out);
    assert_eq!(answer["result"]["serverInfo"]["name"], "adit", "{answer}");
    input.write_all(&tell("initialized")).unwrap();
    refused(&mut input, &mut out);
    input.write_all(&ask(2, "shutdown")).unwrap();
    assert_eq!(next(&mut out)["id"], 2);
    input.write_all(&tell("exit")).unwrap();
    assert!(child.wait().unwrap().success());
}
