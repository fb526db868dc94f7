import type { ListedRow, TapeResponse } from './panes/past.ts';

/**
 * Merges an incremental tape response with the previous one into a whole list. Known rows stay the same objects, so their
 * components do not render again. Returns undefined if the previous response is not the one this response continues, because a
 * hole would go unnoticed.
 */
export function joinTape(before: TapeResponse | undefined, response: TapeResponse): TapeResponse | undefined {
  const { since, back, ...rest } = response;
  if (since === undefined) return response;
  if (before?.serial !== response.serial || before.end !== since) return undefined;
  const rows = [...response.rows, ...before.rows.slice(0, response.count - response.rows.length)];
  const oldest = back?.place ?? 0;
  while (rows.length > 0 && (rows.at(-1) as ListedRow).place < oldest) rows.pop();
  return { ...rest, back, rows };
}
