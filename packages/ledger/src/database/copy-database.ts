import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { DatabaseError } from './database-error.ts';
import type { Tables } from './tables.ts';

/** Every table, referenced tables first, with its key and the columns whose sums are compared. */
const TABLES = [
  { name: 'accounts', key: ['id'], sums: ['max_credits', 'flex_limit', 'free_credits'] },
  { name: 'credentials', key: ['id'], sums: [] },
  { name: 'sessions', key: ['id'], sums: [] },
  { name: 'sign_in_tokens', key: ['token_hash'], sums: [] },
  { name: 'documents', key: ['account_id'], sums: [] },
  {
    name: 'usage',
    key: ['account_id', 'day', 'credential_id', 'kind'],
    sums: ['free_credits', 'premium_credits'],
  },
  { name: 'usage_months', key: ['account_id', 'month'], sums: ['free_credits', 'premium_credits'] },
  { name: 'charge_writers', key: ['writer'], sums: [] },
  { name: 'charge_replays', key: ['writer', 'number'], sums: [] },
] as const satisfies readonly Table[];

interface Table {
  readonly name: keyof Tables;
  readonly key: readonly string[];
  readonly sums: readonly string[];
}

/** Rows that are read and written together. Below the parameter limit of either database; a document can have 256 KiB. */
const PAGE_ROWS = 500;
const PAGE_DOCUMENTS = 20;

/** A row of any table: texts, numbers and null. */
type Row = Readonly<Record<string, string | number | null>>;

/** A table's rows, exact sums by column, and a digest over all values that does not depend on row order. */
export interface TableContent {
  readonly table: string;
  readonly rows: number;
  readonly sums: Readonly<Record<string, string>>;
  readonly digest: string;
}

/**
 * Copies everything to another database, of either kind, as one snapshot, and compares both. If the target has rows and
 * may not be replaced, or if the two differ, nothing is copied, and it rejects with DatabaseError.
 */
export function copyDatabase(
  source: Kysely<Tables>,
  target: Kysely<Tables>,
  { replace }: { readonly replace: boolean },
): Promise<readonly TableContent[]> {
  return source
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((from) =>
      target.transaction().execute(async (to) => {
        await empty(to, replace);
        const contents: TableContent[] = [];
        for (const table of TABLES) {
          await copyTable(from, to, table);
          const [before, after] = [await contentOf(from, table), await contentOf(to, table)];
          if (JSON.stringify(before) !== JSON.stringify(after))
            throw new DatabaseError('failed', `The table ${table.name} differs after the copy; nothing was kept.`);
          contents.push(after);
        }
        return contents;
      }),
    );
}

async function empty(target: Transaction<Tables>, replace: boolean): Promise<void> {
  for (const { name } of TABLES.toReversed()) {
    const found = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target);
    if (found.rows.length === 0) continue;
    if (!replace) throw new DatabaseError('failed', `The target is not empty: its table ${name} has rows.`);
    await sql`delete from ${sql.table(name)}`.execute(target);
  }
}

async function copyTable(from: Kysely<Tables>, to: Kysely<Tables>, table: Table): Promise<void> {
  for await (const rows of pages(from, table)) {
    const columns = Object.keys(rows[0] ?? {});
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`
      insert into ${sql.table(table.name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}`.execute(to);
  }
}

async function contentOf(db: Kysely<Tables>, table: Table): Promise<TableContent> {
  const sums = new Map(table.sums.map((column) => [column, 0n]));
  let count = 0;
  let digest = 0n;
  for await (const rows of pages(db, table)) {
    count += rows.length;
    for (const row of rows) {
      digest += BigInt(`0x${digestOf(row)}`);
      for (const [column, sum] of sums) sums.set(column, sum + BigInt(row[column] ?? 0));
    }
  }
  return {
    table: table.name,
    rows: count,
    sums: Object.fromEntries([...sums].map(([column, sum]) => [column, String(sum)])),
    digest: digest.toString(16),
  };
}

function digestOf(row: Row): string {
  const values = Object.keys(row)
    .toSorted()
    .map((column) => [column, row[column]]);
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

/** The rows of a table in the order of its key, one page at a time. */
async function* pages(db: Kysely<Tables>, { name, key }: Table): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const pageRows = name === 'documents' ? PAGE_DOCUMENTS : PAGE_ROWS;
  let after: Row | undefined;
  for (;;) {
    const last = after;
    const beyond =
      last === undefined ? sql`` : sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`;
    const { rows } = await sql<Row>`
      select * from ${sql.table(name)} ${beyond} order by ${columns} limit ${sql.lit(pageRows)}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1);
  }
}
