import type { ReactNode } from 'react';
import { useNow } from '../../hooks/use-now.ts';
import { isProven } from '../../live/integrity.ts';
import { useLiveStatus } from '../../live/live-context.tsx';
import { secondsText, wholeText } from '../../ui/format.ts';
import { useIntegrity } from './use-integrity.ts';

interface PaneMessageProps {
  readonly coin: string;
  readonly hasRows: boolean;
  readonly paused: boolean;
}

/** What the pane says over its rows, or in place of them: nothing while they are live. */
export function PaneMessage({ coin, hasRows, paused }: PaneMessageProps) {
  const integrity = useIntegrity();
  const status = useLiveStatus();
  const now = useNow();
  if (paused && status?.frozen !== undefined) {
    const behind = Math.max(0, (status.position?.height ?? 0) - status.frozen.height);
    return (
      <Band tone="accent">
        <strong>PAUSED</strong> at block {wholeText(status.frozen.height)} for {secondsText(now - status.frozen.at)}
        {' · '}
        {behind === 0 ? 'nothing missed' : `${wholeText(behind)} blocks on`}
      </Band>
    );
  }
  if (isProven(integrity.kind)) return null;
  if (!hasRows) {
    return (
      <div className="pointer-events-none absolute inset-0 flex items-center justify-center p-4">
        <p className="text-center text-dim" data-part="pane-state">
          {integrity.kind === 'stopped' ? '' : `The ${coin} book is on its way: `}
          {integrity.reason}
        </p>
      </div>
    );
  }
  const age = integrity.since === undefined ? '' : ` · ${secondsText(now - integrity.since)}`;
  const block = status?.position === undefined ? '' : `, numbers are of block ${wholeText(status.position.height)}`;
  return (
    <Band tone="stale">
      <strong>{integrity.kind === 'syncing' ? 'REBUILDING' : integrity.kind.toUpperCase()}</strong>
      {age} · {integrity.reason}
      {block}
    </Band>
  );
}

function Band({ tone, children }: { readonly tone: 'stale' | 'accent'; readonly children: ReactNode }) {
  return (
    <p
      data-part="pane-state"
      className={`pointer-events-none absolute inset-x-0 top-[22px] border-y px-3 py-0.5 text-center text-12 ${
        tone === 'stale' ? 'border-stale bg-surface-1 text-stale' : 'border-accent bg-accent-soft text-strong'
      }`}
    >
      {children}
    </p>
  );
}
