-- What `adit lsp` answers a real editor, by `nvim --headless -u NONE -c 'luafile tests/editors/nvim.lua'` (0.7 or newer):
-- ADIT is the program, ROOT a copy of tests/editors/heap, REPOSITORY this folder. `.ci/fronts` runs it.
-- Ends with 0 if all holds, else with 1 and what does not.

local root, adit = vim.env.ROOT, vim.env.ADIT
local here = vim.env.REPOSITORY

local function finish(ok, said)
  io.stdout:write(said .. "\n")
  vim.cmd(ok and "qall!" or "cquit! 1")
end

local function expect(holds, what)
  if not holds then
    error(what, 0)
  end
end

local function wait_for(what, holds)
  expect(vim.wait(20000, holds, 20), "not within 20 seconds: " .. what)
end

-- As docs/editors.md says it.
vim.opt.runtimepath:append(here .. "/editors/vim")
vim.cmd("filetype plugin on | syntax on")
local server
vim.api.nvim_create_autocmd("FileType", {
  pattern = "adit",
  callback = function(event)
    server = server or vim.lsp.start_client({ name = "adit", cmd = { adit, "lsp" }, root_dir = root })
    vim.lsp.buf_attach_client(event.buf, server)
  end,
})

local function open(name)
  vim.cmd("edit! " .. vim.fn.fnameescape(root .. "/" .. name))
  local buffer = vim.api.nvim_get_current_buf()
  expect(vim.bo[buffer].filetype == "adit", name .. " is taken for " .. vim.bo[buffer].filetype)
  wait_for("the server", function()
    local client = vim.lsp.get_client_by_id(server)
    return client and client.initialized and vim.lsp.buf_is_attached(buffer, server)
  end)
  return buffer
end

-- The line and column, both from 0, where a text begins the so-manieth time.
local function place(buffer, text, nth)
  for line, row in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do
    local from = 1
    while true do
      local at = row:find(text, from, true)
      if not at then
        break
      end
      nth = (nth or 1) - 1
      if nth == 0 then
        return { line = line - 1, character = at - 1 }
      end
      from = at + 1
    end
  end
  error("no `" .. text .. "` there", 0)
end

