import { ShieldCheck } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { BOOK_STATE_TEXTS } from '../../book-worker/integrity.ts';
import type { BookState } from '../../book-worker/live.ts';
import type { LiveStatus, VerificationReport } from '../../book-worker/messages.ts';
import { useBook, useLive } from '../../book-worker/use-book.ts';
import { useWithKey } from '../../hooks/actions.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Digits } from '../../ui/digits.tsx';
import { ageText, counted, secondsText, shortEpoch, wholeText } from '../../ui/format.ts';
import { useTime } from '../../ui/use-time.ts';
import { useAutoVerify } from './journal/use-auto-verify.ts';
import { BlockAge, useAgeHint } from './status/block-age.tsx';

/** How long a recovered gap stays visible. */
const HEALED_MS = 60_000;

/**
 * The proof of the book: its state, its position in the stream, the number of gaps, and its age. The line's height never changes,
 * because otherwise the rows below would jump just when something happens. What does not fit is left out, the last part first,
 * and is in the title.
 */
export function IntegrityLine() {
  const description = useId();
  const { state, reason, headline } = useBook(({ integrity }) => integrity);
  const status = useBook((book) => book.status);
  const { coin, gaps, roundTripMs } = status ?? {};
  const { epoch, height } = status?.position ?? {};
  const position = positionAttributes(status);
  const title = useBook(titleOf);
  const ageHint = useAgeHint();
  const proven = state === 'live';
  useAutoVerify();
  return (
    <div className="min-w-0 @max-row:basis-full @row:relative @row:grow @row:self-stretch">
      <div className="isolate flex min-w-0 items-center gap-x-2 @max-row:justify-between @max-row:pl-2 @row:own-layout @row:justify-end">
        <output
          aria-label="Book integrity"
          aria-describedby={description}
          aria-live="off"
          data-part="integrity"
          data-state={state}
          data-reason={reason}
          data-coin={coin}
          data-epoch={epoch}
          data-gaps={gaps}
          {...position}
          title={title}
          className="num flex h-[1lh] min-w-0 flex-wrap content-start items-center gap-x-2 overflow-hidden text-12 text-dim max-sm:h-[2lh] max-sm:gap-x-3"
        >
          <span className={classNames('font-semibold sm:whitespace-nowrap', proven ? 'text-exact' : 'text-stale')}>
            <span aria-hidden>{BOOK_STATE_TEXTS[state].sign} </span>
            {headline}
          </span>
          {state === 'recorded' && <RecordedBlock />}
          {epoch !== undefined && (
            <>
              <Part>
                <BlockAge hint={ageHint} />
              </Part>
              {roundTripMs !== undefined && (
                <Part title="Link: round trip between this page and the service">
                  link <Digits room={5}>{ageText(roundTripMs)}</Digits>
                </Part>
              )}
              <Part>block {height === undefined ? '' : wholeText(height)}</Part>
              {(proven || state === 'suspect') && <Proved />}
              <Verified />
            </>
          )}
          {gaps !== undefined && state !== 'recorded' && <Gaps />}
          {epoch !== undefined && (
            <>
              <Part>seq {position['data-seq'] === undefined ? '' : wholeText(position['data-seq'])}</Part>
              <Part>epoch {shortEpoch(epoch)}</Part>
            </>
          )}
        </output>
        <span id={description} hidden>
          {headline}: {reason}
        </span>
        <VerifyButton mayVerify={proven || state === 'suspect'} />
      </div>
    </div>
  );
}

function positionAttributes(status: LiveStatus | undefined) {
  return {
    'data-height': (status?.recorded === undefined ? status?.position : status.frozen)?.height,
    'data-seq': status?.position?.seq,
    'data-usual-ms': status?.times.usual && Math.round(status.times.usual.usualMs),
  };
}

function titleOf({ integrity, status }: BookState): string {
  const position = status?.position;
  const place =
    position === undefined ? '' : `\nblock ${position.height}, seq ${position.seq}, epoch ${position.epoch}`;
  return `${integrity.headline}: ${integrity.reason}${place}`;
}

