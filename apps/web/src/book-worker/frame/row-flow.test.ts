import { sum } from '@l4desk/decimal';
import { FLOW_KINDS, type FlowKind, type RowMoved } from '@l4desk/insight';
import type { DecimalString } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { FLOW_COLUMNS } from '../../state/flow-columns.ts';
import { columnsOfBits, flowBits, packRowFlow, readRowFlow } from './row-flow.ts';

const SIZES: Readonly<Record<FlowKind, DecimalString>> = {
  added: '1',
  requotedIn: '2',
  grown: '4',
  cancelled: '8',
  requotedOut: '16',
  shrunk: '32',
  executed: '64',
};

const movedOf = (kinds: readonly FlowKind[], isInferred = false): RowMoved => ({
  size: (asked) => sum(asked.filter((kind) => kinds.includes(kind)).map((kind) => SIZES[kind])),
  isInferred,
});

it('each column sums its own kinds, and only executions have a star', () => {
  const text = packRowFlow(movedOf(FLOW_KINDS, true), FLOW_COLUMNS);
  expect(FLOW_COLUMNS.map((column, at) => [column, readRowFlow(text)[at]?.sz])).toEqual([
    ['came', '7'],
    ['withdrawn', '56'],
    ['added', '5'],
    ['cancelled', '8'],
    ['shrunk', '32'],
    ['executed', '64'],
    ['requotedIn', '2'],
    ['requotedOut', '16'],
  ]);
  expect(readRowFlow(text).map(({ isInferred }) => isInferred)).toEqual(FLOW_COLUMNS.map((one) => one === 'executed'));
  expect(packRowFlow(movedOf(['executed']), ['came', 'withdrawn'])).toBe('');
  expect(packRowFlow(undefined, FLOW_COLUMNS)).toBe('');
  expect(readRowFlow('')).toEqual([]);
});

it('the columns of a frame are those that were asked for, in their order', () => {
  expect(columnsOfBits(flowBits(['requotedOut', 'executed', 'came']))).toEqual(['came', 'executed', 'requotedOut']);
  expect(columnsOfBits(flowBits([]))).toEqual([]);
});
