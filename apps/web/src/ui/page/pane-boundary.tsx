import { Component, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';

interface PaneBoundaryProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** Confines an error to its pane, so that the rest of the page keeps working. */
export class PaneBoundary extends Component<PaneBoundaryProps, { readonly fault: { readonly error: unknown } | null }> {
  override state: { readonly fault: { readonly error: unknown } | null } = { fault: null };

  static getDerivedStateFromError(error: unknown) {
    return { fault: { error } };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === null) return this.props.children;
    const { error } = fault;
    const diagnostics = () =>
      diagnosticsText({ error, location: window.location, userAgent: navigator.userAgent, at: new Date() });
    return (
      <div role="alert" className="m-auto flex max-w-md flex-col gap-3 p-4">
        <h2 className="text-15 font-semibold text-strong">{this.props.name} failed</h2>
        <p>The error is in this pane; the rest of the page and the service’s data are not affected.</p>
        <p className="num text-12 break-words text-dim">{error instanceof Error ? error.message : String(error)}</p>
        <div className="flex gap-2">
          <Button look="primary" onClick={() => this.setState({ fault: null })}>
            Try again
          </Button>
          <CopyButton what="diagnostics" text={diagnostics} wide />
        </div>
      </div>
    );
  }
}

/** Facts that help to find a fault, as text to paste into a report. Contains no secrets. */
export function diagnosticsText(facts: {
  readonly error?: unknown;
  readonly status?: object | undefined;
  readonly location: Location;
  readonly userAgent: string;
  readonly at: Date;
}): string {
  const { error, status, location, userAgent, at } = facts;
  return JSON.stringify(
    {
      product: 'L4 Desk',
      at: at.toISOString(),
      // Without the fragment, which could have held a sign-in token.
      page: location.pathname + location.search,
      browser: userAgent,
      ...(error instanceof Error ? { error: `${error.name}: ${error.message}`, stack: error.stack } : {}),
      ...(status === undefined ? {} : { status }),
    },
    null,
    2,
  );
}
