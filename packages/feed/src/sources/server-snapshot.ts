import { readServerMessage } from './server-message.ts';
import type { UpstreamSnapshot } from './source.ts';
import { openUpstream, problemOf } from './upstream-socket.ts';

/**
 * Fetches one coin's snapshot over a separate connection, which is closed afterwards. Calls `onProgress` whenever part of it
 * arrives. Rejects with one sentence without host names if the upstream does not respond, refuses, or the signal aborts.
 */
export function fetchServerSnapshot(
  url: string,
  coin: string,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<UpstreamSnapshot> {
  const socket = openUpstream(url, onProgress);
  return new Promise<UpstreamSnapshot>((resolve, reject) => {
    const fail = (problem: string) => reject(new Error(problem));
    const abort = () => fail('no snapshot in time');
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    socket.on('open', () => {
      socket.send(JSON.stringify({ method: 'subscribe', subscription: { type: 'l4Book', coin } }));
    });
    socket.on('message', (data: Buffer) => {
      const message = readServerMessage(data.toString(), () => false);
      // Whoever compares this snapshot does not read its time.
      if (message.kind === 'snapshot' && message.coin === coin) resolve({ ...message, time: message.time ?? 0 });
      else if (message.kind === 'error') fail(message.message);
      else if (message.kind === 'malformed') fail(message.problem);
    });
    socket.on('error', (error) => fail(problemOf(error)));
    socket.on('close', (code) => fail(`closed with ${code}`));
  }).finally(() => socket.terminate());
}
