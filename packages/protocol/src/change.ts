import { type Address, DECIMAL_PATTERN, type DecimalString, isAddress, type Side } from './primitives.ts';
import { WireFormatError } from './wire-format-error.ts';

/**
 * One change of one resting order. `px` is where it rests, sizes are in base units, `insertBefore` is the oid that the
 * new order rests directly in front of (D31), and `S` is the side, with null if an upstream may omit it.
 */
export type BookChange<S extends Side | null = Side> = InsertChange<S> | ResizeChange<S> | RemoveChange<S>;

interface ChangeBase<S> {
  readonly oid: number;
  readonly user: Address;
  readonly side: S;
  readonly px: DecimalString;
}

export interface InsertChange<S = Side> extends ChangeBase<S> {
  readonly kind: 'insert';
  readonly sz: DecimalString;
  readonly insertBefore: number | null;
}

export interface ResizeChange<S = Side> extends ChangeBase<S> {
  readonly kind: 'resize';
  readonly origSz: DecimalString;
  readonly newSz: DecimalString;
}

export interface RemoveChange<S = Side> extends ChangeBase<S> {
  readonly kind: 'remove';
}

/** The object at `path`, or a WireFormatError. Checked by hand, because this runs for every diff of every block. */
export function readObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new WireFormatError(path, 'must be an object');
  }
  return value as Record<string, unknown>;
}

export function readArray(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new WireFormatError(path, 'must be an array');
  return value;
}

export function readString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new WireFormatError(path, 'must be a string');
  return value;
}

/** A non-negative integer that a double holds exactly: heights, times, oids, sequences. */
export function readWhole(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new WireFormatError(path, 'must be a non-negative integer');
  }
  return value;
}

function readDecimal(value: unknown, path: string): DecimalString {
  if (typeof value !== 'string' || !DECIMAL_PATTERN.test(value)) {
    throw new WireFormatError(path, 'must be a decimal string');
  }
  return value as DecimalString;
}

/** Sizes and prices of a book are never negative. */
function readAmount(value: unknown, path: string): DecimalString {
  const text = readDecimal(value, path);
  if (text.startsWith('-')) throw new WireFormatError(path, 'must not be negative');
  return text;
}

function readSide(value: unknown, path: string): Side | null {
  if (value === 'B' || value === 'A') return value;
  if (value === undefined || value === null) return null;
  throw new WireFormatError(path, 'must be B or A');
}

/** Reads one wire diff of `coin`. A missing side becomes null. Throws WireFormatError. */
export function readChange(value: unknown, coin: string, path: string): BookChange<Side | null> {
  const diff = readObject(value, path);
  if (diff.coin !== coin) throw new WireFormatError(`${path}.coin`, `must be ${coin}`);
  if (!isAddress(diff.user)) throw new WireFormatError(`${path}.user`, 'must be a wallet address');
  const side = readSide(diff.side, `${path}.side`);
  const oid = readWhole(diff.oid, `${path}.oid`);
  const px = readAmount(diff.px, `${path}.px`);
  const base = { oid, user: diff.user, side, px };
  const raw = diff.raw_book_diff;
  if (raw === 'remove') return { kind: 'remove', ...base };
  const rawPath = `${path}.raw_book_diff`;
  const descriptor = readObject(raw, rawPath);
  if (descriptor.new !== undefined) {
    const insert = readObject(descriptor.new, `${rawPath}.new`);
    const before = insert.insertBefore ?? null;
    return {
      kind: 'insert',
      ...base,
      sz: readAmount(insert.sz, `${rawPath}.new.sz`),
      insertBefore: before === null ? null : readWhole(before, `${rawPath}.new.insertBefore`),
    };
  }
  if (descriptor.update !== undefined) {
    const resize = readObject(descriptor.update, `${rawPath}.update`);
    return {
      kind: 'resize',
      ...base,
      origSz: readAmount(resize.origSz, `${rawPath}.update.origSz`),
      newSz: readAmount(resize.newSz, `${rawPath}.update.newSz`),
    };
  }
  throw new WireFormatError(rawPath, 'must be new, update or "remove"');
}
