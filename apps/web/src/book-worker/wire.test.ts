import { BusyFeed } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import type { FromWorker } from './messages.ts';
import { InProcessWorker } from './test-support/in-process-worker.ts';
import { fromWire, toWire } from './wire.ts';

it('[WEB-31] what the panes show of a block travels unchanged', async () => {
  const messages: FromWorker[] = [];
  const worker = await InProcessWorker.start(new BusyFeed(500), {
    checksums: false,
    onMessage: (message) => messages.push(message),
  });
  for (let block = 0; block < 30; block += 1) worker.block();
  worker.close();
  const frames = messages.filter(({ kind }) => kind === 'frame');
  expect(frames.length).toBeGreaterThan(10);
  for (const frame of frames) expect(fromWire(toWire(frame))).toEqual(frame);
});
