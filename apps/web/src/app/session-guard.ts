import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isSignedOut } from '../api/request.ts';
import { sessionQuery } from '../api/session.ts';
import { useLiveValue } from '../live/live-context.tsx';

const SIGN_IN = '/sign-in';

/**
 * Sends people to sign-in, and afterwards back to the same address, when their session is over. A browser does not say
 * why a socket was refused, so every lost connection asks the service once whether the session still stands; so does every
 * query that is refused with 401.
 *
 * Loop "session": a lost connection or a refused query asks once; the next question comes with the next of them. The question
 * itself is answered with null, never with a 401.
 */
export function useSessionGuard(): void {
  const queryClient = useQueryClient();
  const router = useRouter();
  const doubt = useLiveValue((status) => {
    const connection = status?.connection;
    if (connection?.kind === 'waiting') return `waiting ${connection.attempt}`;
    return connection?.kind === 'stopped' ? `stopped ${connection.reason.kind}` : undefined;
  });
  const ask = useCallback(
    async (isOver: boolean) => {
      // A service that does not answer says nothing about the session: the reconnecting goes on by itself.
      const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined);
      if (session !== null && !isOver) return;
      queryClient.setQueryData(sessionQuery.queryKey, null);
      const { href, pathname } = router.state.location;
      // Several were refused at once, and another of them has led there.
      if (pathname === SIGN_IN) return;
      await router.navigate({ to: SIGN_IN, search: { next: href }, state: { sessionEnded: true }, replace: true });
    },
    [queryClient, router],
  );
  useEffect(() => {
    if (doubt === undefined || doubt === 'stopped closed') return;
    void ask(doubt === 'stopped credential');
  }, [doubt, ask]);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        // One of two credentials may have been revoked while the session stands: the session itself is asked.
        if (isSignedOut(event.action.error)) void ask(false);
      }),
    [queryClient, ask],
  );
}
