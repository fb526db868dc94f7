import { expect, it } from 'vitest';
import type { BlockRow } from '../../../book-worker/panes/past.ts';
import { render } from '../../../test-support/render.ts';
import { useBlockColumns } from './block-columns.tsx';
import type { TapeKind } from './texts.ts';

const BLOCK = { id: '7 block', place: 7, height: 1_234, time: Date.UTC(2026, 4, 5, 14, 2, 11, 402), lines: 2 };

/** The lines of a block's tooltip, and the hints of its columns. */
async function textsOf(kinds: readonly TapeKind[] | 'prints', sums: BlockRow['sums']) {
  let texts: { readonly lines: readonly string[]; readonly hints: readonly (string | undefined)[] } | undefined;
  const Columns = () => {
    const columns = useBlockColumns(2, kinds);
    texts = {
      lines: columns[0]?.hintOf?.({ ...BLOCK, sums })?.split('\n') ?? [],
      hints: columns.map(({ hint }) => hint),
    };
    return null;
  };
  await render(<Columns />);
  return texts;
}

it('the tooltip of a block of prints has the orders and the size that takers of each side took', async () => {
  const sums = { buy: { sz: '1.5', count: 3 }, sell: { sz: '2', count: 1, inferred: 1 } } as const;
  const texts = await textsOf('prints', sums);
  expect(texts?.lines).toEqual([
    expect.stringMatching(/^Block 1,234, /),
    'buys from 3 resting orders, 1.50',
    'sells* from 1 resting order, 2.00',
  ]);
});

it('the tooltip of a block of changes has each kind, and says of requotes that each is two changes', async () => {
  const sums = { requotedIn: { sz: '1', count: 1 }, requotedOut: { sz: '1', count: 1 } } as const;
  const texts = await textsOf(['requoted'], sums);
  expect(texts?.lines.slice(1)).toEqual(['↻ requote in 1 change, 1.00', '↺ requote out 1 change, 1.00']);
  expect(texts?.hints[1]).toContain('are two changes');
});

it('the tooltip of a block without sums is one line', async () => {
  expect((await textsOf('prints', {}))?.lines).toHaveLength(1);
});
