/** The columns of a frame of blocks, in the order in which they lie there. FORMAT.md says what each holds. */
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

/** The bits of a change's byte in `ops`; the two lowest are its kind. */
export const OP = { insert: 0, resize: 1, remove: 2, kinds: 3, ask: 4, explicit: 8, insertBefore: 16 } as const;

/** What `statusRefs` holds where it is no reference to a change of the block. */
export const STATUS_REF = { explicit: 0, json: 1, first: 2 } as const;

/** The bits of a status's byte in `statusFlags`: what is as expected and isn't written. */
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

/** Digits of a checksum in hexadecimal. */
export const CHECKSUM_DIGITS = 32;

/** Digits that a status's time has behind its block's milliseconds. */
export const TIME_DIGITS = 6;
