import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isSignedOut } from '../api/request.ts';
import { useSession } from '../api/session-context.tsx';
import { useBook } from '../book-worker/use-book.ts';
import { useAccountCopy } from '../state/account-copy.ts';

const SIGN_IN = '/sign-in';

/** The longest delay of a browser timer, in ms. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Redirects to sign-in when the session is over, and back to the same address afterwards. A browser does not say why a socket
 * was refused, so every lost connection asks the service once who is signed in. The same question is asked after every query
 * and every exchange of the account's document refused with 401, a sign-in or sign-out in another tab, when the tab becomes visible again, and when the session expires.
 *
 * Loop "session": each of these events asks once; the next question comes with the next event. The question itself is answered
 * with null, never with a 401.
 */
export function useSessionGuard(): void {
  const { account, expiresAt } = useSession();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { sessions } = router.options.context;
  const doubt = useBook(({ status }) => {
    const connection = status?.connection;
    if (connection?.kind === 'waiting') return `waiting ${connection.attempt}`;
    return connection?.kind === 'stopped' ? `stopped ${connection.reason.kind}` : undefined;
  });
  const ask = useCallback(
    async (isOver = false) => {
      // A service that does not respond says nothing about the session; reconnecting continues by itself.
      const now = await sessions.ask().catch(() => undefined);
      const isStill = now === undefined || now?.session.expiresAt === expiresAt;
      if (now !== null && !(isOver && isStill)) return;
      const { href, pathname } = router.state.location;
      sessions.set(null);
      // Several calls were refused at once, and another one has already redirected.
      if (pathname === SIGN_IN) return;
      await router.navigate({ to: SIGN_IN, search: { next: href }, state: { endedFor: account.id }, replace: true });
    },
    [sessions, account.id, expiresAt, router],
  );
  useEffect(() => {
    if (doubt === undefined || doubt === 'stopped closed' || doubt === 'stopped credits') return;
    void ask(doubt === 'stopped credential');
  }, [doubt, ask]);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        // One of two credentials may have been revoked while the session is still valid, so the session itself is checked.
        if (isSignedOut(event.action.error)) void ask();
      }),
    [queryClient, ask],
  );
  const isCopyRefused = useAccountCopy(({ state }) => state === 'signed-out');
  useEffect(() => {
    if (isCopyRefused) void ask();
  }, [isCopyRefused, ask]);
  useEffect(() => sessions.onOtherTab(() => void ask()), [sessions, ask]);
  useEffect(() => {
    const onSight = () => {
      if (!document.hidden) void ask();
    };
    document.addEventListener('visibilitychange', onSight);
    return () => document.removeEventListener('visibilitychange', onSight);
  }, [ask]);
  useEffect(() => {
    const timer = setTimeout(() => void ask(), Math.min(TIMER_MS_MAX, expiresAt - Date.now()));
    return () => clearTimeout(timer);
  }, [expiresAt, ask]);
}
