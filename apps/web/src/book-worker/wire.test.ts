import type { DecimalString } from '@l4desk/protocol';
import { BusyFeed } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { must } from '../test-support/must.ts';
import type { FromWorker } from './messages.ts';
import type { PanesAsk, PanesFrame } from './panes.ts';
import { readText } from './read-text.ts';
import { InProcessWorker } from './test-support/in-process-worker.ts';
import { WireReader, WireWriter } from './wire.ts';

type PaneName = keyof PanesAsk;
type WireFrame = Extract<FromWorker, { kind: 'frame' }>;

/** A pane missing here is a type error. */
type EveryAsk = { readonly [Name in PaneName]-?: NonNullable<PanesAsk[Name]> };

/** Whether a response has a value for everything its pane can show of a live book. */
const IS_FILLED: { readonly [Name in PaneName]: (response: NonNullable<PanesFrame[Name]>) => boolean } = {
  level: ({ orders }) => orders.length > 0,
  lane: ({ order }) => order !== null,
  ruler: ({ bids, asks }) => bids.orders > 0 && asks.orders > 0,
  map: ({ bids, asks }) => bids.length > 0 && asks.length > 0,
  owners: ({ lens, requotes }) => lens.bids.owners.length > 0 && requotes !== null,
  figures: ({ figures }) => figures !== undefined,
  sweep: ({ orders }) => orders.length > 0,
  queues: ({ orders, chosen }) => orders.length > 0 && chosen !== null,
  time: ({ first }) => first !== undefined,
  tape: ({ rows }) => rows.length > 0,
  flow: ({ windows }) => windows.length > 0,
  life: ({ life, now }) => life !== null && now !== null,
  difference: ({ levels, orders }) => levels.length > 0 && orders.length > 0,
};

const isFilled = <Name extends PaneName>(name: Name, ask: EveryAsk[Name], response: PanesFrame[Name]) =>
  response?.serial === ask.serial && IS_FILLED[name](response);

it('[WEB-31] transfers each pane’s content unchanged', async () => {
  const messages: FromWorker[] = [];
  const feed = new BusyFeed(2_000);
  const worker = await InProcessWorker.start(feed, {
    checksums: false,
    onMessage: (message) => messages.push(message),
  });
  const [bids] = feed.levels();
  const { oid, user, limitPx } = must(bids[0]);
  const px = String(Number(limitPx)) as DecimalString;
  const level = { side: 'B', px, tick: '1' } as const;
  const asks: EveryAsk = {
    level: { serial: 101, level, view: null, from: 0, length: 40, anchors: [], chosen: { oid, place: 0 } },
    lane: { serial: 102, level, place: 0 },
    ruler: { serial: 103, tick: '1', low: '79000', high: '81000' },
    map: { serial: 104, bars: 20 },
    owners: { serial: 105, withinBps: '100', limit: 100 },
    figures: { serial: 106, tick: '1' },
    sweep: { serial: 107, side: 'buy', amount: { sz: '50' }, limit: 20 },
    queues: { serial: 108, limit: 20, chosen: oid },
    time: { serial: 109, bars: 20, heights: [feed.start.height + 2] },
    tape: { serial: 110, kinds: [], side: null, level: null, user: null, leastSz: null, limit: 100 },
    flow: { serial: 111, level },
    life: { serial: 112, oid },
    difference: { serial: 113, a: feed.start.height + 2, b: null, limit: 50 },
  };
  worker.tell({ kind: 'wallets', wallets: [must(user)] });
  worker.tell({ kind: 'panes', ask: asks });
  for (let block = 0; block < 60; block += 1) worker.block();
  worker.close();
  const frames = messages.filter((message) => message.kind === 'frame');
  expect(frames.length).toBeGreaterThan(20);
  const [writer, reader] = [new WireWriter(), new WireReader()];
  const room = new Set<ArrayBuffer>();
  for (const frame of frames) {
    const wired = writer.write(frame);
    if (wired.kind === 'frame') room.add(wired.panes.buffer);
    expect(reader.read(wired)).toEqual(frame);
    // As the page does with its next request: the same buffers go back and forth.
    writer.takeBack(must(reader.takeSpent()));
    expect(reader.takeSpent()).toBeUndefined();
  }
  expect(room.size).toBeLessThan(frames.length / 4);
  const names = Object.keys(asks) as PaneName[];
  const filled = names.filter((name) => frames.some(({ panes }) => isFilled(name, asks[name], panes[name])));
  expect(filled).toEqual(names);
});

it('[WEB-31] transfers text that is not ASCII unchanged, however long it is', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const digits = Array.from({ length: 10_000 }, (_, at) => at).join('');
  const whole = [511, 512, 513, 1_024, 10_000].map((length) => digits.slice(0, length));
  for (const text of ['', 'BTC', 'é € 😀', ...whole, `${digits}\u0080`]) expect(readText(bytes(text))).toBe(text);
});

it('[WEB-31] reads a frame the same whether the reused buffer was larger, smaller or too small', () => {
  const [writer, reader] = [new WireWriter(), new WireReader()];
  const frame = (coin: string) => ({ kind: 'frame', buffer: new ArrayBuffer(0), panes: { coin } }) as WireFrame;
  for (const coin of [
    'ETH',
    'x'.repeat(3_000),
    'BTC',
    'y'.repeat(40),
    'é'.repeat(2_000),
    '€'.repeat(9_000),
    'z'.repeat(9_000),
  ]) {
    expect(reader.read(writer.write(frame(coin)))).toEqual(frame(coin));
    writer.takeBack(must(reader.takeSpent()));
  }
});
