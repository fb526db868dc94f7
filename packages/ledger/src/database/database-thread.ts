import { Worker } from 'node:worker_threads';
import { DatabaseError } from './database-error.ts';
import type { Parts, SpoolPlace, ThreadCall, ThreadData, ThreadError, ThreadMessage } from './thread-messages.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: DatabaseError) => void;
}

/**
 * Opens the database at a place (see `openDatabase`) in a thread of its own, for one part: `store`, `ledger` (the table of
 * `Ledger`) or `usage`. `workerUrl` is the thread's program: the bundled `@l4desk/ledger/worker`. `spool` is where the ledger's
 * charges go while PostgreSQL is unreachable. Rejects with DatabaseError if the database cannot be opened. If the thread dies
 * later, every call rejects from then on, and `onLost` is called once.
 */
export function openDatabaseThread<P extends keyof Parts>(
  part: P,
  workerUrl: URL,
  place: string,
  onLost: (error: DatabaseError) => void,
  spool?: SpoolPlace,
): Promise<Parts[P]> {
  const workerData: ThreadData = { place, part, spool };
  const thread = new Worker(workerUrl, { name: `database: ${part}`, workerData });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let end: DatabaseError | undefined;

  const call = (method: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (end !== undefined) {
        reject(end);
        return;
      }
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      const message: ThreadCall = { id: lastId, method, args };
      thread.postMessage(message);
    });

  return new Promise((resolve, reject) => {
    let closing = false;
    let opened = false;
    const ended = (error: DatabaseError) => {
      if (end !== undefined) return;
      end = error;
      for (const { reject: rejectCall } of waiting.values()) rejectCall(error);
      waiting.clear();
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
            (...args: readonly unknown[]) => {
              if (method === 'close') closing = true;
              return call(method, args);
            },
          ]);
          resolve(Object.fromEntries(methods) as Parts[P]);
          break;
        }
        case 'failed':
          ended(revive(message.error));
          break;
        case 'result':
        case 'refusal': {
          const caller = waiting.get(message.id);
          waiting.delete(message.id);
          if (message.kind === 'result') caller?.resolve(message.value);
          else caller?.reject(revive(message.error));
          break;
        }
      }
    });
  });
}

function revive({ code, message }: ThreadError): DatabaseError {
  return new DatabaseError(code, message);
}
