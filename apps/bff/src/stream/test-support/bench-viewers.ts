import { Child } from '../../info/test-support/child.ts';

/** The subscriptions of the viewers. */
export interface Viewing {
  readonly url: string;
  /** The coins of each viewer. */
  readonly coins: readonly (readonly string[])[];
  /** Fields that each viewer adds to its subscription. */
  readonly fields: object;
}

/** What the viewers received since the last report. */
export interface ViewersReport {
  readonly frames: number;
  readonly bytes: number;
  readonly entries: number;
  /** Entries that did not follow the previous one of their coin. */
  readonly gaps: number;
  /** Time from a block's timestamp to its arrival in ms, sorted. */
  readonly lags: readonly number[];
  /** Connections that the service closed. */
  readonly closed: number;
}

/** Clients that read only the sequence numbers and arrival time of each entry. */
const MODULE = `
  import { WebSocket } from 'ws';
  const fresh = () => ({ frames: 0, bytes: 0, entries: 0, gaps: 0, lags: [], closed: 0 });
  let counts = fresh();
  const mark = /\\{"coin":"([^"]+)","seq":(\\d+),"prev_seq":(\\d+),"order_statuses":/g;
  const open = ({ url, coins, fields }) => Promise.all(coins.map((own) => new Promise((resolve) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    const seqs = new Map();
    socket.on('open', () => socket.send(JSON.stringify({ method: 'subscribe', subscription: { type: 'l4BookUpdates', coin: own, ...fields } })));
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

/** Viewers in a separate process. */
export class BenchViewers implements AsyncDisposable {
  readonly #child = new Child(MODULE);

  /** Connects and subscribes the viewers. Resolves when all are acknowledged. */
  async open(viewing: Viewing): Promise<void> {
    await this.#child.ask({ kind: 'open', ...viewing });
  }

  /** Returns what was received since the last report. */
  report(): Promise<ViewersReport> {
    return this.#child.ask({ kind: 'report' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]();
  }
}
