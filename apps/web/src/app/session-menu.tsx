import type { ShownCredential } from '@l4desk/protocol';
import { CircleUser, LogOut } from 'lucide-react';
import { useSession } from '../api/session-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { useTime } from '../ui/use-time.ts';
import { Menu } from './menu.tsx';
import { useSignOut } from './use-sign-out.ts';

/** Who is signed in, with which keys, until when, and the sign-out button. */
export function SessionMenu() {
  const session = useSession();
  const { second } = useTime();
  const leave = useSignOut();
  return (
    <Menu name="Session" renderButton={(props) => <IconButton icon={CircleUser} name="Session" {...props} />}>
      <div className="flex min-w-60 flex-col gap-3">
        <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1">
          <dt className="text-dim">Account</dt>
          <dd className="text-right text-strong">{session.account.name}</dd>
          <dt className="text-dim">API key</dt>
          <Credential credential={session.credentials.api} />
          <dt className="text-dim">ServiceKey</dt>
          <Credential credential={session.credentials.service} />
          <dt className="text-dim">Session ends</dt>
          <dd className="num text-right text-12">{second(session.expiresAt)}</dd>
        </dl>
        {leave.isError && (
          <p role="alert" className="text-stale">
            Sign-out failed: {leave.error.message}. Try again.
          </p>
        )}
        <Button look="plain" icon={LogOut} disabled={leave.isPending} onClick={() => leave.mutate()}>
          Sign out
        </Button>
      </div>
    </Menu>
  );
}

function Credential({ credential }: { readonly credential: ShownCredential | null }) {
  if (credential === null) return <dd className="text-right text-dim">none</dd>;
  return (
    <dd className="num text-right text-12" title={credential.label}>
      {credential.shown}
    </dd>
  );
}
