import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNow } from '../../hooks/use-now.ts';
import { usePreferences } from '../../state/preferences.ts';
import { useUpstreamLag } from '../../state/upstream-lag.ts';
import { Button } from '../button.tsx';
import { ageText, secondsText } from '../format.ts';
import { Notice } from '../notice.tsx';
import { adviceOf, isNotServed } from './advice.ts';

/** Says what is loading. Shows nothing in the first 200 ms, in which most responses arrive. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <output className="m-auto block p-4 text-center text-dim motion-safe:animate-[appear_0s_200ms_both]">
      Loading {what}…
    </output>
  );
}

interface EmptyProps {
  /** One sentence that says what would be shown here. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** Shown if there is no data and that is no error. */
export function Empty({ children, action }: EmptyProps) {
  return (
    <div className="m-auto flex max-w-md flex-col items-center gap-3 p-4 text-center text-dim">
      <div>{children}</div>
      {action}
    </div>
  );
}

interface NotLoadedProps {
  /** What would be shown. */
  readonly children: ReactNode;
  readonly action: string;
  readonly credits: number;
  readonly look?: 'primary' | 'plain';
  readonly isBusy?: boolean;
  readonly onLoad: () => void;
}

/** Shown in place of numbers that wait for a click, with what it costs: because of the price, or after a fault. */
export function NotLoaded({ children, action, credits, look = 'primary', isBusy = false, onLoad }: NotLoadedProps) {
  const button = (
    <Button price={credits} look={look} disabled={isBusy} onClick={onLoad}>
      {action}
    </Button>
  );
  return <Empty action={button}>{children}</Empty>;
}

interface FailedProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** The price of the call when it succeeds. */
  readonly credits?: number;
}

/** Shown if a call failed and there is nothing else to show: what happened, what it means, what to do. Fills the pane. */
export function Failed({ error, onRetry, credits }: FailedProps) {
  const zone = usePreferences((state) => state.timeZone);
  const advice = adviceOf(error, zone, false);
  return (
    <div role="alert" className="m-auto flex max-w-md flex-col gap-3 p-4">
      <h2 className="flex items-center gap-2 text-15 font-semibold text-strong">
        <TriangleAlert size={16} strokeWidth={1.75} className="shrink-0 text-stale" aria-hidden />
        {advice.title}
      </h2>
      <p>{advice.text}</p>
      {advice.waitMs !== undefined && <p className="text-dim">Wait {ageText(advice.waitMs)} before trying again.</p>}
      {onRetry && !isNotServed(error) && (
        <Button look="plain" price={credits} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

interface FailedBandProps extends FailedProps {
  readonly kept?: boolean;
  /** What the call was for, if there are several: `BTC`. */
  readonly of?: string;
  /** An action other than retrying. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** A band above earlier numbers after a failed call. */
export function FailedBand({ error, onRetry, credits, kept = true, of, action, children }: FailedBandProps) {
  const zone = usePreferences((state) => state.timeZone);
  const advice = adviceOf(error, zone, kept);
  return (
    <Notice
      action={
        onRetry && !isNotServed(error) ? (
          <Button look="plain" price={credits} onClick={onRetry}>
            Try again
          </Button>
        ) : (
          action
        )
      }
    >
      <strong className="text-strong">
        {of !== undefined && `${of}: `}
        {advice.title}.
      </strong>{' '}
      {advice.text} {children}
    </Notice>
  );
}

interface AgeProps {
  /** When the numbers were current, in ms; undefined if there are none. */
  readonly at: number | undefined;
  /** The age in ms from which they count as stale. */
  readonly staleAfterMs?: number;
  /** They are the service's own: an upstream that is late does not make them older. */
  readonly isOwn?: boolean;
}

/**
 * The age of the numbers, ticking; in amber, with the word “stale”, once they are stale. While the upstream is late, they are as old
 * as its state.
 */
export function Age({ at, staleAfterMs, isOwn = false }: AgeProps) {
  const now = useNow();
  const upstreamLag = useUpstreamLag(({ lagMs }) => lagMs);
  const lag = isOwn ? undefined : upstreamLag;
  if (at === undefined) return <span className="text-dim">no data yet</span>;
  const age = Math.max(0, now - at) + (lag ?? 0);
  const stale = lag !== undefined || (staleAfterMs !== undefined && age > staleAfterMs);
  return (
    <span className={stale ? 'text-stale' : 'text-dim'}>
      {stale && 'stale · '}
      <AgeText ms={age} /> old
    </span>
  );
}

/** How long ago something happened, ticking: `12 s ago`. */
export function Ago({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <>
      <AgeText ms={now - at} /> ago
    </>
  );
}

/** An age in whole seconds that ticks. In a line of controls, space is reserved before the first number. */
export function AgeText({ ms }: { readonly ms: number }) {
  const [number, ...rest] = secondsText(ms).split(' ');
  return (
    <>
      <span className="num inline-block text-right in-data-steady:min-w-[2ch]">{number}</span> {rest.join(' ')}
    </>
  );
}
