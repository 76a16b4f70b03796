// Writes src/grammar.json from grammar.js: `node evaluate.mjs`. To generate the parser from it, run
// `cargo run -p tree-sitter-dealer --features generate --bin generate`.
import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';

const rule = (value) => {
  if (typeof value === 'string') return { type: 'STRING', value };
  if (value instanceof RegExp) return { type: 'PATTERN', value: value.source };
  return value;
};
const members = (type) => (...list) => ({ type, members: list.map(rule) });
const ranked = (type) => (level, content) =>
  content === undefined ? { type, value: 0, content: rule(level) } : { type, value: level, content: rule(content) };
const choice = members('CHOICE');

globalThis.seq = members('SEQ');
globalThis.choice = choice;
globalThis.repeat = (content) => ({ type: 'REPEAT', content: rule(content) });
globalThis.repeat1 = (content) => ({ type: 'REPEAT1', content: rule(content) });
globalThis.optional = (content) => choice(content, { type: 'BLANK' });
globalThis.token = (content) => ({ type: 'TOKEN', content: rule(content) });
globalThis.field = (name, content) => ({ type: 'FIELD', name, content: rule(content) });
globalThis.alias = (content, value) => ({
  type: 'ALIAS',
  content: rule(content),
  named: typeof value !== 'string',
  value: typeof value === 'string' ? value : value.name,
});
globalThis.prec = Object.assign(ranked('PREC'), { left: ranked('PREC_LEFT'), right: ranked('PREC_RIGHT') });

const symbols = new Proxy({}, { get: (_, name) => ({ type: 'SYMBOL', name }) });
let made;
globalThis.grammar = (options) => {
  made = {
    name: options.name,
    word: options.word(symbols).name,
    rules: Object.fromEntries(Object.entries(options.rules).map(([name, make]) => [name, rule(make(symbols))])),
    extras: options.extras(symbols).map(rule),
    conflicts: (options.conflicts ?? (() => []))(symbols).map((set) => set.map((symbol) => symbol.name)),
    precedences: [],
    externals: [],
    inline: [],
    supertypes: [],
  };
  return made;
};

const folder = new URL('.', import.meta.url);
const source = readFileSync(new URL('grammar.js', folder), 'utf8');
new Function('module', source)({});
mkdirSync(new URL('src', folder), { recursive: true });
writeFileSync(new URL('src/grammar.json', folder), JSON.stringify(made, null, 2) + '\n');
