/** How many cases a property is tried on: `FC_RUNS` asks for more than the usual number. */
export function runs(usual: number): { readonly numRuns: number } {
  return { numRuns: Number(process.env.FC_RUNS ?? usual) };
}
