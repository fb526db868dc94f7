import { useMemo } from 'react';
import type { Balances } from '../../wallets/balances/balance-store.ts';
import { STALE_AFTER_MS } from '../../wallets/balances/balance-store.ts';
import type { WalletEntry } from '../../wallets/balances/sums.ts';
import { useValue, type Value } from '../../wallets/value/use-value.ts';
import {
  isNear,
  isUnwatched,
  nearestToLiquidation,
  type PositionRow,
  positionRows,
} from '../../wallets/value/worth.ts';
import type { AlarmFacts } from './alarms.ts';
import { positionsByCoin } from './risk.ts';
import { useWorthChanges } from './worth-history.ts';

interface WorthOf {
  /** The addresses of the wallets, joined. */
  readonly key: string;
  readonly entries: readonly WalletEntry[];
  readonly store: Balances;
  readonly isRequested: boolean;
  readonly now: number;
}

/** What the wallets are worth, how that has changed, and which of their positions are near liquidation. */
export function useWorth({ key, entries, store, isRequested, now }: WorthOf) {
  const value = useValue(entries, isRequested);
  const rows = useMemo(() => positionRows(value), [value]);
  const positions = rows.filter(({ distance }) => distance !== undefined);
  const { row: nearest } = useMemo(() => nearestToLiquidation(rows), [rows]);
  const byCoin = useMemo(() => positionsByCoin(rows), [rows]);
  const { sum, at } = value;
  const oldest = entries.reduce(
    (before, { isCounted, reading }) => (isCounted ? Math.min(before, reading?.at ?? before) : before),
    at ?? Number.POSITIVE_INFINITY,
  );
  const changes = useWorthChanges(
    key,
    at === undefined || value.isFetching || store.progress || sum.missing.length > 0
      ? undefined
      : { at, total: sum.total },
  );
  return {
    value,
    /** Time of the oldest balances or prices, ms. */
    oldest: Number.isFinite(oldest) ? oldest : undefined,
    nearest,
    byCoin,
    changes,
    problem: liquidationProblem(value, rows, now),
    /** Positions within a tenth of their liquidation price. */
    near: positions.filter(({ distance }) => distance !== undefined && isNear(distance)).length,
  };
}

/** Why the liquidation of some positions is not known. */
function liquidationProblem(
  { at, marks, error, sum }: Value,
  rows: readonly PositionRow[],
  now: number,
): AlarmFacts['liquidation']['problem'] {
  if (at === undefined) return 'worth not loaded';
  if (now - Math.min(at, marks.at) > STALE_AFTER_MS) return 'worth is stale';
  if (error !== undefined) return 'worth not refreshed';
  return sum.isPerpsPartial || rows.some(isUnwatched) ? 'some are not known' : undefined;
}
