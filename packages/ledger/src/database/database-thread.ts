import { type MessagePort, Worker } from 'node:worker_threads';
import {
  RpcClient,
  type RpcFailure,
  type RpcMethods,
  type RpcRequest,
  type RpcResponse,
  RpcServer,
} from '@l4desk/runtime/node';
import type { Store } from '../accounts/kysely-store.ts';
import type { LedgerTable } from '../credits/ledger-table.ts';
import type { UsageReader } from '../usage/usage-reader.ts';
import { DatabaseError } from './database-error.ts';

/** The parts that a database thread can serve, each over a connection of its own. */
export interface Parts {
  readonly store: Store;
  readonly ledger: LedgerTable;
  readonly usage: UsageReader;
}

/** What the program of a database thread is started with. `place`: see `openDatabase`. */
export interface ThreadData {
  readonly place: string;
  readonly part: keyof Parts;
}

/** A method as it is called over a port. The types of the proxy that sends the arguments have checked them. */
type Method = (...args: readonly unknown[]) => Promise<unknown>;
type Methods = Readonly<Record<string, Method>>;

/** A message from the thread: that it is open and with which methods, or why it failed, or the response to a call. */
type ThreadMessage =
  | { readonly kind: 'open'; readonly methods: readonly string[] }
  | { readonly kind: 'failed'; readonly error: RpcFailure }
  | RpcResponse;

/** Opens the database in a thread of its own, for one part. If the thread dies, every call rejects. */
export function openDatabaseThread<P extends keyof Parts>(
  part: P,
  workerUrl: URL,
  place: string,
  onLost: (error: DatabaseError) => void,
): Promise<Parts[P]> {
  const data: ThreadData = { place, part };
  return startDatabaseThread(part, workerUrl, data, onLost);
}

/** The same for any program that calls `serveDatabase` with an object of the type `Served`. */
export function startDatabaseThread<Served extends object>(
  name: string,
  workerUrl: URL,
  workerData: object,
  onLost: (error: DatabaseError) => void,
): Promise<Served> {
  const thread = new Worker(workerUrl, { name: `database: ${name}`, workerData });
  const calls = new RpcClient<Methods>((request) => thread.postMessage(request), revive);
  let hasEnded = false;

  return new Promise((resolve, reject) => {
    let closing = false;
    let opened = false;
    const ended = (error: DatabaseError) => {
      if (hasEnded) return;
      hasEnded = true;
      calls.end(error);
      if (!opened) reject(error);
      else if (!closing) onLost(error);
    };
    thread.on('error', (error) =>
      ended(new DatabaseError('failed', `The database thread failed: ${error.message}.`, error)),
    );
    thread.on('exit', () => ended(new DatabaseError('failed', 'The database is closed.')));
    thread.on('message', (message: ThreadMessage) => {
      switch (message.kind) {
        case 'open': {
          opened = true;
          const methods = message.methods.map((method) => [
            method,
            (...args: unknown[]) => {
              if (method === 'close') closing = true;
              return calls.call(method, args);
            },
          ]);
          resolve(Object.fromEntries(methods) as Served);
          break;
        }
        case 'failed':
          ended(revive(message.error));
          break;
        case 'result':
        case 'refused':
          calls.receive(message);
      }
    });
  });
}

/** Serves an object in a database thread: its calls are synchronous and must not block the loop that serves HTTP. */
export async function serveDatabase(port: MessagePort, open: () => Promise<object>): Promise<void> {
  const send = (message: ThreadMessage) => port.postMessage(message);
  let methods: RpcMethods<Methods>;
  try {
    methods = methodsOf(await open(), () => port.close());
  } catch (error) {
    const { code, message } = asDatabaseError(error);
    send({ kind: 'failed', error: { code, message } });
    return;
  }
  const calls = new RpcServer<Methods>(methods, send);
  port.on('message', (request: RpcRequest) => calls.receive(request));
  send({ kind: 'open', methods: Object.keys(methods) });
}

/** Returns the methods of an object's class, bound to it. `onClosed` is called after the response to `close`. */
function methodsOf(served: object, onClosed: () => void): RpcMethods<Methods> {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(served)).filter((name) => name !== 'constructor');
  return Object.fromEntries(
    names.map((name) => {
      const method = (Reflect.get(served, name) as Method).bind(served);
      const run = async (_signal: AbortSignal, ...args: readonly unknown[]) => {
        try {
          return await method(...args);
        } catch (error) {
          throw asDatabaseError(error);
        } finally {
          if (name === 'close') setImmediate(onClosed);
        }
      };
      return [name, run];
    }),
  );
}

function asDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  return new DatabaseError('failed', `The database failed: ${error instanceof Error ? error.message : String(error)}.`);
}

/** The other end of the port sends no other errors. */
function revive({ code, message }: RpcFailure): DatabaseError {
  return new DatabaseError(code as DatabaseError['code'], message);
}
