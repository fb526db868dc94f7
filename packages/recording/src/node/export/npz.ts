import { closeSync, openSync, writeSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { crc32 } from '../../format/crc32.ts';

/**
 * The fields of an event in hftbacktest 2: 64 bytes, little-endian. `ev` holds the kind and flags, times are in ns, and `px` and
 * `qty` are floats.
 */
const EVENT_FIELDS = [
  ['ev', '<u8'],
  ['exch_ts', '<i8'],
  ['local_ts', '<i8'],
  ['px', '<f8'],
  ['qty', '<f8'],
  ['order_id', '<u8'],
  ['ival', '<i8'],
  ['fval', '<f8'],
] as const;

export const EVENT_BYTES = EVENT_FIELDS.length * 8;

/**
 * Writes the events as one array, `data`, of a NumPy archive: a ZIP file with one `.npy`. Throws the system's error, such as
 * `EEXIST` if the file exists already.
 */
export function writeNpz(path: string, events: Uint8Array): void {
  const header = npyHeader(events.length / EVENT_BYTES);
  const content = new Uint8Array(header.length + events.length);
  content.set(header);
  content.set(events, header.length);
  const deflated = deflateRawSync(content, { level: 6 });
  const name = Buffer.from('data.npy');
  const crc = crc32(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  zipFields(local, 4, { crc, stored: deflated.length, size: content.length, nameLength: name.length });
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(ZIP_VERSION, 4);
  zipFields(central, 6, { crc, stored: deflated.length, size: content.length, nameLength: name.length });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + deflated.length, 16);
  const fd = openSync(path, 'wx');
  try {
    for (const part of [local, name, deflated, central, name, end])
      for (let at = 0; at < part.length; ) at += writeSync(fd, part, at);
  } finally {
    closeSync(fd);
  }
}

const ZIP_VERSION = 20;
const ZIP_DEFLATED = 8;
/** 1 January 1980, fixed so that equal content gives an equal file. */
const ZIP_DATE = 0x21;

interface ZipEntry {
  readonly crc: number;
  readonly stored: number;
  readonly size: number;
  readonly nameLength: number;
}

/** Writes the fields that a ZIP file stores twice per entry: before it, and in its directory. */
function zipFields(bytes: Buffer, at: number, { crc, stored, size, nameLength }: ZipEntry): void {
  bytes.writeUInt16LE(ZIP_VERSION, at);
  bytes.writeUInt16LE(ZIP_DEFLATED, at + 4);
  bytes.writeUInt16LE(ZIP_DATE, at + 8);
  bytes.writeUInt32LE(crc, at + 10);
  bytes.writeUInt32LE(stored, at + 14);
  bytes.writeUInt32LE(size, at + 18);
  bytes.writeUInt16LE(nameLength, at + 22);
}

/** Version 1.0 of the .npy format: magic, length, and a Python literal padded to a multiple of 64 bytes. */
function npyHeader(rows: number): Uint8Array {
  const fields = EVENT_FIELDS.map(([name, type]) => `('${name}', '${type}')`).join(', ');
  const text = `{'descr': [${fields}], 'fortran_order': False, 'shape': (${rows},), }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64;
  const bytes = Buffer.alloc(length, 0x20);
  bytes.write('\x93NUMPY\x01\x00', 0, 'latin1');
  bytes.writeUInt16LE(length - 10, 8);
  bytes.write(text, 10, 'latin1');
  bytes[length - 1] = 0x0a;
  return bytes;
}
