// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { TwinRows, type TwinView } from './twin-rows.ts';

let body: HTMLElement;
let twin: TwinRows;

beforeEach(() => {
  body = document.createElement('div');
  twin = new TwinRows(body, 'grid');
});

/** Three visible rows; `first` is the index of the upper one. */
const view = (first: number, columns: readonly string[] = ['block', 'what']): TwinView => ({
  columns,
  first,
  rows: [0, 1, 2].map((at) => ({ key: `k${first + at}`, isSelected: false, words: [] })),
  rowHeight: 20,
  height: undefined,
});

const named = () => [...body.querySelectorAll('[id]')];

it('[WEB-14] moves the active cell’s id to the element that replaces it', () => {
  twin.write(view(0));
  const before = twin.cell(1, 0);
  const id = twin.activate(1, 0);
  // With other columns, the rows are recreated.
  twin.write(view(0, ['block', 'wallet']));
  expect(twin.activate(1, 0)).toBe(id);
  expect(twin.cell(1, 0)).not.toBe(before);
  expect(named()).toEqual([twin.cell(1, 0)]);
  expect(twin.cell(1, 0)?.id).toBe(id);
  expect(before?.id).toBe('');
});

it('[WEB-14] gives the element of the active cell a new id in another position', () => {
  twin.write(view(0));
  const cell = twin.cell(1, 0);
  const before = twin.activate(1, 0);
  // Row elements stay in place and their content is replaced.
  twin.write(view(1));
  expect(twin.cell(2, 0)).toBe(cell);
  const id = twin.activate(2, 0);
  expect(id).not.toBe(before);
  expect(named()).toEqual([cell]);
  expect(cell?.id).toBe(id);
});

it('[WEB-14] removes the id of an active cell out of view, and restores it in view', () => {
  twin.write(view(0));
  const id = twin.activate(1, 0);
  twin.write(view(2));
  expect(twin.activate(1, 0)).toBeUndefined();
  expect(named()).toEqual([]);
  twin.write(view(0));
  expect(twin.activate(1, 0)).toBe(id);
  expect(named()).toEqual([twin.cell(1, 0)]);
});
