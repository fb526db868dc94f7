import { KeptLog, until } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { SupervisedWorker } from './supervised-worker.ts';

/** Sends the number of its run, and exits with the code that it receives. */
const PROGRAM = `
  import { parentPort, workerData } from 'node:worker_threads';
  parentPort.postMessage(Atomics.add(new Int32Array(workerData), 0, 1) + 1);
  parentPort.on('message', (code) => process.exit(code));
`;

function supervised(restart: { readonly firstMs: number; readonly longestMs: number }) {
  const log = new KeptLog();
  const told: unknown[] = [];
  const worker = new SupervisedWorker<number, number>(
    {
      url: new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`),
      workerData: new SharedArrayBuffer(4),
      name: 'test',
      title: 'test worker',
      restart,
    },
    log,
    {
      started: () => told.push('started'),
      message: (run) => told.push(run),
      exited: () => told.push('exited'),
    },
  );
  return { worker, log, told, ran: (run: number) => until(`run ${run}`, () => told.includes(run)) };
}

test('a worker that exits is restarted until it is closed', async () => {
  const { worker, log, told, ran } = supervised({ firstMs: 1, longestMs: 1 });
  worker.start();
  worker.start();
  for (const run of [1, 2]) {
    await ran(run);
    worker.send(7);
  }
  await ran(3);
  await worker.close(0, 60_000);
  expect(told).toEqual(['started', 1, 'exited', 'started', 2, 'exited', 'started', 3]);
  const exits = log.lines.filter((line) => line.startsWith('error test worker exited, restarting {"code":7'));
  expect(exits).toHaveLength(2);
});

test('a worker can be started before its pause ends, and closed during it', async () => {
  const { worker, told, ran } = supervised({ firstMs: 600_000, longestMs: 600_000 });
  worker.start();
  for (const run of [1, 2]) {
    await ran(run);
    worker.send(7);
    await until('its exit', () => !worker.isRunning);
    if (run === 1) worker.start();
  }
  await worker.close(0, 60_000);
  worker.start();
  expect(worker.isRunning).toBe(false);
  expect(told).toEqual(['started', 1, 'exited', 'started', 2, 'exited']);
});
