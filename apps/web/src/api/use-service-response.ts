import type { Readiness } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { ticker } from '../state/ticker.ts';
import { readinessQuery } from './readiness.ts';

/** A call that takes longer than this is slow. */
const SLOW_AFTER_MS = 3_000;

/** How the service responds to the page's calls. */
export type ServiceResponse =
  | { readonly kind: 'waiting' | 'prompt' | 'none' }
  /** Calls come back late; the last one that did, so long ago. */
  | { readonly kind: 'slow'; readonly ageMs: number };

/** Whether the service responds in time, late or not at all, with what it said last and when. */
export function useServiceResponse(): {
  readonly response: ServiceResponse;
  readonly data: Readiness | undefined;
  readonly at: number;
} {
  const { data, dataUpdatedAt: at, isError, isFetching } = useQuery(readinessQuery);
  const sentAt = useRef(0);
  useEffect(() => {
    if (isFetching) sentAt.current = Date.now();
  }, [isFetching]);
  // Whole seconds: nothing is drawn anew while the texts stay.
  const seconds = useSyncExternalStore(ticker.subscribe, () => {
    const now = ticker.get();
    const isLate = isFetching && sentAt.current > at && now - sentAt.current > SLOW_AFTER_MS;
    const isSlow = data !== undefined && (isLate || data.tookMs > SLOW_AFTER_MS);
    return isSlow ? Math.max(0, Math.floor((now - at) / 1000)) : undefined;
  });
  const kind = isError ? 'none' : data === undefined ? 'waiting' : 'prompt';
  const isSlow = kind === 'prompt' && seconds !== undefined;
  return { response: isSlow ? { kind: 'slow', ageMs: seconds * 1000 } : { kind }, data, at };
}
