import { TransportError } from '@l4desk/client';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { diagnosticsText } from '../ui/page/diagnostics.ts';
import { Message } from './message.tsx';

/** Replaces a page that failed: says what happened and what to do. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const unreachable = error instanceof TransportError;
  const diagnostics = () =>
    diagnosticsText({ error, location: window.location, userAgent: navigator.userAgent, at: new Date() });
  return (
    <Message title={unreachable ? 'The service is not responding' : 'This page failed'}>
      <p>
        {unreachable
          ? 'Nothing can be shown until it responds. Check that it is running, then try again.'
          : 'The error is in this page; the service and its data are not affected. Reload to restart the page.'}
      </p>
      <p className="num text-12 break-words text-dim">{error instanceof Error ? error.message : String(error)}</p>
      <div className="flex gap-2">
        <Button look="primary" onClick={() => window.location.reload()}>
          {unreachable ? 'Try again' : 'Reload'}
        </Button>
        <CopyButton what="diagnostics" text={diagnostics} wide />
      </div>
    </Message>
  );
}
