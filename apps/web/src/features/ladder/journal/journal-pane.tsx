import { infoCredits } from '@l4desk/protocol';
import { Download, ShieldCheck } from 'lucide-react';
import { memo, type ReactNode, useMemo } from 'react';
import type { JournalEntry, JournalHit } from '../../../book-worker/journal.ts';
import { useJournal } from '../../../book-worker/journal-store.ts';
import { useBook, useLive } from '../../../book-worker/use-book.ts';
import { factsText } from '../../../book-worker/watch-texts.ts';
import { useActions } from '../../../hooks/actions.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { exportFileName } from '../../../ui/export/csv.ts';
import { downloadText } from '../../../ui/export/download.ts';
import { clockText, counted, momentText, wholeText, zoneText } from '../../../ui/format.ts';
import { PriceTag } from '../../../ui/price-tag.tsx';
import { Select } from '../../../ui/select.tsx';
import { useWalletText } from '../../../wallets/wallet-book.ts';
import { useBookPage } from '../book-page.ts';
import { PaneHint } from '../pane-hint.tsx';
import { countsText, journalText, newestFirst, rebuiltDetails } from './journal-texts.ts';
import { everyText, VERIFY_INTERVALS, verifyCreditsPerDay } from './use-auto-verify.ts';

const HITS_LISTED = 200;

/** What happened to the followed books since the page was opened, and their proof. */
export function JournalPane() {
  const entries = useJournal((state) => state.entries);
  const dropped = useJournal((state) => state.dropped);
  const hits = useJournal((state) => state.hits);
  const counts = useJournal((state) => state.counts);
  const lines = useMemo(() => newestFirst(entries, hits.slice(-HITS_LISTED)), [entries, hits]);
  const unlisted = counts.hits - HITS_LISTED;
  useActions('Journal', [{ id: 'audit log', label: 'Export the audit log as JSON', run: exportJournal }], 'Exports');
  return (
    <div data-part="journal" className="flex min-h-0 grow flex-col">
      <Proof />
      <p data-part="journal-counts" className="num border-b border-line px-3 py-1 text-12 text-dim">
        {countsText(counts)}
        {unlisted > 0 && ` (the last ${HITS_LISTED} are listed)`}
        {dropped > 0 && ` · ${counted(dropped, 'older entry', 'older entries')} dropped`}
      </p>
      {lines.length === 0 ? (
        <PaneHint>
          Rebuilds with what they hid, comparisons, suspicions and watch rules that fired are kept here.
        </PaneHint>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
        <ol aria-label="Journal" tabIndex={0} data-arrows className="min-h-0 grow overflow-y-auto">
          {lines.map((line) =>
            'hit' in line ? (
              <Hit key={`hit ${line.serial}`} noted={line} />
            ) : (
              <Entry key={`entry ${line.serial}`} entry={line} />
            ),
          )}
        </ol>
      )}
    </div>
  );
}

function Proof() {
  const live = useLive();
  const everyS = usePreferences((state) => state.verifyEveryS);
  const set = usePreferences((state) => state.set);
  const mayVerify = useBook(
    ({ integrity, status }) =>
      (integrity.state === 'live' || integrity.state === 'suspect') && status?.verification?.kind !== 'running',
  );
  return (
    <div className="flex flex-wrap items-center gap-x-1 border-b border-line px-1 py-0.5">
      <Button icon={ShieldCheck} disabled={!mayVerify} onClick={() => live.verify()}>
        Verify <PriceTag credits={infoCredits('l4BookSnapshot')} short />
      </Button>
      <Select
        name="Verify automatically"
        caption="auto"
        value={String(everyS)}
        options={VERIFY_INTERVALS.map((seconds) => ({ value: String(seconds), text: intervalText(seconds) }))}
        onChange={(value) => set({ verifyEveryS: Number(value) })}
      />
      <Button icon={Download} title="Saves the audit log of this session as JSON" onClick={exportJournal}>
        Audit log
      </Button>
    </div>
  );
}

function intervalText(seconds: number): string {
  return seconds === 0
    ? everyText(seconds)
    : `${everyText(seconds)} · ${wholeText(verifyCreditsPerDay(seconds))} credits a day`;
}

function exportJournal(): void {
  const { entries, dropped, hits, hitsDropped, counts } = useJournal.getState();
  const log = { exportedAt: new Date().toISOString(), counts, dropped, entries, hitsDropped, hits };
  downloadText(
    exportFileName(['audit-log'], new Date(), 'json'),
    'application/json',
    `${JSON.stringify(log, null, 2)}\n`,
  );
}

const Entry = memo(function Entry({ entry }: { readonly entry: JournalEntry }) {
  return (
    <Line kind={entry.kind} at={entry.at} coin={entry.coin} isWarning={isWarning(entry)} text={journalText(entry)}>
      {entry.kind === 'rebuilt' && (
        <ul className="num mt-0.5 pl-6 text-11 text-dim">
          {rebuiltDetails(entry).map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      )}
    </Line>
  );
});

const Hit = memo(function Hit({ noted: { at, hit } }: { readonly noted: JournalHit }) {
  const text = `watch: ${factsText(hit.facts, useWalletText())}`;
  return <Line kind="watch" at={at} coin={hit.coin} isWarning={false} text={text} block={hit.height} />;
});

interface LineProps {
  readonly kind: string;
  readonly at: number;
  readonly coin: string;
  readonly isWarning: boolean;
  readonly text: string;
  /** The block to go to with a press on the text. */
  readonly block?: number;
  readonly children?: ReactNode;
}

function Line({ kind, at, coin, isWarning: warns, text, block, children }: LineProps) {
  const live = useLive();
  const zone = usePreferences((state) => state.timeZone);
  const page = useBookPage();
  return (
    <li data-kind={kind} className="border-b border-line px-3 py-1 text-12">
      <div className="flex gap-x-2">
        <time className="num shrink-0 text-dim" dateTime={new Date(at).toISOString()} title={momentText(at, zone)}>
          {clockText(at, zone).slice(0, 8)} {zoneText(zone, at)}
        </time>
        <span aria-hidden className={classNames('w-3 shrink-0 text-center', warns ? 'text-stale' : 'text-dim')}>
          {warns ? '▲' : '·'}
        </span>
        <span className={classNames('num min-w-0 wrap-anywhere', warns ? 'text-stale' : 'text-text')}>
          {coin === page.coin ? '' : `${coin}: `}
          {block === undefined || coin !== page.coin ? (
            text
          ) : (
            <button
              type="button"
              className="text-left underline decoration-edge underline-offset-2 hover:decoration-current"
              title={`Show block ${wholeText(block)}, or the oldest that is kept`}
              onClick={() => live.travel({ kind: 'height', height: block })}
            >
              {text}
            </button>
          )}
        </span>
      </div>
      {children}
    </li>
  );
}

function isWarning(entry: JournalEntry): boolean {
  switch (entry.kind) {
    case 'rebuilt':
    case 'finding':
    case 'disproved':
    case 'suspect':
    case 'stale':
      return true;
    case 'verified':
      return entry.outcome !== 'equal';
    default:
      return false;
  }
}
