import { describe, expect, it } from 'vitest';
import { viewOf } from './level-pane.tsx';

const maker = { address: `0x${'1'.repeat(40)}` as const, label: 'Maker one' };
const other = { address: `0x${'2'.repeat(40)}` as const, label: '' };

describe('how the orders of a level are listed', () => {
  it('is the plain queue unless something is chosen', () => {
    expect(viewOf({}, [], [])).toBeNull();
    expect(viewOf({ sort: 'place', owner: ' ', min: '0.0' }, [maker], ['x'])).toBeNull();
    expect(viewOf({ sort: '-place' }, [], [])).toMatchObject({ sort: 'place', descending: true });
  });

  it('sorts owners by size until another order is chosen', () => {
    expect(viewOf({ group: 'owner' }, [], [])).toMatchObject({ byOwner: true, sort: 'sz', descending: true });
    expect(viewOf({ group: 'owner', sort: 'place' }, [], [])).toMatchObject({ sort: 'place', descending: false });
  });

  it('finds an owner by a part of the address or of the label', () => {
    expect(viewOf({ owner: ' MAKER' }, [maker, other], [])).toMatchObject({
      owner: { text: 'maker', users: [maker.address] },
    });
  });

  it('ignores a negative minimum size', () => {
    expect(viewOf({ min: '-1', tif: 'Alo' }, [], [])).toMatchObject({ minSz: null, tif: 'Alo' });
    expect(viewOf({ min: '0.5' }, [], [])).toMatchObject({ minSz: '0.5' });
  });
});
