import { TransportError } from '@l4desk/client';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { responds } from '../api/responds.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { diagnosticsText } from '../ui/page/diagnostics.ts';
import { Message } from './message.tsx';

/** Replaces a page that failed: says what happened and what to do. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return error instanceof TransportError ? <Unreachable error={error} /> : <Broken error={error} />;
}

/** The page's own error: only a reload starts the page again. */
function Broken({ error }: { readonly error: unknown }) {
  return (
    <Message title="This page failed">
      <p>The error is in this page; the service and its data are not affected. Reload to restart the page.</p>
      <Detail error={error} text="Reload" onPress={() => window.location.reload()} />
    </Message>
  );
}

/** How often the service is asked whether it responds again, in ms. */
const EVERY_MS = 2_000;

/**
 * Opens the page once the service responds again. The window is not reloaded: its live book and the kept minutes would be lost,
 * and while the service is down, the whole page (WEB-126).
 *
 * Loop "unreachable": one question per 2 s, sent after the response to the one before; ends with the first response.
 */
function Unreachable({ error }: { readonly error: TransportError }) {
  const router = useRouter();
  const again = useCallback(() => void router.invalidate(), [router]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const wait = () => {
      timer = setTimeout(() => void ask(), EVERY_MS);
    };
    const ask = async () => {
      const isBack = await responds();
      if (isOver) return;
      if (isBack) again();
      else wait();
    };
    wait();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [again]);
  return (
    <Message title="The service is not responding">
      <p>Nothing can be shown until it responds. Check that it is running; this page then opens by itself.</p>
      <Detail error={error} text="Try again" onPress={again} />
    </Message>
  );
}

interface DetailProps {
  readonly error: unknown;
  /** The text of the button that leads on. */
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
