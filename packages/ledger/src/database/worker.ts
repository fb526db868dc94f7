import { parentPort, workerData } from 'node:worker_threads';
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
import type { Parts, ThreadCall, ThreadData, ThreadError, ThreadMessage } from './thread-messages.ts';

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
  let methods: ReadonlyMap<string, Method>;
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
    methods = methodsOf(served);
  } catch (error) {
    send({ kind: 'failed', error: threadError(error) });
    return;
  }
  const run = async ({ id, method, args }: ThreadCall): Promise<void> => {
    try {
      const act = methods.get(method);
      if (act === undefined) throw new Error(`no method ${method}`);
      send({ kind: 'result', id, value: await act(...args) });
    } catch (error) {
      send({ kind: 'refusal', id, error: threadError(error) });
    }
    if (method === 'close') port.close();
  };
  port.on('message', (call: ThreadCall) => void run(call));
  send({ kind: 'open', methods: [...methods.keys()] });
}

/** Returns the methods of a part's class, bound to it. */
function methodsOf(served: object): ReadonlyMap<string, Method> {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(served)).filter((name) => name !== 'constructor');
  return new Map(names.map((name) => [name, (Reflect.get(served, name) as Method).bind(served)]));
}

function threadError(error: unknown): ThreadError {
  if (error instanceof DatabaseError) return { code: error.code, message: error.message };
  return { code: 'failed', message: `The database failed: ${error instanceof Error ? error.message : String(error)}.` };
}

if (parentPort !== null) void main(parentPort);
