// Theme of the editor, in the colours of the page.

import { EditorView } from '@codemirror/view';

export const editorTheme = EditorView.theme({
  '&': { height: '100%', fontSize: '13.5px', color: 'var(--ink)', outline: 'none !important' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.6rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-gutters': { background: 'transparent', border: 'none', color: 'var(--quiet)' },
  '.cm-activeLine': { background: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-selectionMatch': { background: 'color-mix(in srgb, var(--accent) 16%, transparent)' },
  '.cm-matchingBracket': { background: 'color-mix(in srgb, var(--accent) 22%, transparent) !important' },
  '.tok-comment': { color: 'var(--quiet)', fontStyle: 'italic' },
  '.tok-string': { color: 'var(--warn)' },
  '.tok-number': { color: 'var(--heart)' },
  '.tok-keyword': { color: 'var(--accent)', fontWeight: '650' },
  '.tok-action': { color: 'color-mix(in srgb, var(--ink) 45%, #6a4bc4)', fontWeight: '600' },
  '.tok-function': { color: 'color-mix(in srgb, var(--ink) 45%, #1f6fd0)' },
  '.tok-name': { color: 'color-mix(in srgb, var(--ink) 60%, #8a5200)' },
  '.cm-tooltip': {
    background: 'var(--card)',
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
    color: 'var(--ink)',
    overflow: 'hidden',
    maxWidth: 'min(30rem, 92vw)',
  },
  // The documentation of a word is shown beside the list.
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip-autocomplete ul': { borderRadius: '7px' },
  '.cm-tooltip.cm-completionInfo': { overflow: 'auto', padding: '0.5rem 0.7rem', fontFamily: 'var(--sans)' },
  '.cm-completionInfo p': { margin: '0.3rem 0 0' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': {
    fontStyle: 'normal',
    color: 'inherit',
    marginLeft: '1em',
    fontFamily: 'var(--sans)',
    fontSize: '12px',
  },
  '.cm-tooltip-autocomplete ul li': { padding: '2px 8px' },
  '.cm-diagnostic': { padding: '0.45rem 0.7rem', whiteSpace: 'pre-wrap', fontFamily: 'var(--sans)', fontSize: '14px' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--error)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--warn)' },
  '.cm-diagnosticAction': {
    background: 'var(--accent)',
    color: 'var(--on-accent)',
    borderRadius: '6px',
    padding: '2px 8px',
    font: 'inherit',
    cursor: 'pointer',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--error) 1.5px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warn) 1.5px',
    textUnderlineOffset: '3px',
  },
  '.cm-panels': { background: 'var(--card)', color: 'var(--ink)' },
});
