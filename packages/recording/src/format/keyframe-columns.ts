/** The columns of a keyframe, in file order. FORMAT.md describes what each holds. */
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
