import type { SessionRequest, SessionState } from '@l4desk/protocol';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useLocation, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { useStore } from 'zustand';
import { commandLine } from '../api/command-line.ts';
import { signIn } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { SecretField } from '../ui/secret-field.tsx';
import { Message } from './message.tsx';
import { signInAdvice } from './sign-in-advice.ts';
import { useSignOut } from './use-sign-out.ts';

const route = getRouteApi('/sign-in');

/**
 * Creates an API key for the only account. If there are several, the command lists them, and the command to use for one of
 * them.
 */
const CREATE_KEY = `${commandLine()} keys create`;

/** Exchanges keys, or a one-time link, for a session. The page stores no key: it sends the key and forgets it. */
export function SignInPage() {
  const { next } = route.useSearch();
  const { oneTimeToken, sessions } = route.useRouteContext();
  const router = useRouter();
  const signedIn = useStore(sessions.known);
  const endedFor = useLocation({ select: ({ state }) => state.endedFor });
  const [apiKey, setApiKey] = useState('');
  const [serviceKey, setServiceKey] = useState('');
  const sentForKeys = useLocation({ select: ({ state }) => state.otherKeys === true });
  const [wantsOther, setWantsOther] = useState(sentForKeys);
  // The previous view may name wallets of its account, so another account does not return to it.
  const goOn = (account: string) => {
    const isAnother = endedFor !== undefined && endedFor !== account;
    return router.navigate({ href: next === undefined || isAnother ? '/' : next, replace: true });
  };
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: (credentials: SessionRequest) => signIn(credentials),
    onSuccess: async (session) => {
      sessions.set(session);
      await goOn(session.account.id);
    },
    // A used link does not matter if somebody is already signed in.
    onError: async () => void (await sessions.ensure().catch(() => null)),
  });

  useEffect(() => {
    document.title = 'Sign in · L4 Desk';
  }, []);

  const onOtherTab = useEffectEvent(async () => {
    const now = await sessions.ask().catch(() => null);
    if (now !== null) await goOn(now.session.account.id);
  });
  useEffect(() => sessions.onOtherTab(() => void onOtherTab()), [sessions]);

  useEffect(() => {
    const token = oneTimeToken.take();
    if (token !== undefined) mutate({ token });
    // A service that does not respond is reported when the user signs in.
    else void sessions.ensure().catch(() => {});
  }, [oneTimeToken, sessions, mutate]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const keys = {
      ...(apiKey.trim() === '' ? {} : { apiKey: apiKey.trim() }),
      ...(serviceKey.trim() === '' ? {} : { serviceKey: serviceKey.trim() }),
    };
    if (Object.keys(keys).length > 0) mutate(keys);
  };

  const byLink = variables !== undefined && 'token' in variables;
  if (isPending && byLink) {
    return (
      <Message title="Signing in">
        <output>Exchanging the one-time link for a session.</output>
      </Message>
    );
  }
  if (signedIn && !isPending && !wantsOther) {
    return (
      <SignedIn
        session={signedIn.session}
        onContinue={() => void goOn(signedIn.session.account.id)}
        onOther={() => setWantsOther(true)}
      />
    );
  }
  const advice = error === null ? undefined : signInAdvice(error, byLink);
  return (
    <Message title="Sign in to L4 Desk">
      {endedFor !== undefined && error === null && (
        <p role="alert" className="border-l-2 border-stale pl-3 text-text">
          Your session ended: it expired, was signed out elsewhere, or its key was revoked. Sign in again to continue
          where you were.
        </p>
      )}
      <p>
        An exchange’s order book, order by order, live and verified exact, with your wallets’ balances and orders,
        funding rates, limits and credits.
      </p>
      <p className="border-l-2 border-accent pl-3 text-text">
        In a demo, open the link that the service printed on startup as “Sign in: …”. It works once; each start prints a
        new one.
      </p>
      <p>Otherwise paste a key:</p>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <SecretField
          label="API key"
          hint="For the order book and all queries."
          value={apiKey}
          onChange={setApiKey}
          error={advice?.field === 'apiKey' ? advice.text : undefined}
        />
        <SecretField
          label="ServiceKey"
          hint="Optional. For account usage."
          value={serviceKey}
          onChange={setServiceKey}
          error={advice?.field === 'serviceKey' ? advice.text : undefined}
        />
        {advice !== undefined && advice.field === undefined && (
          <p role="alert" className="border-l-2 border-stale pl-3 text-text">
            {advice.text}
          </p>
        )}
        <div className="grid [&>button]:h-9">
          <Button look="primary" submit disabled={isPending || (apiKey.trim() === '' && serviceKey.trim() === '')}>
            {isPending ? 'Signing in' : 'Sign in'}
          </Button>
        </div>
      </form>
      <div className="flex flex-col gap-1 text-dim">
        <p>To create a key, run this on the service’s machine:</p>
        <p className="flex items-center gap-1">
          <code className="num min-w-0 rounded-4 border border-line bg-surface-1 px-2 py-1 text-12 break-words text-text">
            {CREATE_KEY}
          </code>
          <CopyButton what="command" text={() => CREATE_KEY} />
        </p>
        <p>
          If there are several accounts, the command lists them; choose one with{' '}
          <code className="num text-12 text-text">--account</code>.
        </p>
      </div>
      <p className="text-12 text-dim">
        The key is exchanged once for a session kept in this browser; the key itself is not stored.
      </p>
    </Message>
  );
}

interface SignedInProps {
  readonly session: SessionState;
  readonly onContinue: () => void;
  readonly onOther: () => void;
}

/** Shown when somebody is already signed in: a new session replaces theirs. */
function SignedIn({ session: { account, credentials }, onContinue, onOther }: SignedInProps) {
  const leave = useSignOut();
  const keys = [credentials.api, credentials.service].flatMap((key) => key?.shown ?? []);
  return (
    <Message title="You are signed in">
      <p>
        Account <strong className="text-strong">{account.name}</strong>
        {keys.length > 0 && (
          <>
            , signed in with <span className="num text-12">{keys.join(', ')}</span>
          </>
        )}
        . A session with other keys takes the place of this one.
      </p>
      {leave.isError && (
        <p role="alert" className="text-stale">
          Sign-out failed: {leave.error.message}. Try again.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={onContinue}>
          Continue
        </Button>
        <Button look="plain" onClick={onOther}>
          Sign in with other keys
        </Button>
        <Button look="plain" disabled={leave.isPending} onClick={() => leave.mutate()}>
          Sign out
        </Button>
      </div>
    </Message>
  );
}
