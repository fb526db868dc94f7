import { type Compilable, type CompiledQuery, type DatabaseConnection, type RawBuilder, sql } from 'kysely';

type Value = string | number;

/** The position of a parameter in a query that is built once: one for all rows, by name, or one for each row. */
class Slot {
  readonly of: string | { readonly row: number; readonly column: number };

  constructor(of: Slot['of']) {
    this.of = of;
  }
}

/** A text parameter, given at each run. */
export function textSlot(name: string): RawBuilder<string> {
  return sql<string>`${new Slot(name)}`;
}

/** A number parameter, given at each run. */
export function numberSlot(name: string): RawBuilder<number> {
  return sql<number>`${new Slot(name)}`;
}

/** A value of one of the rows that are given at each run. */
export function rowSlot<T extends Value>(row: number, column: number): RawBuilder<T> {
  return sql<T>`${new Slot({ row, column })}`;
}

/** A query whose SQL is built once. Building and compiling a query costs more than running it in the database. */
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

/** The most rows of one statement. More rows take several statements. */
const ROWS_MAX = 64;

/** A query over any number of rows; with no rows it runs nothing. Its SQL is built once for each number of rows. */
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
