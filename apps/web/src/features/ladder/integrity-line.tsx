import { ShieldCheck } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { BOOK_STATE_TEXTS } from '../../book-worker/integrity.ts';
import { useLive } from '../../book-worker/live-context.tsx';
import type { LiveStatus, VerificationReport } from '../../book-worker/messages.ts';
import { type BookView, bookViewNow, useBookView } from '../../book-worker/use-integrity.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ageText, counted, secondsText, shortEpoch, wholeText } from '../../ui/format.ts';
import { LiveText, useLiveAttributes } from './live-text.tsx';

/** A gap that healed stays in sight this long. */
const HEALED_MS = 60_000;

/**
 * The proof of the book: its state, its position in the stream, how often the stream broke, and how far it is away. Its
 * height never changes, or the rows below would jump at the very moment something happens: what finds no room is left
 * out, the last first, and stands in the title.
 */
export function IntegrityLine() {
  const live = useLive();
  const line = useRef<HTMLOutputElement>(null);
  const state = useBookView(({ integrity }) => integrity.state);
  const reason = useBookView(({ integrity }) => integrity.reason);
  const headline = useBookView(({ integrity }) => integrity.headline);
  const coin = useBookView(({ status }) => status?.coin);
  const epoch = useBookView(({ status }) => status?.position?.epoch);
  const gaps = useBookView(({ status }) => status?.gaps);
  const hasRoundTrip = useBookView(({ status }) => status?.roundTripMs !== undefined);
  useLiveAttributes(
    line,
    () => positionAttributes(live.status()),
    () => ({ title: titleOf(bookViewNow(live)) }),
  );
  const proven = state === 'live';
  return (
    <div className="flex min-w-0 items-center gap-x-2 max-xl:basis-full max-xl:justify-between max-xl:pl-2 xl:justify-end">
      <output
        ref={line}
        aria-label="Book integrity"
        aria-live="off"
        data-part="integrity"
        data-state={state}
        data-reason={reason}
        data-coin={coin}
        data-epoch={epoch}
        data-gaps={gaps}
        className="num flex h-4 min-w-0 flex-wrap content-start items-center gap-x-2 overflow-hidden text-12 text-dim max-sm:h-8"
      >
        <span className={classNames('font-semibold whitespace-nowrap', proven ? 'text-exact' : 'text-stale')}>
          <span aria-hidden>{BOOK_STATE_TEXTS[state].sign} </span>
          {headline}
        </span>
        {epoch !== undefined && (
          <>
            <Part>
              block <LiveText read={heightText} />
            </Part>
            <Part>
              seq <LiveText read={seqText} />
            </Part>
            <Part>epoch {shortEpoch(epoch)}</Part>
          </>
        )}
        {gaps !== undefined && <Gaps />}
        {proven && hasRoundTrip && (
          <Part title="Round-trip time to the service">
            <LiveText read={roundTripText} />
          </Part>
        )}
      </output>
      <VerifyButton proven={proven} />
    </div>
  );
}

const heightText = ({ position }: LiveStatus) => (position === undefined ? '' : wholeText(position.height));
const seqText = ({ position }: LiveStatus) => (position === undefined ? '' : wholeText(position.seq));
const roundTripText = ({ roundTripMs }: LiveStatus) => (roundTripMs === undefined ? '' : ageText(roundTripMs));

function positionAttributes(status: LiveStatus | undefined) {
  return { 'data-height': status?.position?.height, 'data-seq': status?.position?.seq };
}

function titleOf({ integrity, status }: BookView): string {
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
  const detail = useBookView(({ status }) => status?.lastGap?.detail);
  const healing = useBookView(({ status, now }) => {
    const at = status?.lastGap?.at;
    return at === undefined || now - at > HEALED_MS ? '' : `, last ${secondsText(now - at)} ago`;
  });
  const count = useBookView(({ status }) => counted(status?.gaps ?? 0, 'gap'));
  return (
    <Part warn={healing !== ''} title={detail}>
      {count}
      {healing}
    </Part>
  );
}

/** Asks for the proof order by order, and shows what came of it last. */
function VerifyButton({ proven }: { readonly proven: boolean }) {
  const live = useLive();
  const outcome = useBookView(({ status }) => status?.verification?.kind ?? 'none');
  const text = useBookView(({ status, now }) => describeReport(status?.verification, now).text);
  const detail = useBookView(({ status, now }) => describeReport(status?.verification, now).detail);
  const warn = outcome === 'different' || outcome === 'failed';
  return (
    <Button
      icon={ShieldCheck}
      aria-label={outcome === 'none' ? 'Verify now' : `Verify now: ${text}`}
      disabled={!proven || outcome === 'running'}
      title={`${detail}Compares every order with a fresh snapshot, queue order included (1 credit).`}
      onClick={() => live.verify()}
    >
      <span
        data-part="verification"
        data-outcome={outcome}
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
      return { text: 'Verify now', detail: '' };
    case 'running':
      return { text: 'Verifying', detail: '' };
    case 'equal': {
      const detail = `${counted(report.orders, 'order')} match at block ${wholeText(report.height)}, in ${ageText(report.tookMs)}. `;
      return { text: `Verified ${secondsText(now - report.at)} ago`, detail };
    }
    case 'different':
      return {
        text: `Differed ${secondsText(now - report.at)} ago`,
        detail: `${report.detail}: rebuilt. `,
      };
    case 'failed':
      return { text: 'Not verified', detail: `${report.detail}. ` };
  }
}
