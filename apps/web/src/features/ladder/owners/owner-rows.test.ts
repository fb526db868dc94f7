import type { Address } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import type { OwnersResponse } from '../../../book-worker/panes/owners.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { OwnerRows } from './owner-rows.ts';

const addressOf = (letter: string): Address => `0x${letter.repeat(40)}`;

/** Wallets as `a5 b3`: the letter of the address, and the size. */
const side = (text: string, wallets: number) => ({
  wallets,
  top1: '0.5',
  owners: text.split(' ').map((one) => ({ user: addressOf(one.slice(0, 1)), sz: one.slice(1) })),
});

interface Change {
  readonly height?: number;
  readonly frozen?: boolean;
  readonly serial?: number;
  readonly generation?: number;
  readonly wallets?: number;
}

function store() {
  let last: PanesFrame | undefined;
  let heard = 0;
  const rows = new OwnerRows('B', { subscribe: () => () => {}, read: () => last });
  rows.subscribe(() => (heard += 1));
  const said = () => {
    const live = rows.read();
    return Array.from({ length: live.rows.length }, (_, at) => {
      const row = live.rows.at(at);
      return `${row?.user?.slice(2, 3)}${row?.sz}${row?.isUnlisted === true ? ' gone' : ''}`;
    }).join(', ');
  };
  return {
    rows,
    said,
    heard: () => heard,
    show: (text: string, { height = 1, serial = 1, generation = 1, wallets, frozen = false }: Change = {}) => {
      const bids = side(text, wallets ?? text.split(' ').length);
      const owners = { serial, height, lens: { bids, asks: bids }, requotes: null } as unknown as OwnersResponse;
      last = { generation, frozen, owners } as unknown as PanesFrame;
      return said();
    },
  };
}

/** Different wallets, from the one with this number. */
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `${String.fromCodePoint(0x4e_00 + from + at)}1`).join(' ');

describe('[WEB-171] wallets of the owners pane', () => {
  it('are listed as they come until they are held, and again as soon as they are not', () => {
    const { rows, said, show, heard } = store();
    show('a5 b3 c1');
    expect(show('b6 a5 c1')).toBe('b6, a5, c1');
    rows.hold(true);
    expect(show('c9 b6 a5')).toBe('b6, a5, c9');
    rows.hold(false);
    expect(said()).toBe('c9, b6, a5');
    expect(heard()).toBe(2);
  });

  it('have the values of the response in their rows, new ones follow, and a missing one is gone until it returns', () => {
    const { rows, show } = store();
    show('a5 b3 c1');
    rows.hold(true);
    expect(show('d8 c7 a5')).toBe('a5, b3 gone, c7, d8');
    expect(show('b9 d8 c7')).toBe('a5 gone, b9, c7, d8');
  });

  it('are not gone because a response has fewer wallets than the list has room for', () => {
    const { rows, show } = store();
    show('a5 b3 c1');
    rows.hold(true);
    expect(show('c7 a5', { wallets: 40 })).toBe('a5, b3, c7');
    expect(show('c7 a5')).toBe('a5, b3 gone, c7');
  });

  it('are listed anew in another book, within another distance, and at an earlier block', () => {
    const { rows, show } = store();
    rows.hold(true);
    show('a5 b3', { height: 7 });
    expect(show('b4 a2', { height: 8 }), 'a later block').toBe('a2, b4');
    expect(show('b4 c2', { height: 6 }), 'an earlier block').toBe('b4, c2');
    expect(show('c5 b4', { height: 6, serial: 2 }), 'another distance').toBe('c5, b4');
    expect(show('b9 c5', { height: 6, serial: 2, generation: 2 }), 'another book').toBe('b9, c5');
  });

  it('are at most 300: with more, they are listed anew', () => {
    const { rows, show } = store();
    show(many(0, 200));
    rows.hold(true);
    expect(show(many(200, 100)).split(', ')).toHaveLength(300);
    expect(show(many(300, 1)).split(', ')).toHaveLength(1);
  });
});

it('[WEB-93] the requotes of a wallet are those of its side', () => {
  const wallets = side('a5 b3', 2);
  const requotes = { bids: ['1.5', '0.0'], asks: ['9.5', '8.0'] };
  const frame = { owners: { lens: { bids: wallets, asks: wallets }, requotes } } as unknown as PanesFrame;
  const rates = (of: 'A' | 'B') => {
    const { rows } = new OwnerRows(of, { subscribe: () => () => {}, read: () => frame }).read();
    return [rows.at(0)?.requotes, rows.at(1)?.requotes];
  };
  expect(rates('B')).toEqual(['1.5', '0.0']);
  expect(rates('A')).toEqual(['9.5', '8.0']);
});

it('[WEB-14] the list says that there are more wallets only while fewer were requested than it has room for', () => {
  const { rows, show } = store();
  const isCut = (wallets: number, listed: number) => {
    show(many(0, listed), { wallets });
    return rows.read().isCut;
  };
  expect(isCut(400, 100)).toBe(false);
  expect(isCut(400, 99)).toBe(true);
  expect(isCut(40, 40)).toBe(false);
});

it('[WEB-14] the list is still while the book is held', () => {
  const { rows, show } = store();
  show('a5');
  expect(rows.read().isStill).toBe(false);
  show('a5', { frozen: true });
  expect(rows.read().isStill).toBe(true);
});
