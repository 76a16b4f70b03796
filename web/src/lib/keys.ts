// Keys that work alike in all views.

import type { Attachment } from 'svelte/attachments';

/**
 * Attaches to a group of fields: Enter in one of its text fields calls `action`, after the field has reported its value.
 * Fields of a form are left to the form, and editors of scripts have keys of their own.
 */
export function onEnter(action: () => void): Attachment<HTMLElement> {
  return (group) => {
    const pressed = (event: KeyboardEvent) => {
      const field = event.target;
      if (event.key !== 'Enter' || !(field instanceof HTMLInputElement) || field.form) return;
      if (/^(text|number|search)$/.test(field.type)) setTimeout(action);
    };
    group.addEventListener('keypress', pressed);
    return () => group.removeEventListener('keypress', pressed);
  };
}
