// Faults to plant, one at a time: each changes what a user gets, and the tests named beside it have to notice it.
// `find` stands exactly once in `file`; a change of that code brings its entry along (mutants.test.mjs holds that).
//
// The fields: `fault`, what a user would get; `file`; `find` and `replace`, texts; `tests`, the files that have to fail.

/** @type {readonly { fault: string, file: string, find: string, replace: string, tests: readonly string[] }[]} */
export const faults = [
  {
    fault: 'a tie is rounded to the even digit instead of up',
    file: 'packages/decimal/src/arithmetic.ts',
    find: 'return exact(text).toFixed(decimals, Decimal.ROUND_HALF_UP) as DecimalString;',
    replace: 'return exact(text).toFixed(decimals, Decimal.ROUND_HALF_EVEN) as DecimalString;',
    tests: ['packages/decimal/src/arithmetic.test.ts'],
  },
];
