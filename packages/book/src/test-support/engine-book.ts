import type { BookChange, BookLevels, OrderStatus } from '@l4desk/protocol';
import { BlockDetails } from '../engine/details.ts';
import { type Engine, OUT_OF_RANGE } from '../engine/engine.ts';
import { ExactEngine } from '../exact/exact-engine.ts';
import { FastEngine } from '../fast/fast-engine.ts';
import type { Finding } from '../finding.ts';

/** Both engines, by the names that test titles show. */
export const ENGINES: readonly (readonly [name: string, create: () => Engine])[] = [
  ['fast engine', () => new FastEngine('BTC')],
  ['exact engine', () => new ExactEngine('BTC')],
];

export const BLOCK_TIME = 1_778_002_753_000;

/** Applies one block to an engine as the book does; throws if a number is out of its range. */
export function applyTo(
  engine: Engine,
  changes: readonly BookChange[],
  statuses: readonly OrderStatus[] = [],
): readonly Finding[] {
  const findings: Finding[] = [];
  const done = engine.apply(changes, 0, new BlockDetails(statuses, BLOCK_TIME), findings);
  if (done < changes.length) throw new Error(`change ${done} is out of range`);
  const crossed = engine.crossed();
  return crossed === undefined ? findings : [...findings, crossed];
}

export function appendAll(engine: Engine, levels: BookLevels): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [index, side] of (['B', 'A'] as const).entries()) {
    for (const order of levels[index as 0 | 1]) {
      const outcome = engine.append(side, order);
      if (outcome === OUT_OF_RANGE) throw new Error(`order ${order.oid} is out of range`);
      if (outcome !== undefined) findings.push(outcome);
    }
  }
  return findings;
}
