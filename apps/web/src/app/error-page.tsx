import { ServiceError, TransportError } from '@l4desk/client';
import { useQuery } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { readinessQuery } from '../api/readiness.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { diagnosticsText } from '../ui/page/diagnostics.ts';

export function ErrorPage({ error }: ErrorComponentProps) {
  return error instanceof TransportError ? <Unreachable error={error} /> : <Broken error={error} />;
}

/** An error of the service, or the page's own: only a reload starts the page again. */
function Broken({ error }: { readonly error: unknown }) {
  const isOfService = error instanceof ServiceError;
  return (
    <Message title={isOfService ? 'The service could not open this page' : 'This page failed'}>
      <p>
        {isOfService
          ? 'Nothing was charged. Reload to try again.'
          : 'The error is in this page; the service and its data are not affected. Reload to restart the page.'}
      </p>
      <Detail error={error} text="Reload" onPress={() => window.location.reload()} />
    </Message>
  );
}

/**
 * Opens the page once the service responds again. The window is not reloaded: its live book and the kept minutes would be lost,
 * and while the service is down, the whole page.
 */
function Unreachable({ error }: { readonly error: TransportError }) {
  const router = useRouter();
  const again = useCallback(() => void router.invalidate(), [router]);
  const { dataUpdatedAt: respondedAt } = useQuery(readinessQuery);
  const [since] = useState(respondedAt);
  useEffect(() => {
    if (respondedAt > since) again();
  }, [respondedAt, since, again]);
  return (
    <Message title="The service is not responding">
      <p>Nothing can be shown until it responds. Check that it is running; this page then opens by itself.</p>
      <Detail error={error} text="Try again" onPress={again} />
    </Message>
  );
}

interface DetailProps {
  readonly error: unknown;
  readonly text: string;
  readonly onPress: () => void;
}

function Detail({ error, text, onPress }: DetailProps) {
  const diagnostics = () =>
    diagnosticsText({ error, location: window.location, userAgent: navigator.userAgent, at: new Date() });
  return (
    <>
      <p className="num text-12 break-words text-dim">{error instanceof Error ? error.message : String(error)}</p>
      <div className="flex gap-2">
        <Button look="primary" onClick={onPress}>
          {text}
        </Button>
        <CopyButton what="diagnostics" text={diagnostics} wide />
      </div>
    </>
  );
}

export function NotFoundPage() {
  return (
    <Message title="Page not found">
      <p>The URL may be mistyped, or the page may have moved.</p>
      <Link to="/" className="text-accent underline underline-offset-2">
        Go to the overview
      </Link>
    </Message>
  );
}

export function Message({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · L4 Desk`;
  }, [title]);
  return (
    <main className="flex h-full items-center justify-center p-4">
      <div className="flex w-full max-w-md flex-col gap-3">
        <h1 className="text-20 font-semibold text-strong">{title}</h1>
        {children}
      </div>
    </main>
  );
}
