// Tables of a run as comma-separated values.

import type { Table } from '../engine';
import { className } from './format';

const cell = (value: unknown) => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const lines = (rows: unknown[][]) => rows.map((row) => `${row.map(cell).join(',')}\n`).join('');

export function tableCsv(table: Table): string {
  switch (table.kind) {
    case 'average':
      return lines([
        ['deals', 'mean', 'deviation', 'low', 'high'],
        [table.count, table.mean, table.deviation, ...(table.interval ?? ['', ''])],
      ]);
    case 'frequency':
      return lines([
        [table.axis, 'deals', 'share', 'low', 'high'],
        ...table.bins.map((bin, i) => [
          className(bin),
          table.counts[i],
          table.counts[i] / (table.total || 1),
          ...(table.intervals[i] ?? ['', '']),
        ]),
      ]);
    case 'grid':
      return lines([
        [`${table.row_axis} / ${table.column_axis}`, ...table.columns.map(className)],
        ...table.rows.map((bin, row) => [
          className(bin),
          ...table.columns.map((_, column) => table.counts[row * table.columns.length + column]),
        ]),
      ]);
    case 'contract':
      return lines([['tricks', 'deals'], ...table.counts.map((count, tricks) => [tricks, count])]);
  }
}
