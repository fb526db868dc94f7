// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { TwinRows, type TwinView } from './twin-rows.ts';

let body: HTMLElement;
let twin: TwinRows;

beforeEach(() => {
  body = document.createElement('div');
  twin = new TwinRows(body, 'grid');
});

/** Three rows in sight; `first` is the place of the upper one. */
const view = (first: number, columns: readonly string[] = ['block', 'what']): TwinView => ({
  columns,
  first,
  rows: [0, 1, 2].map((at) => ({ key: `k${first + at}`, isSelected: false, words: [] })),
  rowHeight: 20,
  height: undefined,
});

const named = () => [...body.querySelectorAll('[id]')];

it('[WEB-14] another element in the place of the active cell has its name', () => {
  twin.write(view(0));
  const before = twin.cell(1, 0);
  const id = twin.activate(1, 0);
  // Other columns: the rows are made anew.
  twin.write(view(0, ['block', 'wallet']));
  expect(twin.activate(1, 0)).toBe(id);
  expect(twin.cell(1, 0)).not.toBe(before);
  expect(named()).toEqual([twin.cell(1, 0)]);
  expect(twin.cell(1, 0)?.id).toBe(id);
  expect(before?.id).toBe('');
});

it('[WEB-14] the element of the active cell has another name in another place', () => {
  twin.write(view(0));
  const cell = twin.cell(1, 0);
  const before = twin.activate(1, 0);
  // Rows stay where they are and are written over.
  twin.write(view(1));
  expect(twin.cell(2, 0)).toBe(cell);
  const id = twin.activate(2, 0);
  expect(id).not.toBe(before);
  expect(named()).toEqual([cell]);
  expect(cell?.id).toBe(id);
});

it('[WEB-14] an active cell that is out of sight has no name, and has it again in sight', () => {
  twin.write(view(0));
  const id = twin.activate(1, 0);
  twin.write(view(2));
  expect(twin.activate(1, 0)).toBeUndefined();
  expect(named()).toEqual([]);
  twin.write(view(0));
  expect(twin.activate(1, 0)).toBe(id);
  expect(named()).toEqual([twin.cell(1, 0)]);
});
