import { parentPort, workerData } from 'node:worker_threads';
import { type RpcMethods, type RpcRequest, RpcServer } from '@l4desk/runtime/node';
import type { Kysely } from 'kysely';
import { KyselyStore } from '../accounts/kysely-store.ts';
import { ChargeSpool } from '../credits/charge-spool.ts';
import { KyselyLedger } from '../credits/kysely-ledger.ts';
import { SpoolingLedger } from '../credits/spooling-ledger.ts';
import { KyselyUsageReader } from '../usage/usage-reader.ts';
import { DatabaseError } from './database-error.ts';
import { openDatabase } from './open-database.ts';
import { isPostgresUrl } from './postgres-url.ts';
import type { Tables } from './tables.ts';
import type { Parts, ThreadData, ThreadError, ThreadMessage, ThreadMethods } from './thread-messages.ts';

/** Creates each part over a connection. */
const SERVED = {
  store: (db) => new KyselyStore(db),
  ledger: (db) => new KyselyLedger(db),
  usage: (db) => new KyselyUsageReader(db),
} as const satisfies { readonly [P in keyof Parts]: (db: Kysely<Tables>) => Parts[P] };

/** A method as the thread calls it. The types of the proxy that sent the arguments have checked them. */
type Method = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * A database thread. Its calls are synchronous and wait for the disk, which must never block the event loop that serves HTTP.
 * Calls are served in the order in which they arrive.
 */
async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  const send = (message: ThreadMessage) => port.postMessage(message);
  const { place, part, spool } = workerData as ThreadData;
  let methods: RpcMethods<ThreadMethods>;
  try {
    const db = await openDatabase(place);
    const served =
      part === 'ledger' && spool !== undefined && isPostgresUrl(place)
        ? new SpoolingLedger({
            table: new KyselyLedger(db),
            spool: new ChargeSpool(spool.directory),
            spoolMs: spool.spoolMs,
          })
        : SERVED[part](db);
    methods = methodsOf(served, () => port.close());
  } catch (error) {
    send({ kind: 'failed', error: threadError(error) });
    return;
  }
  const calls = new RpcServer<ThreadMethods, ThreadError>(methods, { respond: send, errorOf: threadError });
  port.on('message', (request: RpcRequest) => calls.receive(request));
  send({ kind: 'open', methods: Object.keys(methods) });
}

/** Returns the methods of a part's class, bound to it. `onClosed` is called after the response to `close`. */
function methodsOf(served: object, onClosed: () => void): RpcMethods<ThreadMethods> {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(served)).filter((name) => name !== 'constructor');
  return Object.fromEntries(
    names.map((name) => {
      const method = (Reflect.get(served, name) as Method).bind(served);
      const run = async (_signal: AbortSignal, ...args: readonly unknown[]) => {
        try {
          return await method(...args);
        } finally {
          if (name === 'close') setImmediate(onClosed);
        }
      };
      return [name, run];
    }),
  );
}

function threadError(error: unknown): ThreadError {
  if (error instanceof DatabaseError) return { code: error.code, message: error.message };
  return { code: 'failed', message: `The database failed: ${error instanceof Error ? error.message : String(error)}.` };
}

if (parentPort !== null) void main(parentPort);
