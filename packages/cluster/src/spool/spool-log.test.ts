import { expect, it } from 'vitest';
import { spoolLog } from './spool-log.ts';
import type { SpoolHealth } from './spooling-ledger.ts';

/** A spool log, and its lines as level, fields and text. */
function logged(spoolMs: number) {
  const lines: (readonly [level: string, fields: object, text: string])[] = [];
  const to = (level: string) => (fields: object, text: string) => {
    lines.push([level, fields, text]);
  };
  const look = spoolLog({ log: { info: to('info'), warn: to('warn'), error: to('error') }, spoolMs });
  return { lines, look: (health: Partial<SpoolHealth>) => look({ ...HERE, ...health }) };
}

const HERE: SpoolHealth = { lostForMs: null, problem: null, waiting: 0, spooled: 0, replayed: 0 };

it('an outage of PostgreSQL is logged once, also when calls are refused, and so is its end', () => {
  const { lines, look } = logged(45_000);
  look({});
  look({ lostForMs: 900.4, problem: 'It cannot be reached.' });
  look({ lostForMs: 1_900, problem: 'It cannot be reached.', waiting: 3, spooled: 3 });
  look({ lostForMs: 45_000, problem: 'It cannot be reached.', waiting: 7, spooled: 7 });
  look({ lostForMs: 46_000, problem: 'It cannot be reached.', waiting: 7, spooled: 7 });
  look({ spooled: 7, replayed: 7 });
  look({ spooled: 7, replayed: 7 });
  expect(lines).toEqual([
    ['warn', { awayMs: 900, problem: 'It cannot be reached.' }, 'PostgreSQL is away, charges are spooled'],
    ['error', { awayMs: 45_000, problem: 'It cannot be reached.' }, 'PostgreSQL is away, calls are refused'],
    ['info', { awayMs: 46_000, batches: 7 }, 'PostgreSQL is back'],
  ]);
});

it('an outage between two looks is logged if charges were spooled, and one without a spool is an error at once', () => {
  const short = logged(45_000);
  short.look({ spooled: 2, replayed: 2 });
  expect(short.lines).toEqual([['info', { awayMs: 0, batches: 2 }, 'PostgreSQL is back']]);
  const none = logged(0);
  none.look({ lostForMs: 0, problem: 'It cannot be reached.' });
  expect(none.lines).toEqual([
    ['error', { awayMs: 0, problem: 'It cannot be reached.' }, 'PostgreSQL is away, calls are refused'],
  ]);
});
