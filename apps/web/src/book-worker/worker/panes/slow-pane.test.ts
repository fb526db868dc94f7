import { L4Book } from '@l4desk/book';
import { describe, expect, it } from 'vitest';
import type { ShownBook } from './pane-context.ts';
import { SlowPane, SlowTurns } from './slow-pane.ts';

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

  it('responds at most four times a second, and says when it is next due', () => {
    const pane = new SlowPane(heightOf);
    expect(pane.respond(shown(1), ask, at(1_000))).toEqual({ response: 1 });
    expect(pane.respond(shown(2), ask, at(1_070))).toEqual({ dueInMs: 180 });
    expect(pane.respond(shown(3), ask, at(1_249))).toEqual({ dueInMs: 1 });
    expect(pane.respond(shown(4), ask, at(1_250))).toEqual({ response: 4 });
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

  it('shares a frame with one other slow pane, unless long overdue; a new request never waits', () => {
    const panes = [1, 2, 3].map(() => new SlowPane(heightOf));
    const responses = (height: number, ms: number, asked = ask) => {
      const turns = new SlowTurns();
      return panes.map((pane) => pane.respond(shown(height), asked, at(ms), turns));
    };
    const [none] = [{ dueInMs: 0 }];
    expect(responses(1, 1_000)).toEqual([{ response: 1 }, { response: 1 }, { response: 1 }]);
    expect(responses(2, 1_250)).toEqual([{ response: 2 }, { response: 2 }, none]);
    expect(responses(3, 1_320)).toEqual([{ dueInMs: 180 }, { dueInMs: 180 }, { response: 3 }]);
    expect(responses(4, 1_800)).toEqual([{ response: 4 }, { response: 4 }, { response: 4 }]);
    expect(responses(4, 1_801, { serial: 2 })).toEqual([{ response: 4 }, { response: 4 }, { response: 4 }]);
  });

  it('takes a whole frame if it is heavy, unless long overdue', () => {
    const panes = [
      new SlowPane(heightOf, { weight: 2 }),
      new SlowPane(heightOf),
      new SlowPane(heightOf, { weight: 2 }),
    ];
    const responses = (height: number, ms: number) => {
      const turns = new SlowTurns();
      return panes.map((pane) => pane.respond(shown(height), ask, at(ms), turns));
    };
    const none = { dueInMs: 0 };
    expect(responses(1, 1_000)).toEqual([{ response: 1 }, { response: 1 }, { response: 1 }]);
    expect(responses(2, 1_250)).toEqual([{ response: 2 }, none, none]);
    // After a light pane there is too little budget for a heavy one.
    expect(responses(3, 1_320)).toEqual([{ dueInMs: 180 }, { response: 3 }, none]);
    expect(responses(4, 1_390)).toEqual([{ dueInMs: 110 }, { dueInMs: 180 }, { response: 4 }]);
    expect(responses(5, 1_800)).toEqual([{ response: 5 }, { response: 5 }, { response: 5 }]);
  });

  it('keeps its pace when the same request is resent, as all are when any of them changes', () => {
    const pane = new SlowPane(heightOf);
    expect(pane.respond(shown(1), { serial: 1 }, at(1_000))).toEqual({ response: 1 });
    expect(pane.respond(shown(1), { serial: 1 }, at(1_010))).toBeUndefined();
    expect(pane.respond(shown(2), { serial: 1 }, at(1_070))).toEqual({ dueInMs: 180 });
  });

  it('waits no longer than one interval when the clock is set back', () => {
    const pane = new SlowPane(heightOf);
    pane.respond(shown(1), ask, at(50_000));
    expect(pane.respond(shown(2), ask, at(10_000))).toEqual({ dueInMs: 250 });
  });
});
