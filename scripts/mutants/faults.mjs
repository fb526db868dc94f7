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
  {
    fault: 'a negative holding counts as dust and is hidden',
    file: 'apps/web/src/features/balances/pivot.ts',
    find: 'return units !== undefined && (units > limit || units < 0n);',
    replace: 'return units !== undefined && units > limit;',
    tests: ['apps/web/src/features/balances/pivot.test.ts'],
  },
  {
    fault: 'a funding rate of an uneven interval is put into a unit by whole intervals alone',
    file: 'apps/web/src/features/funding/rates.ts',
    find: ': divide(total, whole(interval), UNEVEN_DECIMALS);',
    replace: ': multiply(rate, whole(Math.floor(span / interval)));',
    tests: ['apps/web/src/features/funding/statistics.test.ts'],
  },
  {
    fault: 'the band in which the ladder does not recentre is a row wider below',
    file: 'apps/web/src/live/axis.ts',
    find: 'slot < placement.rows - margin;',
    replace: 'slot <= placement.rows - margin;',
    tests: ['apps/web/src/live/axis.test.ts'],
  },
  {
    fault: 'the best ask of a grouped ladder is rounded down, like a bid',
    file: 'apps/web/src/live/worker/ladder-view.ts',
    find: 'ask: offer && indexOfPrice(grid, ceilToTick(offer, tick)),',
    replace: 'ask: offer && indexOfPrice(grid, floorToTick(offer, tick)),',
    tests: ['apps/web/src/live/worker/desk.test.ts'],
  },
  {
    fault: 'an audit that spans a rebuild of its coin condemns the new book',
    file: 'apps/bff/src/upstream/l4/audits.ts',
    find: 'if (this.#run?.coin === coin) this.#end(this.#run);',
    replace: '',
    tests: ['apps/bff/src/upstream/l4/audits.test.ts'],
  },
];
