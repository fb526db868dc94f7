import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { signOut } from '../api/session.ts';

/** Ends the session, in every tab, and leads to sign-in. */
export function useSignOut() {
  const router = useRouter();
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      router.options.context.sessions.set(null);
      await router.navigate({ to: '/sign-in', replace: true });
    },
  });
}
