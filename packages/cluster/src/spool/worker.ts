/** Entry point of the ledger's thread in a service on PostgreSQL: charges go to a spool while PostgreSQL is away. */
import { parentPort, workerData } from 'node:worker_threads';
import { KyselyLedger, openDatabase, serveDatabase } from '@l4desk/ledger';
import { ChargeSpool } from './charge-spool.ts';
import type { SpoolSettings } from './index.ts';
import { SpoolingLedger } from './spooling-ledger.ts';

if (parentPort === null) throw new Error('this program must run in a worker thread');
const { place, directory, spoolMs }: SpoolSettings = workerData;
void serveDatabase(parentPort, async () => {
  const table = new KyselyLedger(await openDatabase(place));
  return new SpoolingLedger({ table, spool: new ChargeSpool(directory), spoolMs });
});
