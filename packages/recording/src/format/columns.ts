import { ByteReader, ByteWriter } from './bytes.ts';

/**
 * The content of a frame is stored in columns, because values of one kind compress far better next to each other. Every column is
 * preceded by its length. A reader skips columns that a later version adds after those it knows.
 */
export type Columns<Name extends string> = Readonly<Record<Name, ByteWriter>>;

/** Returns empty columns in the order of their names. */
export function newColumns<Name extends string>(names: readonly Name[]): Columns<Name> {
  return Object.fromEntries(names.map((name) => [name, new ByteWriter()])) as Columns<Name>;
}

/** Returns the bytes of all columns and clears them. */
export function takeColumns<Name extends string>(names: readonly Name[], columns: Columns<Name>): Uint8Array {
  const out = new ByteWriter();
  out.varint(names.length);
  for (const name of names) {
    out.varint(columns[name].length);
    out.bytes(columns[name].written);
    columns[name].clear();
  }
  return out.written.slice();
}

/** Returns readers of the columns that `takeColumns` wrote. Throws RecordingError `damaged`. */
export function readColumns<Name extends string>(
  names: readonly Name[],
  bytes: Uint8Array,
): Readonly<Record<Name, ByteReader>> {
  const reader = new ByteReader(bytes);
  const count = reader.varint();
  const pieces: Uint8Array[] = [];
  for (let index = 0; index < count; index += 1) pieces.push(reader.bytes(reader.varint()));
  const entries = names.map((name, index) => [name, new ByteReader(pieces[index] ?? new Uint8Array())] as const);
  return Object.fromEntries(entries) as Record<Name, ByteReader>;
}
