import { type Compilable, type CompiledQuery, type DatabaseConnection, type RawBuilder, sql } from 'kysely';

/** The place of a parameter in a query that is built once and run often. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
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

/** A query whose SQL is made once. Building and compiling one costs more than the database needs to run it. */
export class BuiltQuery<Row> {
  readonly #compiled: CompiledQuery<Row>;

  constructor(query: Compilable<Row>) {
    this.#compiled = query.compile();
  }

  async run(
    connection: DatabaseConnection,
    values: Readonly<Record<string, string | number>>,
  ): Promise<readonly Row[]> {
    const parameters = this.#compiled.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name] : parameter,
    );
    const { rows } = await connection.executeQuery<Row>({ ...this.#compiled, parameters });
    return rows;
  }
}
