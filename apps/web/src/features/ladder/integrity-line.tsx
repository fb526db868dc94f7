import { ShieldCheck } from 'lucide-react';
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

/**
 * The proof of the book: its state, its position in the stream, how often the stream broke, and how far it is away. Its
 * height never changes, or the rows below would jump at the very moment something happens: what finds no room is left
 * out, the last first, and stands in the title.
 */
export function IntegrityLine() {
  const status = useLiveStatus();
  const integrity = useIntegrity();
  const now = useNow();
  const { kind, reason, since } = integrity;
  const position = status?.position;
  const proven = isProven(kind);
  const age = since === undefined ? '' : ` (${secondsText(now - since)})`;
  const place =
    position === undefined ? '' : `\nblock ${position.height}, seq ${position.seq}, epoch ${position.epoch}`;
  return (
    <div className="flex min-w-0 items-center gap-x-2 max-xl:basis-full max-xl:justify-between max-xl:pl-2 xl:justify-end">
      <output
        aria-label="Book integrity"
        aria-live="off"
        title={`${reason}${age}${place}`}
        data-part="integrity"
        data-state={kind}
        data-reason={reason}
        data-coin={status?.coin}
        data-height={position?.height}
        data-seq={position?.seq}
        data-epoch={position?.epoch}
        data-gaps={status?.gaps}
        className="num flex h-4 min-w-0 flex-wrap content-start items-center gap-x-2 overflow-hidden text-12 text-dim max-sm:h-8"
      >
        <span className={classNames('font-semibold whitespace-nowrap', proven ? 'text-exact' : 'text-stale')}>
          <span aria-hidden>{SIGNS[kind]} </span>
          {kind.toUpperCase()}
          {kind !== 'exact' && since !== undefined && ` ${secondsText(now - since)}`}
        </span>
        {position !== undefined && (
          <>
            <Part>block {wholeText(position.height)}</Part>
            <Part>seq {wholeText(position.seq)}</Part>
            <Part>epoch {shortEpoch(position.epoch)}</Part>
          </>
        )}
        {status !== undefined && <Gaps status={status} now={now} />}
        {proven && status?.roundTripMs !== undefined && (
          <Part title="A message to the service and back">{ageText(status.roundTripMs)}</Part>
        )}
      </output>
      <VerifyButton report={status?.verification} proven={proven} now={now} />
    </div>
  );
}

interface PartProps {
  readonly children: ReactNode;
  readonly title?: string;
  /** Comes before the others, so that it has room. */
  readonly warn?: boolean;
}

function Part({ children, title, warn = false }: PartProps) {
  return (
    <span className={classNames('flex gap-x-2 whitespace-nowrap', warn ? 'order-1' : 'order-2')}>
      <span aria-hidden className="max-sm:hidden">
        ·
      </span>
      <span title={title} className={classNames(warn && 'text-stale')}>
        {children}
      </span>
    </span>
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

interface VerifyButtonProps {
  readonly report: VerificationReport | undefined;
  readonly proven: boolean;
  readonly now: number;
}

/** Asks for the proof order by order, and shows what came of it last. */
function VerifyButton({ report, proven, now }: VerifyButtonProps) {
  const live = useLive();
  const { text, detail, warn } = describeReport(report, now);
  return (
    <Button
      icon={ShieldCheck}
      aria-label={report === undefined ? 'Verify now' : `Verify now: ${text}`}
      disabled={!proven || report?.kind === 'running'}
      title={`${detail}Compares every order with a fresh snapshot, queue order included (1 credit).`}
      onClick={() => live.verify()}
    >
      <span
        data-part="verification"
        data-outcome={report?.kind ?? 'none'}
        className={classNames('max-lg:sr-only lg:text-left xl:min-w-36', warn && 'text-stale')}
      >
        {text}
      </span>
    </Button>
  );
}

function describeReport(report: VerificationReport | undefined, now: number) {
  switch (report?.kind) {
    case undefined:
      return { text: 'Verify now', detail: '', warn: false };
    case 'running':
      return { text: 'Verifying', detail: '', warn: false };
    case 'equal': {
      const detail = `${counted(report.orders, 'order')} equal at block ${wholeText(report.height)}, in ${ageText(report.tookMs)}. `;
      return { text: `Verified ${secondsText(now - report.at)} ago`, detail, warn: false };
    }
    case 'different':
      return {
        text: `Differed ${secondsText(now - report.at)} ago`,
        detail: `${report.detail}: rebuilt. `,
        warn: true,
      };
    case 'failed':
      return { text: 'Not verified', detail: `${report.detail}. `, warn: true };
  }
}
