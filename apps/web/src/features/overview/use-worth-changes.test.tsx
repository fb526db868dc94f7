import type { DecimalString } from '@l4desk/protocol';
import { IDBFactory } from 'fake-indexeddb';
import { useEffect } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { changeAccount } from '../../state/account.ts';
import { keep, readKept } from '../../state/kept-values.ts';
import { render, unmountAll } from '../../test-support/render.ts';
import { useWorthChanges, type WorthChange } from './worth-history.ts';

const NAME = 'overview worth';
const LOADED_AT = performance.timeOrigin;

interface Props {
  readonly after: number;
  readonly total: DecimalString;
}

let changes: readonly WorthChange[] = [];

/** The Overview with a worth that was loaded so many ms after the page. */
function Overview({ after, total }: Props) {
  const shown = useWorthChanges('a', { at: LOADED_AT + after, total });
  useEffect(() => {
    changes = shown;
  });
  return null;
}

const deltas = () => changes.map(({ since, delta }) => [since, delta]);
const kept = async () =>
  ((await readKept(NAME)) as { readonly last: { readonly total: string } }[] | undefined)?.[0]?.last;

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  changeAccount(crypto.randomUUID());
  // More than a day ago, so that it is not of today in any zone.
  const before = { at: LOADED_AT - 48 * 3_600_000, total: '100' };
  await keep(NAME, [{ wallets: 'a', before: null, first: before, last: before }]);
  changes = [];
});

it('a visit lasts until the page is loaded again, however often the Overview is opened', async () => {
  await render(<Overview after={1_000} total="110" />);
  await expect.poll(deltas).toEqual([['last visit', '10']]);
  await expect.poll(kept).toMatchObject({ total: '110' });
  await unmountAll();
  await render(<Overview after={2_000} total="120" />);
  await expect.poll(() => deltas()[0]).toEqual(['last visit', '20']);
  await expect.poll(kept).toMatchObject({ total: '120' });
});

it('the next visit counts from the total after balances that were loaded alone', async () => {
  const { rerender } = await render(<Overview after={1_000} total="110" />);
  await expect.poll(kept).toMatchObject({ total: '110' });
  await rerender(<Overview after={1_000} total="150" />);
  await expect.poll(kept).toEqual({ at: LOADED_AT + 1_000, total: '150' });
});
