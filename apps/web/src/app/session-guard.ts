import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session.ts';
import { useLiveValue } from '../live/live-context.tsx';

/**
 * Sends people to sign-in, and afterwards back to the same address, when their session is over. A browser does not say
 * why a socket was refused, so every lost connection asks the service once whether the session still stands.
 *
 * Loop "session": a lost connection asks once; the next question comes with the next lost connection.
 */
export function useSessionGuard(): void {
  const queryClient = useQueryClient();
  const router = useRouter();
  const doubt = useLiveValue((status) => {
    const connection = status?.connection;
    if (connection?.kind === 'waiting') return `waiting ${connection.attempt}`;
    return connection?.kind === 'stopped' ? `stopped ${connection.reason.kind}` : undefined;
  });
  useEffect(() => {
    if (doubt === undefined || doubt === 'stopped closed') return;
    const ask = async () => {
      // A service that does not answer says nothing about the session: the reconnecting goes on by itself.
      const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined);
      if (session !== null && doubt !== 'stopped credential') return;
      queryClient.setQueryData(sessionQuery.queryKey, null);
      const { href } = router.state.location;
      await router.navigate({ to: '/sign-in', search: { next: href }, state: { sessionEnded: true }, replace: true });
    };
    void ask();
  }, [doubt, queryClient, router]);
}
