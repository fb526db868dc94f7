const POLYNOMIAL = 0xedb88320;

/** Eight tables, to process eight bytes at a time. */
const TABLES = makeTables();

function makeTables(): readonly Int32Array[] {
  const tables = Array.from({ length: 8 }, () => new Int32Array(256));
  const first = tables[0] as Int32Array;
  for (let value = 0; value < 256; value += 1) {
    let crc = value;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
    first[value] = crc;
  }
  for (let table = 1; table < 8; table += 1) {
    const [before, own] = [tables[table - 1] as Int32Array, tables[table] as Int32Array];
    for (let value = 0; value < 256; value += 1) {
      const crc = before[value] as number;
      own[value] = (crc >>> 8) ^ (first[crc & 0xff] as number);
    }
  }
  return tables;
}

/** Returns the CRC-32 of gzip and PNG (reflected 0xedb88320) as an unsigned 32-bit number. */
export function crc32(bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let crc = -1;
  let at = 0;
  const whole = bytes.length - (bytes.length % 8);
  for (; at < whole; at += 8) {
    const low =
      crc ^
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24));
    crc =
      (t7[low & 0xff] as number) ^
      (t6[(low >>> 8) & 0xff] as number) ^
      (t5[(low >>> 16) & 0xff] as number) ^
      (t4[low >>> 24] as number) ^
      (t3[bytes[at + 4] as number] as number) ^
      (t2[bytes[at + 5] as number] as number) ^
      (t1[bytes[at + 6] as number] as number) ^
      (t0[bytes[at + 7] as number] as number);
  }
  for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ (t0[(crc ^ (bytes[at] as number)) & 0xff] as number);
  return ~crc >>> 0;
}
