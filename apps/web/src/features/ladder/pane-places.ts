/** Every pane once: first those in the chosen order, then the others in their own order. */
function completed(all: readonly string[], order: readonly string[]): readonly string[] {
  return [...new Set([...order.filter((key) => all.includes(key)), ...all])];
}

/** The panes in this many places. The pane opened last is always among them: if necessary it takes the last place. */
export function panesShown(
  all: readonly string[],
  order: readonly string[],
  places: number,
  asked: string,
): readonly string[] {
  const shown = completed(all, order).slice(0, places);
  return shown.includes(asked) || !all.includes(asked) ? shown : [...shown.slice(0, -1), asked];
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
