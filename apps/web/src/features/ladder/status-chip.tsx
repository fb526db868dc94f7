import { ShieldCheck } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { BOOK_STATE_TEXTS, type ShownState } from '../../book-worker/integrity.ts';
import type { BookState } from '../../book-worker/live.ts';
import type { LiveStatus, VerificationReport } from '../../book-worker/messages.ts';
import { useBook, useLive } from '../../book-worker/use-book.ts';
import { useWithKey } from '../../hooks/actions.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ageText, counted, secondsText, shortEpoch, wholeText } from '../../ui/format.ts';
import { Popover } from '../../ui/popover.tsx';
import { useTime } from '../../ui/use-time.ts';
import { useAutoVerify } from './journal/use-auto-verify.ts';
import { BlockAge, useAgeHint } from './status/block-age.tsx';

/** How long the chip shows a recovered gap, and the result of a comparison that found an equal book. */
const HEALED_MS = 60_000;
const RESULT_MS = 10_000;

/**
 * The state of the book in one chip: its word and its age, and for a while a gap or the result of a comparison. A press opens what
 * it is made of.
 */
export function StatusChip() {
  const description = useId();
  const { state, reason, headline } = useBook(({ integrity }) => integrity);
  const status = useBook((book) => book.status);
  const { coin, gaps } = status ?? {};
  const { epoch } = status?.position ?? {};
  const title = useBook(titleOf);
  const ageHint = useAgeHint();
  const proven = state === 'live';
  useAutoVerify();
  return (
    <div className="min-w-0 @max-[64em]/title:basis-full @min-[64em]/title:relative @min-[64em]/title:grow @min-[64em]/title:self-stretch">
      <div className="isolate flex min-w-0 items-center gap-x-1 @max-[64em]/title:justify-between @min-[64em]/title:own-layout @min-[64em]/title:justify-end">
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
          data-outcome={status?.verification?.kind ?? 'none'}
          {...positionAttributes(status)}
          className="flex min-w-0"
        >
          <Popover
            name="What the book’s state is made of"
            align="end"
            trigger={
              <button
                type="button"
                title={title}
                className={classNames(
                  'num flex h-[max(var(--control),1lh)] min-w-0 items-center gap-x-1.5 rounded-4 border px-2 text-12 whitespace-nowrap text-text hover:bg-surface-2 aria-expanded:bg-surface-2',
                  proven ? 'border-edge' : 'border-stale',
                )}
              >
                <span
                  className={classNames(
                    'font-semibold',
                    headline === BOOK_STATE_TEXTS[state].word ? 'shrink-0' : 'truncate',
                    proven ? 'text-exact' : 'text-stale',
                  )}
                >
                  <span aria-hidden>{BOOK_STATE_TEXTS[state].sign} </span>
                  {headline}
                </span>
                {epoch !== undefined && (
                  <span className={classNames('text-dim', headline !== BOOK_STATE_TEXTS[state].word && 'sr-only')}>
                    <span aria-hidden>· </span>
                    <BlockAge hint={ageHint} isShort />
                  </span>
                )}
                <News />
              </button>
            }
          >
            <Details />
          </Popover>
        </output>
        <span id={description} hidden>
          {headline}: {reason}
        </span>
        <VerifyButton mayVerify={proven || state === 'suspect'} />
      </div>
    </div>
  );
}

/** What happened lately: a gap, or the result of a comparison; one that failed stays until the next. */
function News() {
  const gap = useBook(({ status, now }) => {
    const at = status?.lastGap?.at;
    if (status === undefined || at === undefined || status.recorded !== undefined || now - at > HEALED_MS) return '';
    return `${counted(status.gaps, 'gap')}, last ${secondsText(now - at)} ago`;
  });
  const result = useBook(({ status, now }) => {
    const report = status?.verification;
    if (report?.kind === 'equal' && now - report.at > RESULT_MS) return '';
    return report === undefined ? '' : describeReport(report, now).text;
  });
  const isBad = useBook(({ status }) => ['different', 'failed'].includes(status?.verification?.kind ?? ''));
  return (
    <>
      {gap !== '' && <span className="truncate text-stale">· {gap}</span>}
      {result !== '' && <span className={classNames('truncate', isBad ? 'text-stale' : 'text-dim')}>· {result}</span>}
    </>
  );
}

/** What the state is made of, each part with what it means. */
function Details() {
  const { state, reason } = useBook(({ integrity }) => integrity);
  const status = useBook((book) => book.status);
  const report = useBook(({ status: of, now }) => describeReport(of?.verification, now));
  const ageHint = useAgeHint();
  const { moment } = useTime();
  if (status === undefined) return <p className="max-w-80 text-12">{reason}</p>;
  const { position, frozen, recorded, gaps, lastGap, roundTripMs } = status;
  const isLive = recorded === undefined;
  const shown = isLive ? position : frozen;
  return (
    <dl data-part="proof-details" className="grid max-w-96 grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-12">
      <Detail name="state" hint={`${reason}.`}>
        {BOOK_STATE_TEXTS[state].word}
      </Detail>
      {!isLive && (
        <Detail
          name="recording"
          hint="The live book is not followed while a recording is shown: it costs nothing, and no watch rule looks at it."
        >
          {recorded.name}
        </Detail>
      )}
      {isLive && position !== undefined && (
        <Detail name="age" hint={ageHint ?? ''}>
          <BlockAge isShort />
        </Detail>
      )}
      {isLive && roundTripMs !== undefined && (
        <Detail name="link" hint="Round trip between this page and the service">
          {ageText(roundTripMs)}
        </Detail>
      )}
      {shown !== undefined && (
        <Detail name="block" hint={moment(shown.blockTime)}>
          {wholeText(shown.height)}
        </Detail>
      )}
      {isLive && position !== undefined && (
        <>
          <Detail name="seq" hint="The number of the coin’s last change; each follows the one before, or it is a gap">
            {wholeText(position.seq)}
          </Detail>
          <Detail
            name="epoch"
            hint={`The service’s numbering of changes, which a rebuild starts anew: ${position.epoch}`}
          >
            {shortEpoch(position.epoch)}
          </Detail>
        </>
      )}
      {isLive && (
        <>
          <Detail name="gaps" hint={lastGap?.detail ?? 'Blocks that were not seen since the page was opened'}>
            {counted(gaps, 'gap')}
          </Detail>
          <Detail name="checksum" hint={PROVED_HINT}>
            <span data-part="proof">{isProvedNow(status, state) ? 'proved at every block' : 'not proved'}</span>
          </Detail>
          <Detail name="comparison" hint={report.detail}>
            <span data-part="verification">{report.text}</span>
          </Detail>
        </>
      )}
    </dl>
  );
}

interface DetailProps {
  readonly name: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Detail({ name, hint, children }: DetailProps) {
  return (
    <div className="contents" data-detail={name}>
      <dt className="text-dim">{name}</dt>
      <dd>
        <span className="num block text-strong">{children}</span>
        <span className="block text-11 break-words whitespace-pre-line text-dim">{hint}</span>
      </dd>
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

const PROVED_HINT =
  'Each block carries a checksum of the service’s whole book, queue order included. If this page’s book has another one, it is rebuilt, and the journal says so';

function isProvedNow({ position, provedHeight }: LiveStatus, state: ShownState): boolean {
  return (state === 'live' || state === 'suspect') && position !== undefined && position.height === provedHeight;
}

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
