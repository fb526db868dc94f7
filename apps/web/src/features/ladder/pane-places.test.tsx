import { expect, it } from 'vitest';
import { panesShown, withPane } from './pane-grid.tsx';

const ALL = ['level', 'owners', 'tape', 'order', 'queues'];

const shownIn = (places: number, asked: string, order: readonly string[] = [], closed: readonly string[] = []) =>
  panesShown({ all: ALL, order, closed, places, asked });

it('shows the first panes of the chosen order, and always the pane opened last', () => {
  expect(shownIn(3, 'level')).toEqual(['level', 'owners', 'tape']);
  expect(shownIn(3, 'tape', ['order', 'tape'])).toEqual(['order', 'tape', 'level']);
  expect(shownIn(3, 'queues', ['order', 'tape'])).toEqual(['order', 'tape', 'queues']);
  expect(shownIn(2, 'gone', ['gone', 'tape'])).toEqual(['tape', 'level']);
  expect(shownIn(9, 'level')).toEqual(ALL);
});

it('leaves the place of a closed pane empty until another is opened, and shows it again when it is opened', () => {
  const closed = ['owners'];
  expect(shownIn(3, 'level', [], closed)).toEqual(['level', 'tape']);
  expect(shownIn(3, 'owners', [], closed)).toEqual(['level', 'owners', 'tape']);
  expect(shownIn(3, 'queues', [], closed)).toEqual(['level', 'tape', 'queues']);
  expect(shownIn(3, 'level', ['tape', 'level'], ['tape', 'owners', 'gone'])).toEqual(['level']);
});

it('swaps a pane put into a place with the one there: none is shown twice, none is lost', () => {
  const shown = shownIn(3, 'level');
  const swapped = withPane(ALL, [], shown, 0, 'tape');
  expect(swapped).toEqual(['tape', 'owners', 'level', 'order', 'queues']);
  const brought = withPane(ALL, swapped, shownIn(3, 'tape', swapped), 1, 'queues');
  expect(brought).toEqual(['tape', 'queues', 'level', 'order', 'owners']);
  expect([...brought].sort()).toEqual([...ALL].sort());
  expect(withPane(ALL, [], shown, 1, 'owners')).toEqual(ALL);
});

it('shows a pane once that was opened last and put into another place', () => {
  const shown = shownIn(2, 'queues');
  expect(shown).toEqual(['level', 'queues']);
  expect(withPane(ALL, [], shown, 0, 'queues').slice(0, 2)).toEqual(['queues', 'level']);
});
