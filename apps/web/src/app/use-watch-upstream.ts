import { isStaleUpstream } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readinessQuery } from '../api/readiness.ts';
import { useUpstreamLag } from '../state/upstream-lag.ts';

/** Tells all pages how late the upstream's state is, from the service's status. */
export function useWatchUpstream(): void {
  const lagMs = useQuery({ ...readinessQuery, select: ({ upstreamInfo }) => upstreamInfo.lagMs }).data;
  useEffect(() => {
    useUpstreamLag.setState({ lagMs: isStaleUpstream(lagMs) ? lagMs : undefined });
    return () => useUpstreamLag.setState({ lagMs: undefined });
  }, [lagMs]);
}
