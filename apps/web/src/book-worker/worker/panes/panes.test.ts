import { L4Book } from '@l4desk/book';
import { FakeClock } from '@l4desk/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PanesAsk, PanesFrame } from '../../panes.ts';
import { Past } from '../past/past.ts';
import type { ShownBook } from './pane-context.ts';
import { Panes } from './panes.ts';

const { book } = L4Book.build('BTC', [[], []]);

let clock: FakeClock;
let panes: Panes;
let height: number;
/** When a frame was requested although no block arrived, by the test's clock. */
let wanted: number[];
let onWanted: (() => void) | undefined;

beforeEach(() => {
  clock = new FakeClock(1_000);
  const later = (task: () => void, ms: number) => void clock.after(ms, task);
  const past = new Past({ live: () => undefined, reason: () => '', later, onBegun: () => {} });
  wanted = [];
  onWanted = undefined;
  const onDue = () => {
    wanted.push(clock.now());
    onWanted?.();
  };
  panes = new Panes({ past, now: clock.now, later, tick: () => '1', onDue });
  height = 0;
});

function frame(isBlock = true): PanesFrame {
  if (isBlock) height += 1;
  const position = { height, seq: height, epoch: 'e', blockTime: clock.now() };
  const shown: ShownBook = { book, position, frozen: false };
  return panes.frame(shown, { generation: 1, clock: clock.now(), at: clock.now(), sizeDecimals: 5 });
}

/** In frame order: one pane that responds once a second, one twice, one four times. */
const ALL: PanesAsk = {
  map: { serial: 1, bars: 4 },
  owners: { serial: 1, withinBps: '100', limit: 10 },
  figures: { serial: 1 },
};

describe('the slow panes of a frame', () => {
  it('request a frame without a block when the pane that is due first needs it', () => {
    panes.want(ALL);
    frame();
    clock.advance(67);
    const { map, owners, figures } = frame();
    expect([map, owners, figures]).toEqual([undefined, undefined, undefined]);
    clock.advance(5_000);
    // 250 ms after the first frame, plus the longest usual interval between frames.
    expect(wanted).toEqual([1_350]);
  });

  it('all get their turn after the last block', () => {
    panes.want(ALL);
    frame();
    clock.advance(67);
    frame();
    const turns: string[] = [];
    onWanted = () => {
      const { map, owners, figures } = frame(false);
      for (const [name, response] of Object.entries({ map, owners, figures })) {
        if (response !== undefined) turns.push(`${name} ${clock.now()}`);
      }
    };
    clock.advance(5_000);
    expect(turns).toEqual(['figures 1350', 'owners 1600', 'map 2100']);
    expect(wanted).toHaveLength(3);
  });

  it('replace the pending wait when a pane is due sooner', () => {
    panes.want({ map: ALL.map });
    frame();
    clock.advance(67);
    frame();
    panes.want(ALL);
    clock.advance(67);
    frame();
    clock.advance(67);
    frame();
    clock.advance(5_000);
    // First requested at 1,134; the wait for the map alone, until 2,100, is replaced.
    expect(wanted).toEqual([1_134 + 250 + 100]);
  });

  it('request no frame while frames arrive, or when no pane has anything newer to report', () => {
    panes.want(ALL);
    for (let block = 0; block < 100; block += 1) {
      frame();
      clock.advance(67);
    }
    expect(wanted).toEqual([]);
    panes.want({});
    frame();
    clock.advance(5_000);
    expect(wanted).toEqual([]);
  });
});
