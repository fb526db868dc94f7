/** Runs of a property test: `quick`, or a multiple of it with `npm run soak -- fuzz`, which prints the seed. */
export function fuzzRuns(quick: number): { readonly numRuns: number; readonly seed?: number } {
  const { L4DESK_FUZZ_FACTOR: factor = '1', L4DESK_FUZZ_SEED: seed } = process.env;
  return { numRuns: quick * Number(factor), ...(seed === undefined ? {} : { seed: Number(seed) }) };
}
