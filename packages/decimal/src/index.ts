/** Exact arithmetic on decimal strings; the only package that knows decimal.js. */
export * from './arithmetic.ts';
export * from './compound.ts';
export * from './units.ts';
