import { ByteReader, ByteWriter } from './bytes.ts';

/**
 * The content of a frame lies in columns, because values of one kind compress far better beside each other. Every column
 * has its length in front; a reader skips columns that a later version adds behind those it knows.
 */
export type Columns<Name extends string> = Readonly<Record<Name, ByteWriter>>;

/** Columns under construction, in the order of their names. */
export function newColumns<Name extends string>(names: readonly Name[]): Columns<Name> {
  return Object.fromEntries(names.map((name) => [name, new ByteWriter()])) as Columns<Name>;
}

/** The bytes of all columns; they are empty again afterwards. */
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

/** Readers of the columns that `takeColumns` wrote. Throws RecordingError `damaged`. */
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
