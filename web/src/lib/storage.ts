// The browser's storage: settings of the reader, and of one tab.

function place(scope: 'reader' | 'tab'): Storage {
  return scope === 'tab' ? sessionStorage : localStorage;
}

/** Returns a setting, or null if there is none. */
export function loadSetting(key: string, scope: 'reader' | 'tab' = 'reader'): string | null {
  try {
    return place(scope).getItem(`croupier.${key}`);
  } catch {
    return null;
  }
}

export function saveSetting(key: string, value: string, scope: 'reader' | 'tab' = 'reader'): void {
  try {
    place(scope).setItem(`croupier.${key}`, value);
  } catch {
    // In private windows and on full disks the setting lasts until the page is closed.
  }
}

/** Texts with names that the reader keeps: scripts, ranges. */
export function loadNamed(key: string): Record<string, string> {
  try {
    const found = JSON.parse(loadSetting(key) ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(Object.entries(found).filter((it): it is [string, string] => typeof it[1] === 'string'));
  } catch {
    return {};
  }
}

export function saveNamed(key: string, texts: Record<string, string>): void {
  saveSetting(key, JSON.stringify(texts));
}
