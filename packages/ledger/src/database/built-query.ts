import { type Compilable, type CompiledQuery, type DatabaseConnection, type RawBuilder, sql } from 'kysely';

/** A value of a parameter. */
type Value = string | number;

/** The place of a parameter in a query that is built once and run often: of all rows, by its name, or of one row, by its column. */
class Slot {
  readonly of: string | { readonly row: number; readonly column: number };

  constructor(of: Slot['of']) {
    this.of = of;
  }
}

/** A text that is given at each run. */
export function textSlot(name: string): RawBuilder<string> {
  return sql<string>`${new Slot(name)}`;
}

/** A number that is given at each run. */
export function numberSlot(name: string): RawBuilder<number> {
  return sql<number>`${new Slot(name)}`;
}

/** A value of one of the rows that are given at each run. */
export function rowSlot<T extends Value>(row: number, column: number): RawBuilder<T> {
  return sql<T>`${new Slot({ row, column })}`;
}

/** A query whose SQL is made once. Building and compiling one costs more than the database needs to run it. */
export class BuiltQuery<Row> {
  readonly #compiled: CompiledQuery<Row>;

  constructor(query: Compilable<Row>) {
    this.#compiled = query.compile();
  }

  async run(
    connection: DatabaseConnection,
    values: Readonly<Record<string, Value>>,
    given: readonly (readonly Value[])[] = [],
  ): Promise<readonly Row[]> {
    const parameters = this.#compiled.parameters.map((parameter) => {
      if (!(parameter instanceof Slot)) return parameter;
      const { of } = parameter;
      return typeof of === 'string' ? values[of] : given[of.row]?.[of.column];
    });
    const { rows } = await connection.executeQuery<Row>({ ...this.#compiled, parameters });
    return rows;
  }
}

/** Rows of one statement at most; more go in several. */
const ROWS_MAX = 64;

/** A query over any number of rows, none at all for none; its SQL is made once for each number. */
export class BuiltQueries<Row> {
  readonly #build: (rows: number) => Compilable<Row>;
  readonly #built: BuiltQuery<Row>[] = [];

  constructor(build: (rows: number) => Compilable<Row>) {
    this.#build = build;
  }

  async run(
    connection: DatabaseConnection,
    values: Readonly<Record<string, Value>>,
    given: readonly (readonly Value[])[],
  ): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let start = 0; start < given.length; start += ROWS_MAX) {
      const part = given.slice(start, start + ROWS_MAX);
      const query = (this.#built[part.length] ??= new BuiltQuery(this.#build(part.length)));
      rows.push(...(await query.run(connection, values, part)));
    }
    return rows;
  }
}
