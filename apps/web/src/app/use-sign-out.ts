import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { signOut } from '../api/session.ts';

/**
 * Ends the session in every tab and opens sign-in. On the sign-in page it stays there, because its address says where to go
 * next.
 */
export function useSignOut() {
  const router = useRouter();
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      router.options.context.sessions.set(null);
      if (router.state.location.pathname === '/sign-in') return;
      await router.navigate({ to: '/sign-in', replace: true });
    },
  });
}
