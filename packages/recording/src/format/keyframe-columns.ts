/** The columns of a keyframe, in the order in which they lie there. FORMAT.md says what each holds. */
export const KEYFRAME_COLUMNS = [
  'head',
  'users',
  'addressKinds',
  'addresses',
  'priceDecimals',
  'prices',
  'sizeDecimals',
  'sizes',
  'oids',
  'timestamps',
  'cloidKinds',
  'cloids',
  'shapes',
  'extras',
  'texts',
] as const;
