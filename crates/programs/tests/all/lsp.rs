//! The language server in a real editor: Neovim without a screen.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Commands for Neovim; it writes its observations as JSON.
const LUA: &str = r#"
local server, script, out = vim.env.SERVER, vim.env.SCRIPT, vim.env.OUT
local seen = { diagnostics = {} }
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ cmd = { server, 'lsp' }, root_dir = '/' })
vim.bo[buffer].filetype = 'dealer'
vim.lsp.buf_attach_client(buffer, client)
local function diagnostics() return vim.diagnostic.get(buffer) end
vim.wait(60000, function() return #diagnostics() > 0 end, 20)
for _, it in ipairs(diagnostics()) do
  table.insert(seen.diagnostics, { code = it.code, line = it.lnum, column = it.col, text = it.message })
end
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
local document = { uri = vim.uri_from_bufnr(buffer) }
seen.hover = ask('textDocument/hover', { textDocument = document, position = { line = 0, character = 11 } })
-- The editor types: the mistake is mended.
vim.api.nvim_buf_set_lines(buffer, 0, 1, false, { 'condition hcp(north)>=15' })
vim.wait(60000, function() return #diagnostics() == 0 end, 20)
seen.after = #diagnostics()
local edits = ask('textDocument/formatting', { textDocument = document, options = { tabSize = 4, insertSpaces = true } })
vim.lsp.util.apply_text_edits(edits, buffer, 'utf-16')
seen.text = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
seen.run = ask('workspace/executeCommand', { command = 'croupier.run', arguments = { { uri = document.uri, produce = 2 } } })
seen.places = ask('textDocument/documentHighlight', { textDocument = document, position = { line = 0, character = 11 } })
local file = io.open(out, 'w')
file:write(vim.fn.json_encode(seen))
file:close()
vim.cmd('qall!')
"#;

#[test]
fn neovim_shows_errors_documentation_and_layout() {
    let neovim = ["nvim", "/usr/bin/nvim"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok())
        .expect("Neovim (Debian's package neovim, which ./check installs)");
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| -> PathBuf { folder.path().join(name) };
    std::fs::write(file("try.lua"), LUA).unwrap();
    std::fs::write(file("script.dl"), "condition hcp(north) = 15\n").unwrap();
    let output = Command::new(neovim)
        .args(["--headless", "-u", "NONE", "-n"])
        .arg(file("script.dl"))
        .arg("-c")
        .arg(format!("luafile {}", file("try.lua").display()))
        .env("SERVER", env!("CARGO_BIN_EXE_croupier"))
        .env("SCRIPT", file("script.dl"))
        .env("OUT", file("seen.json"))
        .env("HOME", folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .output()
        .unwrap();
    let seen = std::fs::read_to_string(file("seen.json"))
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let seen: serde_json::Value = serde_json::from_str(&seen).unwrap();
    let first = &seen["diagnostics"][0];
    assert_eq!(first["code"], "E203");
    assert_eq!(
        (first["line"].as_i64(), first["column"].as_i64()),
        (Some(0), Some(21))
    );
    let hover = seen["hover"]["contents"]["value"].as_str().unwrap();
    assert!(hover.contains("hcp(compass[, suit])"), "{hover}");
    assert_eq!(seen["after"], 0);
    assert_eq!(seen["text"][0], "condition hcp(north) >= 15");
    let run = seen["run"]["text"].as_str().unwrap();
    assert!(run.contains("Produced  2 hands"), "{run}");
    assert_eq!(seen["places"].as_array().unwrap().len(), 1);
}

#[test]
fn the_server_ends_when_its_client_is_killed() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut input, output) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
    let mut send = |message: serde_json::Value| {
        let text = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    };
    send(serde_json::json!({ "id": 1, "method": "initialize", "params": {} }));
    let mut line = String::new();
    let mut output = BufReader::new(output);
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("Content-Length: "), "{line}");
    // Computing the frequencies of this script takes long.
    let text = "a = tricks(north, spades) > 8\ncondition a and hcp(north) > rnd(30)";
    let document = serde_json::json!({ "uri": "file:///x.dl", "version": 1, "text": text });
    send(
        serde_json::json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }),
    );
    let arguments = serde_json::json!(["file:///x.dl"]);
    send(
        serde_json::json!({ "id": 2, "method": "workspace/executeCommand",
                             "params": { "command": "croupier.run", "arguments": arguments } }),
    );
    input.write_all(b"Content-Length: 500\r\n\r\n{").unwrap();
    // The system closes the pipes of a process that is killed.
    drop((input, output));
    let status = server.wait().unwrap();
    assert_eq!(status.code(), Some(1));
}
