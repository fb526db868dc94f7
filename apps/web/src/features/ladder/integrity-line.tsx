import { RefreshCw, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNow } from '../../hooks/use-now.ts';
import { type IntegrityKind, isProven } from '../../live/integrity.ts';
import { useLive, useLiveStatus } from '../../live/live-context.tsx';
import type { LiveStatus, VerificationReport } from '../../live/messages.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ageText, counted, secondsText, shortEpoch, wholeText } from '../../ui/format.ts';
import { useIntegrity } from './use-integrity.ts';

/** A gap that healed stays in sight this long. */
const HEALED_MS = 60_000;

const SIGNS: Readonly<Record<IntegrityKind, string>> = {
  exact: '●',
  quiet: '●',
  syncing: '◌',
  stale: '▲',
  stopped: '■',
};

/** The proof of the book: its state, its position in the stream, how often the stream broke, and how far it is away. */
export function IntegrityLine() {
  const status = useLiveStatus();
  const integrity = useIntegrity();
  const now = useNow();
  const live = useLive();
  const { kind, reason, since } = integrity;
  const position = status?.position;
  const proven = isProven(kind);
  const verifying = status?.verification?.kind === 'running';
  return (
    <div className="flex min-w-0 flex-wrap items-center justify-end gap-x-2">
      <div
        role="status"
        aria-label="Book integrity"
        aria-live="off"
        title={since === undefined ? reason : `${reason} (${secondsText(now - since)})`}
        data-part="integrity"
        data-state={kind}
        data-reason={reason}
        data-coin={status?.coin}
        data-height={position?.height}
        data-seq={position?.seq}
        data-epoch={position?.epoch}
        data-gaps={status?.gaps}
        className="num flex min-w-0 flex-wrap items-center gap-x-2 text-12 text-dim"
      >
        <span className={classNames('font-semibold', proven ? 'text-bid' : 'text-stale')}>
          <span aria-hidden>{SIGNS[kind]} </span>
          {kind.toUpperCase()}
        </span>
        {kind === 'quiet' && since !== undefined && <Part>no change {secondsText(now - since)}</Part>}
        {!proven && (
          <Part strong>
            {reason}
            {since !== undefined && ` ${secondsText(now - since)}`}
          </Part>
        )}
        {position !== undefined && (
          <>
            <Part>block {wholeText(position.height)}</Part>
            <Part>seq {wholeText(position.seq)}</Part>
            <Part title={`epoch ${position.epoch}`}>epoch {shortEpoch(position.epoch)}</Part>
          </>
        )}
        {status !== undefined && <Gaps status={status} now={now} />}
        {proven && status?.roundTripMs !== undefined && (
          <Part title="A message to the service and back">{ageText(status.roundTripMs)}</Part>
        )}
        {status?.verification !== undefined && <Verified report={status.verification} now={now} />}
      </div>
      <Button
        icon={verifying ? RefreshCw : ShieldCheck}
        disabled={!proven || verifying}
        title="Compares every order with a fresh snapshot, queue order included (1 credit)"
        onClick={() => live.verify()}
      >
        Verify now
      </Button>
    </div>
  );
}

interface PartProps {
  readonly children: ReactNode;
  readonly title?: string;
  readonly strong?: boolean;
  readonly warn?: boolean;
}

function Part({ children, title, strong = false, warn = false }: PartProps) {
  return (
    <>
      <span aria-hidden>·</span>
      <span title={title} className={classNames(strong && 'text-text', warn && 'text-stale')}>
        {children}
      </span>
    </>
  );
}

function Gaps({ status: { gaps, lastGap }, now }: { readonly status: LiveStatus; readonly now: number }) {
  if (lastGap === undefined || now - lastGap.at > HEALED_MS) {
    return <Part {...(lastGap === undefined ? {} : { title: lastGap.detail })}>{counted(gaps, 'gap')}</Part>;
  }
  return (
    <Part warn title={lastGap.detail}>
      {counted(gaps, 'gap')}, last {secondsText(now - lastGap.at)} ago
    </Part>
  );
}

function Verified({ report, now }: { readonly report: VerificationReport; readonly now: number }) {
  switch (report.kind) {
    case 'running':
      return <Part>verifying</Part>;
    case 'equal':
      return (
        <Part title={`${counted(report.orders, 'order')} equal at block ${wholeText(report.height)}, took ${ageText(report.tookMs)}`}>
          <span data-part="verified">verified {secondsText(now - report.at)} ago</span>
        </Part>
      );
    case 'different':
      return (
        <Part warn title={report.detail}>
          differed from the snapshot {secondsText(now - report.at)} ago, rebuilt
        </Part>
      );
    case 'failed':
      return (
        <Part warn title={report.detail}>
          not verified: {report.detail}
        </Part>
      );
  }
}
