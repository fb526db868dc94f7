/** The columns of a blocks frame, in file order. FORMAT.md describes what each holds. */
export const BLOCK_COLUMNS = [
  'heights',
  'times',
  'seqs',
  'prevSeqs',
  'changeCounts',
  'statusCounts',
  'checksums',
  'ops',
  'refs',
  'oids',
  'users',
  'addressKinds',
  'addresses',
  'priceDecimals',
  'prices',
  'sizeDecimals',
  'sizes',
  'statusRefs',
  'statusFlags',
  'statusNames',
  'statusTimes',
  'timestamps',
  'cloidKinds',
  'cloids',
  'shapes',
  'texts',
] as const;

/** The bits of a change's byte in `ops`. The lowest two are its kind. */
export const OP = { insert: 0, resize: 1, remove: 2, kinds: 3, ask: 4, explicit: 8, insertBefore: 16 } as const;

/** Values of `statusRefs`. Values from `first` on refer to a change of the block. */
export const STATUS_REF = { explicit: 0, json: 1, first: 2 } as const;

/** The bits of a status's byte in `statusFlags`. A set bit means that the field has its expected value and isn't written. */
export const SAME = {
  time: 1,
  user: 2,
  side: 4,
  px: 8,
  sz: 16,
  timestamp: 32,
  cloid: 64,
  shape: 128,
} as const;

/** Hexadecimal digits of a checksum. */
export const CHECKSUM_DIGITS = 32;

/** Digits of a status's time after the milliseconds of its block. */
export const TIME_DIGITS = 6;
