// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import type { LiveStatus } from '../live/messages.ts';
import { beginsAddress, blockCommands } from './palette-commands.ts';

it.each([
  ['0x53d661', true],
  ['53d661', true],
  ['0x', false],
  ['3d661', false],
])('the beginning of an address, %s, finds its wallet: %s', (typed, isFound) => {
  expect(beginsAddress('0x53d661aa00000000000000000000000000000000', typed)).toBe(isFound);
});

describe('a block height', () => {
  const position = { height: 985_148_232, seq: 1, epoch: '3f2a', blockTime: 0 };
  const status = { coin: 'ETH', position } as LiveStatus;

  it.each([
    ['985148300', 'Block 985,148,300: hold the ETH book there', 'in 68 blocks'],
    ['985,148,231', 'Block 985,148,231: what the ETH book proves of it', '1 block ago'],
    ['985148232', 'Block 985,148,232: hold the ETH book there', undefined],
  ])('%s leads to the book of the followed coin', (typed, text, hint) => {
    const go = vi.fn<(href: string) => void>();
    const [command] = blockCommands(typed, status, 'BTC', go);
    expect(command).toMatchObject(hint === undefined ? { text } : { text, hint });
    command?.run();
    expect(go).toHaveBeenCalledWith(`/book/ETH?block=${typed.replaceAll(',', '')}`);
  });

  it('leads to the first book while none is followed', () => {
    expect(blockCommands('12', undefined, 'BTC', () => {})[0]?.text).toBe('Block 12: hold the BTC book there');
    expect(blockCommands('12', undefined, undefined, () => {})).toEqual([]);
  });

  it.each(['0', '012', '1,23', '12.5', 'btc', '', '1234567890123'])('“%s” is none', (typed) => {
    expect(blockCommands(typed, status, 'BTC', () => {})).toEqual([]);
  });
});