interface PartProps {
  readonly children: ReactNode;
  readonly title?: string | undefined;
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

function Gaps() {
  const detail = useBook(({ status }) => status?.lastGap?.detail);
  const healing = useBook(({ status, now }) => {
    const at = status?.lastGap?.at;
    return at === undefined || now - at > HEALED_MS ? '' : `, last ${secondsText(now - at)} ago`;
  });
  const count = useBook(({ status }) => counted(status?.gaps ?? 0, 'gap'));
  return (
    <Part warn={healing !== ''} title={detail}>
      {count}
      {healing}
    </Part>
  );
}

/** Result of the last comparison with a fresh snapshot. */
function Verified() {
  const outcome = useBook(({ status }) => status?.verification?.kind ?? 'none');
  const text = useBook(({ status, now }) => describeReport(status?.verification, now).text);
  const detail = useBook(({ status, now }) => describeReport(status?.verification, now).detail);
  const isProved = useBook(({ status }) => isProvedNow(status));
  // Next to a proof at every block, this would read as if nothing were proved.
  if (outcome === 'none' && isProved) return null;
  return (
    <Part warn={outcome === 'different' || outcome === 'failed'} title={detail}>
      <span data-part="verification" data-outcome={outcome}>
        {text}
      </span>
    </Part>
  );
}

/** The shown block of a recording, and its time; the live book is not followed meanwhile. */
function RecordedBlock() {
  const height = useBook(({ status }) => status?.frozen?.height);
  const at = useBook(({ status }) => status?.frozen?.blockTime);
  const name = useBook(({ status }) => status?.recorded?.name);
  const { moment } = useTime();
  return (
    <>
      {height !== undefined && at !== undefined && (
        <>
          <Part>block {wholeText(height)}</Part>
          <Part>{moment(at)}</Part>
        </>
      )}
      <Part title="The live book is not followed while a recording is shown: it costs nothing, and no watch rule looks at it.">
        live book not followed
      </Part>
      <Part>{name}</Part>
    </>
  );
}

/** Whether the service's checksum matches the book; it is compared after each block. */
function Proved() {
  const isProved = useBook(({ status }) => isProvedNow(status));
  if (!isProved) return null;
  return (
    <Part title={PROVED_TITLE}>
      <span data-part="proof">
        {/* On a narrower screen a sign with a title, so that the result of a comparison has room too. */}
        <span className="@max-[1679px]/title:sr-only">proved at every block</span>
        <span aria-hidden className="before:content-['✓'] @min-[1680px]/title:hidden" />
      </span>
    </Part>
  );
}

const PROVED_TITLE = `Each block carries a checksum of the service's whole book, queue order included.
This page's book had the same one after the last block; with a different one it would be rebuilt, and the journal would say so.`;

function isProvedNow(status: LiveStatus | undefined): boolean {
  return status?.position !== undefined && status.position.height === status.provedHeight;
}

/** Requests a comparison order by order. */
function VerifyButton({ mayVerify }: { readonly mayVerify: boolean }) {
  const live = useLive();
  const withKey = useWithKey();
  const isRunning = useBook(({ status }) => status?.verification?.kind === 'running');
  return (
    <Button
      icon={ShieldCheck}
      aria-label="Verify now"
      disabled={!mayVerify}
      // Not disabled: it would lose the focus.
      aria-busy={isRunning}
      title={withKey('Compares every order with a fresh snapshot, queue order included, for 1 credit', 'verify now')}
      onClick={() => isRunning || live.verify()}
    >
      <span className="@max-[1679px]/title:sr-only">{isRunning ? 'Verifying' : 'Verify'}</span>
    </Button>
  );
}

/** A comparison in a few words, and in a sentence. */
export function describeReport(report: VerificationReport | undefined, now: number) {
  switch (report?.kind) {
    case undefined:
      return { text: 'not verified', detail: 'Not yet compared with a fresh snapshot.' };
    case 'running':
      return { text: 'verifying', detail: 'Comparing every order with a fresh snapshot.' };
    case 'equal':
      return {
        text: `verified ${secondsText(now - report.at)} ago · ${counted(report.orders, 'order')}`,
        detail: `${counted(report.orders, 'order')} match at block ${wholeText(report.height)}, in ${ageText(report.tookMs)}.`,
      };
    case 'different':
      return { text: `differed ${secondsText(now - report.at)} ago`, detail: `${report.detail}: rebuilt.` };
    case 'failed':
      return { text: 'not verified', detail: `${report.detail}.` };
  }
}
