import { Component, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { diagnosticsText } from './diagnostics.ts';

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
