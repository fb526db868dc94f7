/** Entry point of the recorder's thread: follows coins like any viewer of the feed and writes them to files (`port.ts`). */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { decodeL4BookSnapshot, decodeUpdates } from '@l4desk/protocol';
import { backoffMs } from '@l4desk/runtime';
import { postedLog, RpcServer } from '@l4desk/runtime/node';
import { NO_COUNTERS, type RecordingsSettings } from './api.ts';
import { CoinRecorder, type RecorderNote } from './coin-recorder.ts';
import type { FromRecorder, RecorderCalls, ToRecorder } from './port.ts';
import { RecordingsFolder } from './recordings-folder.ts';

/** How often files are flushed, checked and reported. */
const TICK_MS = 1_000;

const REBUILD = { firstMs: 250, longestMs: 15_000 };

/** The limit on a file's size is never below this, whatever the bound on all files. */
const FILE_BYTES_LEAST = 4_194_304;

if (parentPort === null) throw new Error('this program must run in a worker thread');
await record(parentPort, workerData);

async function record(port: MessagePort, settings: RecordingsSettings): Promise<void> {
  const { coins, source, statuses, rotateMs, keepBytes } = settings;
  const send = (message: FromRecorder) => port.postMessage(message);
  const log = postedLog(send);
  const counts = { ...NO_COUNTERS };
  const counterOf = { block: 'blocks', gap: 'gaps', file: 'filesBegun', failure: 'failures' } as const;
  const folder = new RecordingsFolder(settings.folder, keepBytes);
  const recorders = new Map<string, CoinRecorder>();
  const deps = {
    folder,
    source,
    statuses,
    rotateMs,
    // Leaves room for a few files of each coin within the bound, so that removing one loses little.
    fileBytesMax: Math.max(FILE_BYTES_LEAST, Math.floor(keepBytes / (4 * Math.max(1, coins.length)))),
    now: Date.now,
    fetchSnapshot(coin: string, request: number, attempt: number) {
      const waitMs = attempt === 0 ? 0 : backoffMs(attempt, REBUILD, Math.random);
      setTimeout(() => send({ kind: 'fetch', coin, request }), waitMs);
    },
    note: (what: RecorderNote) => {
      counts[counterOf[what]] += 1;
    },
    log,
  };
  let size = { files: 0, bytes: 0 };
  let folderProblem: string | undefined;

  const written = () => new Set([...recorders.values()].flatMap(({ health }) => health.file ?? []));
  const checkFolder = () => {
    try {
      const removed = folder.prune(written());
      size = folder.size();
      if (removed.length > 0) {
        counts.filesRemoved += removed.length;
        log.info({ files: removed }, 'oldest recordings removed');
      }
      folderProblem = undefined;
    } catch (error) {
      // Logged once; the consequences are logged for each file.
      if (folderProblem === undefined) log.error({ err: error }, 'the folder of the recordings cannot be read');
      folderProblem = String(error);
    }
  };
  const report = () => {
    const states = [...recorders.values()].map(({ health }) => health);
    send({
      kind: 'health',
      health: { coins: states, files: size.files, fileBytes: size.bytes, counters: { ...counts } },
    });
  };
  const tick = () => {
    for (const recorder of recorders.values()) recorder.tick();
    checkFolder();
    report();
  };

  const calls = new RpcServer<RecorderCalls>({ list: () => folder.list(written()) }, send);
  const receive = (message: ToRecorder): void => {
    switch (message.kind) {
      case 'block': {
        const { epoch, height, time, entries, bytes } = message;
        for (const { coin, text, checksum } of entries) {
          const entry = JSON.parse(new TextDecoder().decode(text));
          const book_diffs = [checksum === undefined ? entry : { ...entry, checksum }];
          const { coins: batches } = decodeUpdates({ epoch, block_height: height, time, book_diffs });
          for (const batch of batches) recorders.get(coin)?.onBatch(batch);
        }
        send({ kind: 'taken', bytes });
        return;
      }
      case 'status':
        recorders.get(message.coin)?.onStatus(message.lost);
        return;
      case 'snapshot': {
        const { coin, request, bytes } = message;
        const text = new TextDecoder().decode(bytes);
        recorders.get(coin)?.onSnapshot(request, decodeL4BookSnapshot(JSON.parse(text), coin));
        report();
        return;
      }
      case 'snapshotFailed':
        recorders.get(message.coin)?.onSnapshotFailed(message.request, message.message);
        return;
      case 'behind':
        counts.fallenBehind += 1;
        for (const recorder of recorders.values()) recorder.onBehind();
        return;
      case 'call':
      case 'cancel':
        calls.receive(message);
        return;
      case 'close':
        clearInterval(timer);
        for (const recorder of recorders.values()) recorder.end();
        port.close();
    }
  };
  // Blocks queue in the port until the folder has been read.
  for (const coin of coins) {
    const after = await folder.lastOf(coin, source).catch((error: unknown) => {
      log.error({ coin, err: error }, 'earlier recordings cannot be read');
      return undefined;
    });
    recorders.set(coin, new CoinRecorder(coin, after, deps));
  }
  const timer = setInterval(tick, TICK_MS);
  port.on('message', receive);
  for (const recorder of recorders.values()) recorder.start();
  tick();
}
