import { expect, it } from 'vitest';
import { DrawTurns } from './draw-turns.ts';
import { Live } from './live.ts';
import type { LiveStatus } from './messages.ts';
import { liveStatus } from './test-support/live-status.ts';
import type { WireMessage } from './wire.ts';

const NOW = Date.UTC(2026, 4, 5, 17, 39, 12);

/** A page whose frames the test draws, and the block of each status that its listener received. */
function page() {
  const pictures: (() => void)[] = [];
  const heard: (number | undefined)[] = [];
  let listener: (event: MessageEvent<WireMessage>) => void = () => {};
  const worker = {
    postMessage: () => {},
    addEventListener: (type: string, added: (event: never) => void) => {
      if (type === 'message') listener = added as typeof listener;
    },
    terminate: () => {},
  };
  const live = new Live(
    () => worker,
    'simulated',
    new DrawTurns({ next: (draw) => void pictures.push(draw), isHidden: () => false }),
  );
  live.open();
  live.follow('BTC');
  live.subscribe(() => heard.push(live.status()?.position?.height));
  const send = (status: LiveStatus) => listener(new MessageEvent('message', { data: { kind: 'status', status } }));
  const picture = () => {
    for (const draw of pictures.splice(0)) draw();
  };
  return { live, send, picture, heard: () => heard.splice(0) };
}

const first = liveStatus(NOW);
const position = { ...first.position, height: 985_148_240, seq: 88_110, epoch: 'e', blockTime: NOW };
const before = { ...first, position: { ...position, height: 985_148_239 } };
const moved = { ...before, position, lastBlockAt: NOW, lastMessageAt: NOW, roundTripMs: 9, counts: undefined };

it('[WEB-101] stores a status that only reports progress at once, and notifies in its turn', () => {
  const { live, send, picture, heard } = page();
  send(before);
  expect(heard()).toEqual([985_148_239]);
  send(moved);
  expect(live.status()?.position?.height).toBe(985_148_240);
  expect(heard()).toEqual([]);
  picture();
  expect(heard()).toEqual([985_148_240]);
  picture();
  expect(heard()).toEqual([]);
});

it('[WEB-101] delays no status past the next one on a display slower than statuses arrive', () => {
  const { send, picture, heard } = page();
  send(before);
  send(moved);
  expect(heard()).toEqual([985_148_239]);
  send({ ...moved, position: { ...position, height: 985_148_244 } });
  expect(heard()).toEqual([985_148_244]);
  picture();
  expect(heard()).toEqual([]);
});

it.each<[string, Partial<LiveStatus>]>([
  ['its state', { state: { ...first.state, kind: 'stale' } }],
  ['the connection', { connection: { kind: 'open', since: NOW } }],
  ['a gap', { gaps: 1, lastGap: { at: NOW, detail: 'gap' } }],
  ['a held book', { frozen: { ...position, at: NOW, asked: undefined } }],
  ['a block to be held at', { holdAt: 985_148_999 }],
  ['a verification', { verification: { kind: 'running', since: NOW } }],
  ['another epoch', { position: { ...position, epoch: 'f' } }],
  ['no block', { position: undefined }],
])('[WEB-101] notifies of a status with news at once, and only once: %s', (_, news) => {
  const { send, picture, heard } = page();
  send(before);
  send(moved);
  heard();
  send({ ...moved, ...news });
  expect(heard()).toHaveLength(1);
  picture();
  expect(heard()).toEqual([]);
});
