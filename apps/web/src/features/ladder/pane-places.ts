/** Every pane once: first those in the chosen order, then the others in their own order. */
function completed(all: readonly string[], order: readonly string[]): readonly string[] {
  return [...new Set([...order.filter((key) => all.includes(key)), ...all])];
}

interface Places {
  readonly all: readonly string[];
  readonly order: readonly string[];
  /** Panes that were closed: their places stay empty, and the others take the room. */
  readonly closed: readonly string[];
  readonly places: number;
  /** The pane opened last: it is always shown. If no place is empty, it takes the last one. */
  readonly asked: string;
}

/** The panes in this many places. */
export function panesShown({ all, order, closed, places, asked }: Places): readonly string[] {
  const shown = completed(all, order)
    .slice(0, places)
    .filter((key) => key === asked || !closed.includes(key));
  if (shown.includes(asked) || !all.includes(asked)) return shown;
  return [...shown.slice(0, places - 1), asked];
}

/** The order after putting pane `next` into a place; it swaps places with the pane that was there. */
export function withPane(
  all: readonly string[],
  order: readonly string[],
  shown: readonly string[],
  place: number,
  next: string,
): readonly string[] {
  const now = [...new Set([...shown, ...completed(all, order)])];
  const before = now[place];
  if (before === undefined || !now.includes(next)) return now;
  const swapped = new Map([
    [before, next],
    [next, before],
  ]);
  return now.map((key) => swapped.get(key) ?? key);
}
