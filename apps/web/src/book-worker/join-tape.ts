import type { ListedRow, TapeResponse } from './panes/past.ts';

/**
 * The whole list of a response that tells what came since the one before it. Rows that were known stay the same objects: what
 * draws them rests. Undefined where the response before it is not the one that it goes on from, as a hole would not be seen.
 */
export function joinTape(before: TapeResponse | undefined, response: TapeResponse): TapeResponse | undefined {
  const { since, back, ...rest } = response;
  if (since === undefined) return response;
  if (before?.serial !== response.serial || before.height !== since) return undefined;
  const rows = [...response.rows, ...before.rows.slice(0, response.count - response.rows.length)];
  const oldest = back?.height ?? 0;
  while (rows.length > 0 && heightOf(rows.at(-1) as ListedRow) < oldest) rows.pop();
  return { ...rest, back, rows };
}

function heightOf(row: ListedRow): number {
  return 'gap' in row ? row.gap.to.height : row.height;
}
