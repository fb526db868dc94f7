import { Child } from '../../info/test-support/child.ts';

/** What the viewers follow. */
export interface Viewing {
  readonly url: string;
  /** The coins of each viewer. */
  readonly coins: readonly (readonly string[])[];
  /** What each adds to its subscription. */
  readonly wish: object;
}

/** What the viewers received between two questions. */
export interface ViewersReport {
  readonly frames: number;
  readonly bytes: number;
  readonly entries: number;
  /** Entries that did not follow the one before of their coin. */
  readonly gaps: number;
  /** From the time in a block to its arrival, sorted, in ms. */
  readonly lags: readonly number[];
  /** Connections that the service closed. */
  readonly closed: number;
}

/** Clients that look at where each entry belongs and at when it came, and at nothing else. */
const MODULE = `
  import { WebSocket } from 'ws';
  const fresh = () => ({ frames: 0, bytes: 0, entries: 0, gaps: 0, lags: [], closed: 0 });
  let counts = fresh();
  const mark = /\\{"coin":"([^"]+)","seq":(\\d+),"prev_seq":(\\d+),"order_statuses":/g;
  const open = ({ url, coins, wish }) => Promise.all(coins.map((own) => new Promise((resolve) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    const seqs = new Map();
    socket.on('open', () => socket.send(JSON.stringify({ method: 'subscribe', subscription: { type: 'l4BookUpdates', coin: own, ...wish } })));
    socket.on('close', () => { counts.closed += 1; });
    socket.on('error', (error) => console.error(String(error)));
    socket.on('message', (data) => {
      const text = data.toString('latin1');
      if (!text.startsWith('{"channel":"l4BookUpdates"')) { if (text.includes('"error"')) console.error(text.slice(0, 300)); resolve(); return; }
      counts.lags.push(Date.now() - Number(text.slice(text.indexOf('"time":') + 7, text.indexOf(',', text.indexOf('"time":')))));
      counts.frames += 1;
      counts.bytes += data.length;
      for (const [, coin, seq, prevSeq] of text.matchAll(mark)) {
        counts.entries += 1;
        const last = seqs.get(coin);
        if (last !== undefined && last !== prevSeq) counts.gaps += 1;
        seqs.set(coin, seq);
      }
    });
  })));
  process.on('message', async (message) => {
    if (message.kind === 'open') { await open(message); process.send({}); return; }
    process.send({ ...counts, lags: counts.lags.sort((a, b) => a - b) });
    counts = fresh();
  });
  process.once('disconnect', () => process.exit(0));
`;

/** Viewers in a process of their own. */
export class BenchViewers implements AsyncDisposable {
  readonly #child = new Child(MODULE);

  /** Connects them and subscribes; resolves when each is acknowledged. */
  async open(viewing: Viewing): Promise<void> {
    await this.#child.ask({ kind: 'open', ...viewing });
  }

  /** What came since they were asked last. */
  report(): Promise<ViewersReport> {
    return this.#child.ask({ kind: 'report' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]();
  }
}
