// The dealer language for CodeMirror: colours, completion with documentation, and messages while typing.

import {
  autocompletion,
  completeFromList,
  snippetCompletion,
  type Completion,
  type CompletionContext,
} from '@codemirror/autocomplete';
import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { linter, type Diagnostic as Lint } from '@codemirror/lint';
import { tags } from '@lezer/highlight';

import type { Diagnostic, Word } from '../engine';
import { app, engine } from './app.svelte';
import { scriptOf } from './recipe';

interface Reading {
  inComment: boolean;
}

const language = StreamLanguage.define<Reading>({
  name: 'dealer',
  startState: () => ({ inComment: false }),
  token(stream, reading) {
    if (reading.inComment) {
      if (stream.skipTo('*/')) {
        stream.match('*/');
        reading.inComment = false;
      } else {
        stream.skipToEnd();
      }
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('/*')) {
      reading.inComment = true;
      return 'comment';
    }
    if (stream.match('//') || stream.peek() === '#') {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.peek() === '"') {
      stream.next();
      while (!stream.eol() && stream.next() !== '"');
      return 'string';
    }
    if (stream.match(/^\$\d/)) return 'meta';
    if (stream.match(/^[0-9x]{4}(?![\w])/)) return 'atom';
    if (stream.match(/^[xz][1-7][CDHSN](xx?)?(?!\w)/)) return 'atom';
    if (stream.match(/^[CDHS][AKQJT2-9]+(?!\w)/) || stream.match(/^[AKQJT2-9][CDHS](?!\w)/)) return 'atom';
    if (stream.match(/^\d+(\.\d+)?/)) return 'number';
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word) {
      switch (app.words.find((it) => it.word === word[0])?.kind) {
        case 'statement':
          return 'keyword';
        case 'action':
          return 'className';
        case 'function':
          return 'standard';
        case 'operator':
          return 'operatorKeyword';
        case 'name':
          return 'labelName';
        default:
          return 'variableName';
      }
    }
    if (stream.match(/^(&&|\|\||[=!<>]=|[-+*/%<>!?:=])/)) return 'operator';
    stream.next();
    return null;
  },
  tokenTable: { standard: tags.standard(tags.name) },
  languageData: {
    commentTokens: { line: '#', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '{', '"'] },
  },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, class: 'tok-comment' },
  { tag: tags.string, class: 'tok-string' },
  { tag: [tags.number, tags.atom], class: 'tok-number' },
  { tag: tags.keyword, class: 'tok-keyword' },
  { tag: tags.className, class: 'tok-action' },
  { tag: tags.standard(tags.name), class: 'tok-function' },
  { tag: tags.operatorKeyword, class: 'tok-keyword' },
  { tag: tags.labelName, class: 'tok-name' },
  { tag: tags.meta, class: 'tok-number' },
]);

function option(word: Word): Completion {
  const info = () => {
    const box = document.createElement('div');
    const usage = box.appendChild(document.createElement('code'));
    usage.textContent = word.usage;
    box.appendChild(document.createElement('p')).textContent = word.meaning;
    return { dom: box };
  };
  const type = { function: 'function', statement: 'keyword', action: 'class', operator: 'keyword', name: 'constant' }[
    word.kind
  ];
  const base: Completion = { label: word.word, detail: word.kind, type, info };
  return word.kind === 'function' && word.usage.includes('(compass')
    ? snippetCompletion(`${word.word}(\${north})`, base)
    : base;
}

function complete(context: CompletionContext) {
  const own = engineVariables.map((name): Completion => ({ label: name, type: 'variable', detail: 'of this script' }));
  return completeFromList([...app.words.map(option), ...own])(context);
}

let engineVariables: string[] = [];

/** Messages of the last check, for the list below the editor. */
export type OnChecked = (diagnostics: Diagnostic[]) => void;

function checking(onChecked: OnChecked) {
  return linter(
    async (view) => {
      const script = view.state.doc.toString();
      const answer = await engine()
        .request('check', { ...scriptOf(app.recipe), script })
        .catch(() => null);
      if (!answer) return [];
      if (answer.settings) engineVariables = answer.settings.variables;
      onChecked(answer.diagnostics);
      const length = view.state.doc.length;
      return answer.diagnostics.map((it): Lint => {
        const from = Math.min(it.from, length);
        const to = Math.min(Math.max(it.to, it.from + 1), length);
        return {
          from: Math.min(from, to),
          to,
          severity: it.severity,
          source: it.code,
          message: [it.message, ...it.notes].join('\n').replaceAll('`', ''),
          actions: it.fix
            ? [
                {
                  name: it.fix.title.replaceAll('`', ''),
                  apply: (v) =>
                    v.dispatch({
                      changes: it.fix!.edits.map((edit) => ({ from: edit.from, to: edit.to, insert: edit.text })),
                    }),
                },
              ]
            : [],
        };
      });
    },
    { delay: 250 },
  );
}

export function dealer(onChecked: OnChecked) {
  return [
    new LanguageSupport(language),
    syntaxHighlighting(colours),
    autocompletion({ override: [complete], icons: false }),
    checking(onChecked),
  ];
}
