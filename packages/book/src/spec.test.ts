import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AUDITED_CHANGES_MAX } from './audit.ts';
import { L4Book } from './l4-book.ts';
import { BUFFERED_CHANGES_MAX } from './sync/buffer.ts';
import { SETTLED_BATCHES } from './sync/state.ts';
import { SYNC_TABLE } from './sync/table.ts';
import { bid } from './test-support/changes.ts';

const SPEC = readFileSync(join(import.meta.dirname, '..', 'SPEC.md'), 'utf8');

/** The rows of the first table under a heading, cells trimmed. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const lines = SPEC.slice(SPEC.indexOf(heading)).split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines
    .slice(start, start + length)
    .filter((line) => !/^[|\s-]+$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

describe('SPEC.md', () => {
  it('[L4-8] prints the states and events of the code, cell by cell', () => {
    const states = Object.keys(SYNC_TABLE) as (keyof typeof SYNC_TABLE)[];
    const events = Object.keys(SYNC_TABLE.idle) as (keyof typeof SYNC_TABLE.idle)[];
    const rows = events.map((event) => [event, ...states.map((state) => SYNC_TABLE[state][event].outcome)]);
    expect(tableUnder('## States × events')).toEqual([['event', ...states], ...rows]);
  });

  it('states the bounds of the code', () => {
    expect(SPEC).toContain(`past ${BUFFERED_CHANGES_MAX.toLocaleString('en')} changes the older half goes`);
    expect(SPEC).toContain(`more than ${AUDITED_CHANGES_MAX.toLocaleString('en')} recorded changes`);
    expect(SPEC).toContain(`until ${SETTLED_BATCHES} batches have been applied`);
  });

  it('states a checksum that the code computes', () => {
    const { book } = L4Book.build('BTC', [[bid(412036241776, '81307.0', '0.18385')], []]);
    expect(SPEC).toContain(
      '`B 81307 412036241776 0.18385\\n` alone has the checksum `2057e4d14eabe9398d38f0ab03980b4e`',
    );
    expect(book.checksum()).toBe('2057e4d14eabe9398d38f0ab03980b4e');
  });

  it('names only files that exist', () => {
    const files = tableUnder('## Where each invariant').flatMap((row) => [
      ...row.join(' ').matchAll(/`([\w./-]+\.ts)`/g),
    ]);
    expect(files.length).toBeGreaterThan(10);
    const missing = files.filter(([, file = '']) => !existsSync(join(import.meta.dirname, file)));
    expect(missing).toEqual([]);
  });
});
