/** Entry point of a database thread, for one part. */
import { parentPort, workerData } from 'node:worker_threads';
import { KyselyStore } from '../accounts/kysely-store.ts';
import { KyselyLedger } from '../credits/kysely-ledger.ts';
import { KyselyUsageReader } from '../usage/usage-reader.ts';
import { serveDatabase, type ThreadData } from './database-thread.ts';
import { openDatabase } from './open-database.ts';

const CLASSES = { store: KyselyStore, ledger: KyselyLedger, usage: KyselyUsageReader } as const;

if (parentPort === null) throw new Error('this program must run in a worker thread');
const { place, part }: ThreadData = workerData;
void serveDatabase(parentPort, async () => new CLASSES[part](await openDatabase(place)));
