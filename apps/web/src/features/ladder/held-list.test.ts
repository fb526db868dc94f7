import { describe, expect, it } from 'vitest';
import { type Held, heldList } from './held-list.ts';

interface Row {
  readonly key: string;
  readonly sz: number;
}

/** Rows as `a5 b3`: the key, and the size. */
const rowsOf = (text: string): readonly Row[] =>
  text === '' ? [] : text.split(' ').map((one) => ({ key: one.slice(0, 1), sz: Number(one.slice(1)) }));
const keyOf = ({ key }: Row) => key;
const said = (list: readonly Held<Row>[]) =>
  list.map(({ row, absence }) => `${row.key}${row.sz}${absence === undefined ? '' : ' gone'}`).join(', ');
/** The list after these responses, one after the other. */
const after = (...responses: readonly string[]) =>
  responses.reduce<readonly Held<Row>[]>((before, text) => heldList(before, { rows: rowsOf(text), keyOf, max: 5 }), []);

describe('rows that keep their places', () => {
  it('have the values of the last response, and new ones follow', () => {
    expect(said(after('a5 b3', 'c9 b6 a4'))).toBe('a4, b6, c9');
  });

  it('stay when they are gone, with their old values, until they return', () => {
    expect(said(after('a5 b3 c1', 'd8 c7 a5'))).toBe('a5, b3 gone, c7, d8');
    expect(said(after('a5 b3 c1', 'd8 c7 a5', 'b9 d8 c7'))).toBe('a5 gone, b9, c7, d8');
  });

  it('are not gone while they are among the rows that a list has no room for', () => {
    const before = after('d1');
    const nearer = { rows: rowsOf('a1 b1 c1'), among: rowsOf('a1 b1 c1 d4'), keyOf, max: 5 };
    expect(said(heldList(before, nearer))).toBe('d4, a1, b1, c1');
    expect(said(heldList(before, { ...nearer, among: nearer.rows }))).toBe('d1 gone, a1, b1, c1');
  });

  it('are listed anew once there are too many', () => {
    expect(said(after('a1 b1 c1', 'd1 e1'))).toBe('a1 gone, b1 gone, c1 gone, d1, e1');
    expect(said(after('a1 b1 c1', 'd1 e1 f1'))).toBe('d1, e1, f1');
  });
});