local function replace(buffer, old, new)
  local at = place(buffer, old)
  vim.api.nvim_buf_set_text(buffer, at.line, at.character, at.line, at.character + #old, { new })
end

local function ask(buffer, method, params)
  params.textDocument = params.textDocument or { uri = vim.uri_from_bufnr(buffer) }
  local answers, failed = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  expect(answers, method .. ": " .. tostring(failed))
  local answer = answers[server]
  expect(answer and not answer.error, method .. ": " .. vim.inspect(answer and answer.error))
  return answer.result
end

local function bytes(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")
end

local function texts()
  local all = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == "adit" then
      all[vim.api.nvim_buf_get_name(buffer)] = bytes(buffer)
    end
  end
  return all
end

-- Misspells a name, and waits until that is found.
local function misspell(game)
  replace(game, "n <= heap", "n <= heep")
  wait_for("the finding", function()
    return #vim.diagnostic.get(game) > 0
  end)
  return place(game, "heep")
end

local function nothing_is_found(game)
  wait_for("that the finding goes", function()
    return #vim.diagnostic.get(game) == 0
  end)
end

local tests = {}

function tests.a_finding_comes_at_its_place_and_goes()
  local game = open("heap.rules")
  vim.wait(500)
  expect(#vim.diagnostic.get(game) == 0, "findings in a sound game: " .. vim.inspect(vim.diagnostic.get(game)))
  local at = misspell(game)
  local found = vim.diagnostic.get(game)[1]
  expect(found.lnum == at.line and found.col == at.character, "it stands elsewhere: " .. vim.inspect(found))
  expect(found.message:find("heep", 1, true), "it says " .. found.message)
  replace(game, "heep", "heap")
  nothing_is_found(game)
end

function tests.a_fix_is_offered_and_made()
  local game = open("heap.rules")
  local before = bytes(game)
  local at = misspell(game)
  local found = vim.lsp.diagnostic.get_line_diagnostics(game, at.line)
  local fixes = ask(game, "textDocument/codeAction", { range = { start = at, ["end"] = at }, context = { diagnostics = found } })
  local made = false
  for _, fix in ipairs(fixes) do
    if fix.edit and fix.title:find("heap", 1, true) then
      vim.lsp.util.apply_workspace_edit(fix.edit, vim.lsp.get_client_by_id(server).offset_encoding)
      made = true
      break
    end
  end
  expect(made, "no fix says `heap`: " .. vim.inspect(fixes))
  expect(bytes(game) == before, "the fix left " .. bytes(game))
  nothing_is_found(game)
end

function tests.a_text_is_laid_out()
  local game = open("heap.rules")
  local before = bytes(game)
  replace(game, "heap -= n", "heap   -=   n")
  local edits = ask(game, "textDocument/formatting", { options = { tabSize = 4, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits, game, vim.lsp.get_client_by_id(server).offset_encoding)
  expect(bytes(game) == before, "the layout is\n" .. bytes(game))
end

function tests.a_name_of_an_amendment_leads_into_its_base()
  local rule = open("no_three.rules")
  local found = ask(rule, "textDocument/definition", { position = place(rule, "take(") })
  found = found.uri and found or found[1]
  expect(found, "no definition")
  local uri, range = found.uri or found.targetUri, found.range or found.targetSelectionRange
  local game = open("heap.rules")
  expect(uri == vim.uri_from_bufnr(game), "it leads to " .. uri)
  local at = place(game, "take(n in")
  expect(range.start.line == at.line and range.start.character == at.character, "it leads to " .. vim.inspect(range))
end

function tests.addresses_are_completed()
  local rule = open("no_three.rules")
  local lines = vim.api.nvim_buf_line_count(rule)
  vim.api.nvim_buf_set_lines(rule, lines, lines, true, { "remove take." })
  local answer = ask(rule, "textDocument/completion", { position = { line = lines, character = #"remove take." } })
  local labels = vim.tbl_map(function(it)
    return it.label
  end, answer.items or answer)
  vim.api.nvim_buf_set_lines(rule, lines, lines + 1, true, {})
  expect(vim.tbl_contains(labels, "enough") or vim.tbl_contains(labels, "take.enough"), "offered: " .. vim.inspect(labels))
end

function tests.a_name_is_changed_everywhere_and_back()
  local rule, game = open("no_three.rules"), open("heap.rules")
  local before = texts()
  local function rename(old, new)
    local edit = ask(game, "textDocument/rename", { position = place(game, old), newName = new })
    expect(edit, "nothing is renamed")
    vim.lsp.util.apply_workspace_edit(edit, vim.lsp.get_client_by_id(server).offset_encoding)
    -- What changes in buffers that are not asked about is sent a moment later.
    vim.wait(400)
  end
  rename("take(n in", "lift_off")
  expect(bytes(rule):find("lift_off(n)", 1, true), "the amendment says\n" .. bytes(rule))
  expect(not bytes(game):find("take(", 1, true), "the game says\n" .. bytes(game))
  rename("lift_off(n in", "take")
  expect(vim.deep_equal(texts(), before), "it came back as " .. vim.inspect(texts()))
end

function tests.a_hover_says_what_a_name_is()
  local game = open("heap.rules")
  local hover = ask(game, "textDocument/hover", { position = place(game, "heap == 0") })
  local said = hover and (hover.contents.value or vim.inspect(hover.contents)) or ""
  expect(said:find("0..20", 1, true), "the hover says " .. said)
end

function tests.a_ruling_is_run_where_it_stands()
  local game = open("heap.rules")
  vim.lsp.codelens.refresh()
  wait_for("the lenses", function()
    return #vim.lsp.codelens.get(game) > 0
  end)
  local at = place(game, "R-all")
  for _, lens in ipairs(vim.lsp.codelens.get(game)) do
    if lens.range.start.line == at.line and lens.command.title == "run" then
      local said = ask(game, "workspace/executeCommand", lens.command)
      expect(said:find("ok   R-all", 1, true), "it says " .. said)
      return
    end
  end
  error("no lens over the ruling: " .. vim.inspect(vim.lsp.codelens.get(game)), 0)
end

local names = vim.tbl_keys(tests)
table.sort(names)
local failed = {}
local kept = vim.fn.readfile(root .. "/heap.rules")
for _, name in ipairs(names) do
  expect(vim.deep_equal(vim.fn.readfile(root .. "/heap.rules"), kept), "a test wrote a file")
  vim.cmd("silent! bufdo! edit!")
  local ok, why = pcall(tests[name])
  io.stdout:write((ok and "ok      " or "FAILED  ") .. name .. "\n")
  if not ok then
    failed[#failed + 1] = name .. ": " .. tostring(why)
  end
end
finish(#failed == 0, #failed == 0 and #names .. " tests passed" or table.concat(failed, "\n"))
