import type { InfoResponse } from '@l4desk/client';
import type { OpenOrder } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { heldBy, holdParts, holdsMargin, holdsMore } from './hold.ts';

const token = (name: string, index: number) => ({
  name,
  index,
  szDecimals: 2,
  weiDecimals: 8,
  tokenId: `0x${index}`,
  isCanonical: false,
});

const meta: InfoResponse<'spotMeta'> = {
  tokens: [token('USDC', 0), token('PURR', 1), token('HYPE', 150)],
  universe: [
    { name: 'PURR/USDC', tokens: [1, 0], index: 0, isCanonical: true },
    { name: '@107', tokens: [150, 0], index: 107, isCanonical: false },
  ],
};

function order(coin: string, side: 'A' | 'B', limitPx: `${number}`, sz: `${number}`): OpenOrder {
  return { coin, side, limitPx, sz, oid: 1, timestamp: 0, origSz: sz, cloid: null };
}

describe('amounts held by open orders', () => {
  it('are exactly limitPx × sz of the quote token for a bid, and sz of the base token for an ask', () => {
    const { parts, unknown } = holdParts(
      [
        order('@107', 'B', '28.4151', '0.33'),
        order('@107', 'A', '29.5', '0.50'),
        order('PURR/USDC', 'B', '0.21013', '1500'),
        order('BTC', 'B', '81307.0', '1'),
      ],
      meta,
    );
    expect(unknown).toEqual([]);
    expect(parts.map(({ pair, tokenName, amount }) => [pair, tokenName, amount])).toEqual([
      ['HYPE/USDC', 'USDC', '9.376983'],
      ['HYPE/USDC', 'HYPE', '0.50'],
      ['PURR/USDC', 'USDC', '315.195'],
    ]);
    expect(heldBy(parts, { token: 0, coin: 'USDC' })).toBe('324.571983');
    expect(heldBy(parts, { token: 150 })).toBe('0.5');
    expect(heldBy(parts, { token: 0, coin: '+1230' }), 'another row of the index').toBe('0');
    expect(heldBy(parts, { token: 1 })).toBe('0');
  });

  it('are unknown for an order whose pair is not listed, and not guessed', () => {
    const stranger = order('@999', 'B', '2', '3');
    expect(holdParts([stranger], meta)).toEqual({ parts: [], unknown: [stranger] });
  });
});

describe('[WEB-186] what outcome orders hold', () => {
  it('is USDC for a bid and the outcome token for an ask', () => {
    const { parts, unknown } = holdParts(
      [order('#1230', 'B', '0.41', '100.0'), order('#1230', 'A', '0.5', '7.0')],
      meta,
    );
    expect(unknown).toEqual([]);
    expect(heldBy(parts, { token: 0, coin: 'USDC' })).toBe('41');
    expect(heldBy(parts, { coin: '+1230' })).toBe('7');
    expect(
      holdsMore(
        [
          { token: 0, coin: 'USDC', hold: '41.0' },
          { coin: '+1230', hold: '7.0' },
        ],
        { parts, unknown },
      ),
    ).toBe(false);
    expect(holdsMore([{ token: 0, coin: 'USDC', hold: '41.1' }], { parts, unknown })).toBe(true);
  });

  it.each([
    ['unifiedAccount', true],
    ['portfolioMargin', true],
    ['disabled', false],
    ['dexAbstraction', false],
    [undefined, false],
  ])('an account that is %s holds the margin of perps: %s', (abstraction, expected) => {
    expect(holdsMargin(abstraction)).toBe(expected);
  });
});
