import { Child } from './child.ts';

/** The load: the bodies are sent in rotation, with one call at a time per connection. */
export interface Load {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
  readonly connections: number;
  /** Total number of calls. */
  readonly calls: number;
  /** Rate at which calls begin. Default: as fast as possible. */
  readonly perSecond?: number;
  /** Reads the largest "took" of each response: the upstream time of its slowest part. */
  readonly readsTook?: boolean;
}

export interface LoadResult {
  /** From the first call to the last response. */
  readonly ms: number;
  /** Latency of each call in ms, minus the largest "took" if it was read. */
  readonly latencies: readonly number[];
  readonly failures: number;
}

/** Makes calls over raw sockets. */
const MODULE = `
  import { connect } from 'node:net';
  import { once } from 'node:events';
  process.on('message', async ({ port, headers, bodies, connections, calls, perSecond, readsTook }) => {
    const lines = Object.entries(headers).map(([name, value]) => name + ': ' + value + '\\r\\n').join('');
    const requests = bodies.map((body) => Buffer.from(
      'POST /info HTTP/1.1\\r\\nHost: bench\\r\\nContent-Type: application/json\\r\\nContent-Length: ' + Buffer.byteLength(body) + '\\r\\n' + lines + '\\r\\n' + body));
    const latencies = [];
    let next = 0, failures = 0;
    const sockets = [];
    for (let n = 0; n < connections; n += 1) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.setNoDelay(true);
      sockets.push(socket);
    }
    const began = performance.now();
    const due = (number) => perSecond === undefined ? 0 : began + number * 1000 / perSecond - performance.now();
    await Promise.all(sockets.map((socket) => new Promise((resolve) => {
      let sentAt = 0, chunks = [], size = 0, needed = Infinity, headLength = 0;
      const send = () => {
        const number = next++;
        if (number >= calls) { socket.destroy(); resolve(); return; }
        const go = () => { sentAt = performance.now(); socket.write(requests[number % requests.length]); };
        const wait = due(number);
        if (wait > 1) setTimeout(go, wait); else go();
      };
      socket.on('data', (chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (needed === Infinity) {
          const text = chunks.length === 1 ? chunk.toString('latin1', 0, 2000) : Buffer.concat(chunks).toString('latin1', 0, 2000);
          const end = text.indexOf('\\r\\n\\r\\n');
          if (end < 0) return;
          if (!text.startsWith('HTTP/1.1 200')) { failures += 1; if (failures === 1) console.error(text); }
          headLength = end + 4;
          needed = headLength + Number(/content-length: (\\d+)/i.exec(text)[1]);
        }
        if (size < needed) return;
        let latency = performance.now() - sentAt;
        if (readsTook) {
          let most = 0;
          for (const [, took] of Buffer.concat(chunks).toString('latin1').matchAll(/"took":([\\d.]+)/g)) most = Math.max(most, Number(took));
          latency -= most;
        }
        latencies.push(latency);
        chunks = []; size = 0; needed = Infinity;
        send();
      });
      send();
    })));
    process.send({ ms: performance.now() - began, latencies, failures });
  });
  process.once('disconnect', () => process.exit(0));
`;

/** Makes calls from a separate process. */
export class LoadGenerator implements AsyncDisposable {
  readonly #child = new Child(MODULE);

  async run(load: Load): Promise<LoadResult> {
    const result = await this.#child.ask<LoadResult>(load);
    if (result.failures > 0) throw new Error(`${result.failures} of ${load.calls} calls failed`);
    return result;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]();
  }
}

export function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}
