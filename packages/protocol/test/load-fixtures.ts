import { readdirSync, readFileSync } from 'node:fs';

/** A value on the wire and the name of the schema that must accept or reject it. */
export interface Fixture {
  readonly name: string;
  readonly schema: string;
  readonly value: unknown;
}

/** The fixtures that every reader of their shape must accept (`valid`) or reject (`invalid`). */
export function loadFixtures(kind: 'valid' | 'invalid'): readonly Fixture[] {
  const folder = new URL(`../fixtures/${kind}/`, import.meta.url);
  return readdirSync(folder).map((file) => {
    const { schema, value } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Omit<Fixture, 'name'>;
    return { name: file.replace('.json', ''), schema, value };
  });
}
