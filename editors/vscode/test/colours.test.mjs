// The highlighter of Visual Studio Code colours a rulebook with the grammar that is made for it.

import assert from "node:assert";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "../../..");

async function grammar() {
    const wasm = path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm");
    await oniguruma.loadWASM(readFileSync(wasm).buffer);
    const file = path.join(here, "../syntaxes/adit.tmLanguage.json");
    const registry = new Registry({
        onigLib: Promise.resolve({
            createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
            createOnigString: (text) => new oniguruma.OnigString(text),
        }),
        loadGrammar: async () => parseRawGrammar(readFileSync(file, "utf8"), file),
    });
    return registry.loadGrammar("source.adit");
}

function* coloured(grammar, text) {
    let state = INITIAL;
    for (const [at, line] of text.split("\n").entries()) {
        const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
        state = ruleStack;
        yield { at, line, tokens, state };
    }
}

const short = (scopes) => scopes.slice(1).filter((it) => !it.startsWith("meta.") && it !== "source.adit").at(-1)?.replace(/\.adit$/, "");

const loaded = await grammar();

test("a rulebook has the colours that are kept", () => {
    const text = readFileSync(path.join(here, "colours.rules"), "utf8");
    let told = "";
    for (const { line, tokens } of coloured(loaded, text)) {
        const parts = tokens.map((it) => [line.slice(it.startIndex, it.endIndex), short(it.scopes)]);
        const joined = [];
        for (const [part, scope] of parts) {
            if (joined.length > 0 && joined.at(-1)[1] === scope) {
                joined.at(-1)[0] += part;
            } else {
                joined.push([part, scope]);
            }
        }
        const shown = joined.filter(([part, scope]) => scope && part.trim());
        told += `${line}\n` + shown.map(([part, scope]) => `    ${part.trim()}  ${scope}\n`).join("");
    }
    const kept = path.join(here, "colours.txt");
    if (process.env.INSTA_UPDATE === "always") {
        writeFileSync(kept, told);
    }
    assert.equal(told, readFileSync(kept, "utf8"));
});

function* rulebooks(folder) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const file = path.join(folder, entry.name);
        if (entry.isDirectory()) {
            yield* rulebooks(file);
        } else if (entry.name.endsWith(".rules")) {
            yield file;
        }
    }
}

test("behind each shipped rulebook every text is closed, and each item at the margin is one", () => {
    const items = new Set();
    let files = 0;
    for (const file of rulebooks(path.join(root, "rules"))) {
        files += 1;
        let depth = 1;
        for (const { at, line, tokens, state } of coloured(loaded, readFileSync(file, "utf8"))) {
            const where = `${file}:${at + 1}: ${line}`;
            // A drawing alone goes over several lines.
            depth = state.depth;
            assert.ok(depth === 1 || !line.includes("\"") || line.includes('"""'), `open behind ${where}`);
            if (/^[a-z]/.test(line)) {
                assert.equal(short(tokens[0].scopes), "storage.type", where);
                items.add(line.split(" ")[0]);
            }
        }
        assert.equal(depth, 1, `open behind ${file}`);
    }
    assert.ok(files > 40 && items.size > 20, `${files} files, ${[...items]}`);
});
