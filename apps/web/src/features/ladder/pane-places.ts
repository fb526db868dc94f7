/** Every pane once: those of the chosen order first, the others in their own. */
function completed(all: readonly string[], order: readonly string[]): readonly string[] {
  return [...new Set([...order.filter((key) => all.includes(key)), ...all])];
}

/** The panes in so many places. The one that was asked for last is among them: it takes the last place where it was not. */
export function panesShown(
  all: readonly string[],
  order: readonly string[],
  places: number,
  asked: string,
): readonly string[] {
  const shown = completed(all, order).slice(0, places);
  return shown.includes(asked) || !all.includes(asked) ? shown : [...shown.slice(0, -1), asked];
}

/** The order with another pane in a place; where that one was, the one that was here is now. */
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
