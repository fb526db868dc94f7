import { ServiceError } from '@l4desk/client';
import { type SessionRequest, type SessionState, visibleText } from '@l4desk/protocol';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useLocation, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { commandLine } from '../api/command-line.ts';
import { signIn } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { sentence } from '../ui/page/advice.ts';
import { Message } from './error-page.tsx';
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
      ...(apiKey === '' ? {} : { apiKey }),
      ...(serviceKey === '' ? {} : { serviceKey }),
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
          Your session ended: it expired, was signed out elsewhere, its key was revoked, or this browser keeps no
          cookies of this page. Sign in again to continue where you were.
        </p>
      )}
      <p>
        An exchange’s order book, order by order, live and verified exact, with your wallets’ balances and orders,
        funding rates, limits and credits.
      </p>
      <p className="border-l-2 border-accent pl-3 text-text">
        In a demo, open the link that the service printed on startup as{' '}
        <span className="whitespace-nowrap">“Sign in: …”</span>. It works once; each start prints a new one.
      </p>
      <p>Otherwise paste a key:</p>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <SecretField
          label="API key"
          hint="For the order book and all queries."
          value={apiKey}
          onChange={(text) => setApiKey(visibleText(text))}
          error={advice?.field === 'apiKey' ? advice.text : undefined}
          isFirst
        />
        <SecretField
          label="ServiceKey"
          hint="Optional. For account usage."
          value={serviceKey}
          onChange={(text) => setServiceKey(visibleText(text))}
          error={advice?.field === 'serviceKey' ? advice.text : undefined}
        />
        {advice !== undefined && advice.field === undefined && (
          <p role="alert" className="border-l-2 border-stale pl-3 text-text">
            {advice.text}
          </p>
        )}
        <div className="grid [&>button]:h-9">
          <Button look="primary" submit disabled={isPending || (apiKey === '' && serviceKey === '')}>
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

interface SecretFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  /** It has the focus when the form is shown, as does a field with an error. */
  readonly isFirst?: boolean;
}

/** A field for a key: masked, without autofill or spell checking. */
function SecretField({ label, hint, value, onChange, error, isFirst = false }: SecretFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [isFirst]);
  useEffect(() => {
    if (error !== undefined) field.current?.focus();
  }, [error]);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium text-strong">
        {label}
      </label>
      <input
        ref={field}
        id={id}
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className="num h-9 w-full rounded-4 border border-edge bg-surface-1 px-3 text-13 aria-invalid:border-stale"
      />
      <p
        id={`${id}-hint`}
        role={error === undefined ? undefined : 'alert'}
        className={error ? 'text-stale' : 'text-dim'}
      >
        {error ?? hint}
      </p>
    </div>
  );
}

interface SignInAdvice {
  /** The field that the error is about; undefined if it is about neither. */
  readonly field: 'apiKey' | 'serviceKey' | undefined;
  readonly text: string;
}

export function signInAdvice(error: Error, byLink: boolean): SignInAdvice {
  if (!(error instanceof ServiceError)) {
    return { field: undefined, text: 'The service is not responding. Check that it is running, then try again.' };
  }
  const field = error.path === 'apiKey' || error.path === 'serviceKey' ? error.path : undefined;
  switch (error.code) {
    case 'unauthorized':
      return byLink
        ? {
            field: undefined,
            text: 'This sign-in link has been used or has expired. Restart the service for a new one, or sign in with a key.',
          }
        : { field, text: 'Unknown or revoked key. Check that you copied all of it.' };
    case 'wrong_credential':
      return { field, text: 'This key belongs in the other field.' };
    case 'too_many_attempts':
      return {
        field,
        text: 'Unknown credential, and too many failed attempts from this address. Check that you copied all of it, or wait a minute.',
      };
    case 'forbidden_origin':
      return { field: undefined, text: `The service does not accept this address. ${sentence(error.message)}` };
    default:
      return { field, text: sentence(error.message) };
  }
}
