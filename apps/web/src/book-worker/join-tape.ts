import type { ListedRow, TapeAnswer } from './panes/past.ts';

/**
 * The whole list of an answer that tells what came since the one before it. Rows that were known stay the same objects: what
 * draws them rests. Undefined where the answer before it is not the one that it goes on from, as a hole would not be seen.
 */
export function joinTape(before: TapeAnswer | undefined, answer: TapeAnswer): TapeAnswer | undefined {
  const { since, back, ...rest } = answer;
  if (since === undefined) return answer;
  if (before?.serial !== answer.serial || before.height !== since) return undefined;
  const rows = [...answer.rows, ...before.rows.slice(0, answer.count - answer.rows.length)];
  const oldest = back?.height ?? 0;
  while (rows.length > 0 && heightOf(rows.at(-1) as ListedRow) < oldest) rows.pop();
  return { ...rest, back, rows };
}

function heightOf(row: ListedRow): number {
  return 'gap' in row ? row.gap.to.height : row.height;
}
