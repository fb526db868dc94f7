import { expect, it } from 'vitest';
import { panesShown, withPane } from './pane-places.ts';

const ALL = ['level', 'owners', 'tape', 'order', 'queues'];

it('[WEB-72] shows the first panes of the chosen order, and always the pane opened last', () => {
  expect(panesShown(ALL, [], 3, 'level')).toEqual(['level', 'owners', 'tape']);
  expect(panesShown(ALL, ['order', 'tape'], 3, 'tape')).toEqual(['order', 'tape', 'level']);
  expect(panesShown(ALL, ['order', 'tape'], 3, 'queues')).toEqual(['order', 'tape', 'queues']);
  expect(panesShown(ALL, ['gone', 'tape'], 2, 'gone')).toEqual(['tape', 'level']);
  expect(panesShown(ALL, [], 9, 'level')).toEqual(ALL);
});

it('[WEB-72] swaps a pane put into a place with the one there: none is shown twice, none is lost', () => {
  const shown = panesShown(ALL, [], 3, 'level');
  const swapped = withPane(ALL, [], shown, 0, 'tape');
  expect(swapped).toEqual(['tape', 'owners', 'level', 'order', 'queues']);
  const brought = withPane(ALL, swapped, panesShown(ALL, swapped, 3, 'tape'), 1, 'queues');
  expect(brought).toEqual(['tape', 'queues', 'level', 'order', 'owners']);
  expect([...brought].sort()).toEqual([...ALL].sort());
  expect(withPane(ALL, [], shown, 1, 'owners')).toEqual(ALL);
});

it('[WEB-72] shows a pane once that was opened last and put into another place', () => {
  const shown = panesShown(ALL, [], 2, 'queues');
  expect(shown).toEqual(['level', 'queues']);
  expect(withPane(ALL, [], shown, 0, 'queues').slice(0, 2)).toEqual(['queues', 'level']);
});
