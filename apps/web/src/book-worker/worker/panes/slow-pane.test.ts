import { L4Book } from '@l4desk/book';
import { describe, expect, it } from 'vitest';
import type { ShownBook } from './pane-context.ts';
import { SlowPane } from './slow-pane.ts';

const { book } = L4Book.build('BTC', [[], []]);
const { book: other } = L4Book.build('BTC', [[], []]);

const shown = (height: number, more: Partial<ShownBook> = {}): ShownBook => ({
  book,
  position: { height, seq: height, epoch: 'e', blockTime: height },
  frozen: false,
  ...more,
});
const at = (ms: number) => ({ at: ms, clock: ms });

describe('a slow pane', () => {
  const heightOf = ({ position }: ShownBook) => position.height;
  const ask = { serial: 1 };

  it('responds no more often than it is due, and says that it has something newer', () => {
    const pane = new SlowPane(heightOf, { everyMs: 500 });
    expect(pane.respond(shown(1), ask, at(1_000))).toEqual({ response: 1 });
    expect(pane.respond(shown(2), ask, at(1_070))).toBe('later');
    expect(pane.respond(shown(3), ask, at(1_499))).toBe('later');
    expect(pane.respond(shown(4), ask, at(1_500))).toEqual({ response: 4 });
  });

  it('responds at once when its request changes, or another book is shown', () => {
    const pane = new SlowPane(heightOf);
    pane.respond(shown(1), ask, at(1_000));
    expect(pane.respond(shown(1), { serial: 2 }, at(1_001))).toEqual({ response: 1 });
    const frozen = shown(1, { book: other, frozen: true });
    const second = { serial: 3 };
    expect(pane.respond(frozen, second, at(1_002))).toEqual({ response: 1 });
    expect(pane.respond({ ...frozen, position: shown(0).position }, second, at(1_003))).toEqual({ response: 0 });
  });

  it('returns nothing when nothing is new or requested, and responds again after a new request', () => {
    const pane = new SlowPane(heightOf);
    expect(pane.respond(shown(1), undefined, at(1_000))).toBeUndefined();
    expect(pane.respond(shown(1), ask, at(1_000))).toEqual({ response: 1 });
    expect(pane.respond(shown(1), ask, at(9_000))).toBeUndefined();
    expect(pane.respond(shown(1), undefined, at(9_001))).toBeUndefined();
    expect(pane.respond(shown(1), ask, at(9_002))).toEqual({ response: 1 });
  });

  it('keeps its pace when the same request is resent, as all are when any of them changes', () => {
    const pane = new SlowPane(heightOf);
    expect(pane.respond(shown(1), { serial: 1 }, at(1_000))).toEqual({ response: 1 });
    expect(pane.respond(shown(1), { serial: 1 }, at(1_010))).toBeUndefined();
    expect(pane.respond(shown(2), { serial: 1 }, at(1_070))).toEqual('later');
  });

  it('waits no longer than one interval when the clock is set back', () => {
    const pane = new SlowPane(heightOf);
    pane.respond(shown(1), ask, at(50_000));
    expect(pane.respond(shown(2), ask, at(10_000))).toBe('later');
    expect(pane.respond(shown(2), ask, at(10_000))).toBe('later');
  });
});
