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
/** When frames were wanted though no block came, by the clock of the test. */
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
  panes = new Panes({ past, now: clock.now, later, onDue });
  height = 0;
});

function frame(isBlock = true): PanesFrame {
  if (isBlock) height += 1;
  const position = { height, seq: height, epoch: 'e', blockTime: clock.now() };
  const shown: ShownBook = { book, position, frozen: false };
  return panes.frame(shown, { generation: 1, clock: clock.now(), at: clock.now(), sizeDecimals: 5 });
}

/** In the order of a frame: one a second, one twice a second, one four times. */
const ALL: PanesAsk = {
  map: { serial: 1, bars: 4 },
  owners: { serial: 1, withinBps: '100', limit: 10 },
  figures: { serial: 1, tick: '1' },
};

describe('the slow panes of a frame', () => {
  it('[WEB-52] the one that is due first decides when a frame is wanted, though no block comes', () => {
    panes.want(ALL);
    frame();
    clock.advance(67);
    expect(frame()).toMatchObject({ map: undefined, owners: undefined, figures: undefined });
    clock.advance(5_000);
    // 250 ms after the first frame, and as long again as frames may be apart.
    expect(wanted).toEqual([1_350]);
  });

  it('[WEB-52] each of them has its turn behind the last block', () => {
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

  it('[WEB-52] one that is due sooner than what was waited for is waited for instead', () => {
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
    // Asked at 1,134 for the first time; what the map alone was waited for, at 2,100, is void.
    expect(wanted).toEqual([1_134 + 250 + 100]);
  });

  it('[WEB-52] nobody asks for a frame while frames come, nor where no pane has anything newer to say', () => {
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
