import type { Readiness } from '@l4desk/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ticker } from '../state/ticker.ts';
import { readinessQuery, readinessSentAt } from './readiness.ts';

const SLOW_AFTER_MS = 3_000;

/** How the service responds to the page's calls. */
export type ServiceResponse =
  | { readonly kind: 'prompt' | 'none' }
  /** Responses are late. `ageMs` is the age of the last response; null if there is none yet. */
  | { readonly kind: 'slow'; readonly ageMs: number | null };

interface ServiceState {
  readonly response: ServiceResponse;
  readonly data: Readiness | undefined;
  readonly at: number;
}

/**
 * Whether the service responds in time, late or not at all, with its last response and when that came. Time asleep is no delay.
 */
export function useServiceResponse(): ServiceState {
  const client = useQueryClient();
  const { data, dataUpdatedAt: at, isError, errorUpdateCount, isFetching } = useQuery(readinessQuery);
  // In whole seconds, so that nothing is rerendered while the texts are unchanged.
  const lateMs = useSyncExternalStore(ticker.subscribe, () => {
    const now = ticker.get();
    const isLate = isFetching && now - (readinessSentAt(client) ?? now) > SLOW_AFTER_MS;
    if (data === undefined) return isLate ? null : undefined;
    return isLate || data.tookMs > SLOW_AFTER_MS ? Math.max(0, Math.floor((now - at) / 1_000)) * 1_000 : undefined;
  });
  // While a query that never had data is fetching again, it forgets that it failed.
  const isSilent = isError || (data === undefined && errorUpdateCount > 0);
  if (isSilent) return { response: { kind: 'none' }, data, at };
  return { response: lateMs === undefined ? { kind: 'prompt' } : { kind: 'slow', ageMs: lateMs }, data, at };
}
