import { Worker } from 'node:worker_threads';
import { RpcClient } from '@l4desk/runtime/node';
import { DatabaseError } from './database-error.ts';
import type { Parts, SpoolPlace, ThreadData, ThreadError, ThreadMessage, ThreadMethods } from './thread-messages.ts';

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
  const calls = new RpcClient<ThreadMethods, ThreadError>((request) => thread.postMessage(request), revive);
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
          resolve(Object.fromEntries(methods) as Parts[P]);
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

function revive({ code, message }: ThreadError): DatabaseError {
  return new DatabaseError(code, message);
}
