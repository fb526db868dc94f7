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

  it('[WEB-52] is answered four times a second at most, and says when its next turn is', () => {
    const pane = new SlowPane(heightOf);
    expect(pane.answer(shown(1), ask, at(1_000))).toEqual({ answer: 1 });
    expect(pane.answer(shown(2), ask, at(1_070))).toEqual({ dueInMs: 180 });
    expect(pane.answer(shown(3), ask, at(1_249))).toEqual({ dueInMs: 1 });
    expect(pane.answer(shown(4), ask, at(1_250))).toEqual({ answer: 4 });
  });

  it('[WEB-52] is answered at once when what it asks changes, and when another book is shown', () => {
    const pane = new SlowPane(heightOf);
    pane.answer(shown(1), ask, at(1_000));
    expect(pane.answer(shown(1), { serial: 2 }, at(1_001))).toEqual({ answer: 1 });
    const frozen = shown(1, { book: other, frozen: true });
    const second = { serial: 3 };
    expect(pane.answer(frozen, second, at(1_002))).toEqual({ answer: 1 });
    expect(pane.answer({ ...frozen, position: shown(0).position }, second, at(1_003))).toEqual({ answer: 0 });
  });

  it('[WEB-52] says nothing where nothing is new or nothing is asked, and answers who asks again', () => {
    const pane = new SlowPane(heightOf);
    expect(pane.answer(shown(1), undefined, at(1_000))).toBeUndefined();
    expect(pane.answer(shown(1), ask, at(1_000))).toEqual({ answer: 1 });
    expect(pane.answer(shown(1), ask, at(9_000))).toBeUndefined();
    expect(pane.answer(shown(1), undefined, at(9_001))).toBeUndefined();
    expect(pane.answer(shown(1), ask, at(9_002))).toEqual({ answer: 1 });
  });

  it('[WEB-52] shares a frame with one other slow pane, unless it has waited for long; what is asked anew never waits', () => {
    const panes = [1, 2, 3].map(() => new SlowPane(heightOf));
    const answers = (height: number, ms: number, asked = ask) => {
      const turns = new SlowTurns();
      return panes.map((pane) => pane.answer(shown(height), asked, at(ms), turns));
    };
    const [none] = [{ dueInMs: 0 }];
    expect(answers(1, 1_000)).toEqual([{ answer: 1 }, { answer: 1 }, { answer: 1 }]);
    expect(answers(2, 1_250)).toEqual([{ answer: 2 }, { answer: 2 }, none]);
    expect(answers(3, 1_320)).toEqual([{ dueInMs: 180 }, { dueInMs: 180 }, { answer: 3 }]);
    expect(answers(4, 1_800)).toEqual([{ answer: 4 }, { answer: 4 }, { answer: 4 }]);
    expect(answers(4, 1_801, { serial: 2 })).toEqual([{ answer: 4 }, { answer: 4 }, { answer: 4 }]);
  });

  it('[WEB-52] has a frame to itself where it is heavy, unless it has waited for long', () => {
    const panes = [
      new SlowPane(heightOf, { weight: 2 }),
      new SlowPane(heightOf),
      new SlowPane(heightOf, { weight: 2 }),
    ];
    const answers = (height: number, ms: number) => {
      const turns = new SlowTurns();
      return panes.map((pane) => pane.answer(shown(height), ask, at(ms), turns));
    };
    const none = { dueInMs: 0 };
    expect(answers(1, 1_000)).toEqual([{ answer: 1 }, { answer: 1 }, { answer: 1 }]);
    expect(answers(2, 1_250)).toEqual([{ answer: 2 }, none, none]);
    // A light one leaves too little room for a heavy one.
    expect(answers(3, 1_320)).toEqual([{ dueInMs: 180 }, { answer: 3 }, none]);
    expect(answers(4, 1_390)).toEqual([{ dueInMs: 110 }, { dueInMs: 180 }, { answer: 4 }]);
    expect(answers(5, 1_800)).toEqual([{ answer: 5 }, { answer: 5 }, { answer: 5 }]);
  });

  it('[WEB-52] has its turns though the same question comes anew, as all do when any of them changes', () => {
    const pane = new SlowPane(heightOf);
    expect(pane.answer(shown(1), { serial: 1 }, at(1_000))).toEqual({ answer: 1 });
    expect(pane.answer(shown(1), { serial: 1 }, at(1_010))).toBeUndefined();
    expect(pane.answer(shown(2), { serial: 1 }, at(1_070))).toEqual({ dueInMs: 180 });
  });

  it('[WEB-52] waits no longer than its turn takes when the clock is set back', () => {
    const pane = new SlowPane(heightOf);
    pane.answer(shown(1), ask, at(50_000));
    expect(pane.answer(shown(2), ask, at(10_000))).toEqual({ dueInMs: 250 });
  });
});
