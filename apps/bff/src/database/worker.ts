import { parentPort, workerData } from 'node:worker_threads';
import { KyselyStore } from '../accounts/kysely-store.ts';
import { DatabaseError, openDatabase } from './libsql.ts';
import type { StoreCall, ThreadError, ThreadMessage } from './thread-messages.ts';

/**
 * The database's own thread: its calls are synchronous and wait for the disk, which must never stall the event loop
 * that answers HTTP. Calls are served in the order they come.
 */
async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  const send = (message: ThreadMessage) => port.postMessage(message);
  const { directory } = workerData as { directory: string };
  let store: KyselyStore;
  try {
    store = new KyselyStore(await openDatabase(directory));
  } catch (error) {
    send({ kind: 'failed', error: threadError(error) });
    return;
  }
  const answer = async ({ id, method, args }: StoreCall): Promise<void> => {
    const run = store[method].bind(store) as (...args: readonly unknown[]) => Promise<unknown>;
    try {
      send({ kind: 'answer', id, value: await run(...args) });
    } catch (error) {
      send({ kind: 'refusal', id, error: threadError(error) });
    }
    if (method === 'close') port.close();
  };
  port.on('message', (call: StoreCall) => void answer(call));
  send({ kind: 'open' });
}

function threadError(error: unknown): ThreadError {
  if (error instanceof DatabaseError) return { code: error.code, message: error.message };
  return { code: 'failed', message: `The database failed: ${error instanceof Error ? error.message : String(error)}.` };
}

if (parentPort !== null) void main(parentPort);
