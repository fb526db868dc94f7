import type { Address } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import type { OwnerRow, OwnersData } from '../../../book-worker/panes/owners.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { must } from '../../../test-support/must.ts';
import { render } from '../../../test-support/render.ts';
import { OwnersGrid } from './owners-grid.tsx';

const ownerOf = (digit: string, share: string, sz: string) =>
  ({
    user: `0x${digit.repeat(40)}` satisfies Address,
    share,
    sz,
    orders: 1,
    notional: '100',
    skew: '0',
    medianAgeMs: 1_000,
    requotes: null,
  }) as OwnerRow;

const result = (height: number, ...owners: readonly OwnerRow[]) => {
  const side = { owners, top1: must(owners[0], 'owner').share, sz: '1', orders: 1, wallets: 1 };
  const data = { bids: side, asks: side, withinBps: '10', requoteSpanMs: null } as unknown as OwnersData;
  return { ...data, generation: 1, height, frozen: false, sizeDecimals: 1 } satisfies PaneResult<'owners'>;
};

it('a held wallet that is no longer listed has its last numbers, without a bar beside those of now', async () => {
  const grid = (owners: PaneResult<'owners'>) => (
    <OwnersGrid side="B" owners={owners} chosen={undefined} isHeld onOpen={() => {}} />
  );
  const [large, small] = [ownerOf('a', '0.8', '8.0'), ownerOf('b', '0.2', '2.0')];
  const { container, rerender } = await render(grid(result(1, large, small)));
  const rowOf = () => must(container.querySelector('tbody tr'), 'row');
  const bar = () => rowOf().querySelector('[style*="width"]');
  expect(bar()).not.toBeNull();
  await rerender(grid(result(2, small)));
  expect(rowOf().textContent).toMatch(/80\.0\s%8\.0/);
  expect(bar()).toBeNull();
});
