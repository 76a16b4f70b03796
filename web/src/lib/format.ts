// Formats for numbers, and conversions of bytes.

export function grouped(digits: string | number): string {
  const [whole, fraction] = String(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

export function percent(share: number, digits = 2): string {
  const value = 100 * share;
  if (value !== 0 && Math.abs(value) < 10 ** -digits) return `${value.toPrecision(3)} %`;
  return `${value.toFixed(digits)} %`;
}

/** Formats a value with one, three or four decimals, depending on its size. */
export function short(value: number): string {
  if (Number.isInteger(value)) return grouped(value);
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 1 : size >= 1 ? 3 : 4);
}

export type Range = readonly [number, number];

/** Returns the number of decimals for an interval: two digits of its width are shown. */
export function decimals([low, high]: Range): number {
  const width = high - low;
  return width > 0 ? Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(width)))) : 0;
}

/** Formats a number with the decimals that its interval supports. */
export function estimated(value: number, interval: Range | null): string {
  return interval ? grouped(value.toFixed(decimals(interval))) : short(value);
}

/** Formats both limits of an interval. */
export function limits(interval: Range): string {
  const digits = decimals(interval);
  return `${interval[0].toFixed(digits)} to ${interval[1].toFixed(digits)}`;
}

/** Formats a share in percent with the decimals that its interval supports. */
export function estimatedPercent(share: number, interval: Range | null | undefined): string {
  if (!interval) return percent(share);
  return `${(100 * share).toFixed(decimals([100 * interval[0], 100 * interval[1]]))} %`;
}

/** Formats both limits of a share in percent. */
export function percentLimits(interval: Range | null | undefined): string {
  return interval ? `${limits([100 * interval[0], 100 * interval[1]])} %` : '–';
}

/** An estimate of a study: its value, and its interval if it has one. */
export interface Estimate {
  value: number;
  low: number | null;
  high: number | null;
}

function scaledRange(it: Estimate, factor: number): Range | null {
  return it.low === null || it.high === null ? null : [factor * it.low, factor * it.high];
}

/**
 * Returns the value of an estimate with the digits that its interval supports. Without an interval there are no
 * decimals.
 */
export function estimateText(it: Estimate, factor = 1, unit = ''): string {
  const interval = scaledRange(it, factor);
  return `${(factor * it.value).toFixed(interval ? decimals(interval) : 0)}${unit}`.replace(/^-(?=[0.]+(?: %)?$)/, '');
}

/** Returns both limits of an estimate; empty if it has none. */
export function estimateLimits(it: Estimate, factor = 1): string {
  const interval = scaledRange(it, factor);
  return interval ? limits(interval) : '';
}

/** Returns a difference with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0';
}

export function oneIn(probability: number): string {
  if (probability <= 0) return 'never';
  const deals = 1 / probability;
  return `1 in ${deals >= 1000 ? grouped(Math.round(deals)) : deals.toFixed(deals < 10 ? 2 : 1)}`;
}

/** Returns the name of a class of values: `7`, `10–14`, `below 3`, `above 9`. */
export function className(bin: { low: number | null; high: number | null }): string {
  if (bin.low === null) return `below ${(bin.high ?? 0) + 1}`;
  if (bin.high === null) return `above ${bin.low - 1}`;
  return bin.low === bin.high ? String(bin.low) : `${bin.low}–${bin.high}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

export function download(name: string, bytes: BlobPart, type = 'application/octet-stream'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
