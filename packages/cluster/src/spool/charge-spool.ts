import { join } from 'node:path';
import { type Batch, type Charge, createDatabaseFile } from '@l4desk/ledger';
import { makeDirectory } from '@l4desk/runtime/node';
import Database from 'libsql';

interface Row {
  readonly writer: string;
  readonly number: number;
  readonly at: number;
  readonly charges: string;
}

/** Batches that wait for PostgreSQL, on disk when `add` returns. Synchronous: run it in its own thread. */
export class ChargeSpool {
  readonly #database: Database.Database;

  constructor(directory: string) {
    makeDirectory(directory);
    const path = join(directory, 'spool.db');
    createDatabaseFile(path);
    this.#database = new Database(path, { timeout: 5000 });
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full');
    this.#database.exec(
      'create table if not exists batches (writer text, number integer, at integer, charges text, primary key (writer, number))',
    );
  }

  add({ writer, number, at, charges }: Batch): void {
    this.#database
      .prepare('insert into batches (writer, number, at, charges) values (?, ?, ?, ?)')
      .run(writer, number, at, JSON.stringify(charges));
  }

  first(writer: string, count: number): readonly Batch[] {
    return this.#read('where writer = ? order by number limit ?', writer, count);
  }

  ofOthers(writer: string): readonly Batch[] {
    return this.#read('where writer <> ? order by writer, number', writer);
  }

  #read(which: string, ...parameters: readonly unknown[]): readonly Batch[] {
    const rows = this.#database.prepare(`select * from batches ${which}`).all(parameters) as Row[];
    return rows.map((row) => ({ ...row, charges: JSON.parse(row.charges) as readonly Charge[] }));
  }

  remove(batches: readonly Batch[]): void {
    const remove = this.#database.prepare('delete from batches where writer = ? and number = ?');
    this.#database.exec('begin immediate');
    for (const { writer, number } of batches) remove.run(writer, number);
    this.#database.exec('commit');
  }

  get size(): number {
    const [row] = this.#database.prepare('select count(*) as size from batches').all() as { readonly size: number }[];
    return row?.size ?? 0;
  }

  close(): void {
    this.#database.close();
  }
}
