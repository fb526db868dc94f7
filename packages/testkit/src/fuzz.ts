/**
 * How often a property is tried that is worth a long run: `quick` times beside the other tests; with
 * `npm run soak -- fuzz` as many times more as that asks for, from the seed that it prints.
 */
export function fuzzRuns(quick: number): { readonly numRuns: number; readonly seed?: number } {
  const { L4DESK_FUZZ_FACTOR: factor = '1', L4DESK_FUZZ_SEED: seed } = process.env;
  return { numRuns: quick * Number(factor), ...(seed === undefined ? {} : { seed: Number(seed) }) };
}
