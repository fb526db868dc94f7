import { X } from 'lucide-react';
import { useLive } from '../../../book-worker/use-book.ts';
import type { TrialReport, WatchRule } from '../../../book-worker/watch.ts';
import { factsText } from '../../../book-worker/watch-texts.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { clockText, wholeText } from '../../../ui/format.ts';
import { WithNumbers } from '../../../ui/with-numbers.tsx';
import { useWalletText } from '../../../wallets/wallet-text.ts';
import { trialText, triedText } from './trial-text.ts';

interface TrialResultProps {
  readonly rule: WatchRule;
  readonly report: TrialReport;
  readonly onClose: () => void;
}

/** How often a rule would have fired in the kept minutes, with links to the blocks. */
export function TrialResult({ rule, report, onClose }: TrialResultProps) {
  const live = useLive();
  const walletText = useWalletText();
  const zone = usePreferences((state) => state.timeZone);
  const hits = report.kind === 'done' ? report.tried.hits.toReversed() : [];
  const count = report.kind === 'done' ? (report.tried.counts[0] ?? 0) : 0;
  return (
    <section
      aria-label="Tried on the kept minutes"
      data-part="trial"
      data-state={report.kind}
      data-count={count}
      className="border-b border-line bg-surface-2 pr-1 pl-3 text-12"
    >
      <div className="flex items-center gap-x-2">
        <output className="num">{trialText(report)}</output>
        <span className="ml-auto">
          <IconButton
            icon={X}
            name="Close the trial"
            onClick={({ currentTarget }) => {
              // Back to the button that started it.
              currentTarget.closest('li')?.querySelector('button')?.focus();
              onClose();
            }}
          />
        </span>
      </div>
      {report.kind === 'done' && (
        <p className="text-11 text-dim">
          <WithNumbers text={triedText(report)} /> What stood before the first block does not count.
          {rule.kind === 'suspect' && ' Judged by the times of the blocks: how late they came here is not kept.'}
        </p>
      )}
      {hits.length > 0 && (
        <>
          {count > hits.length && <p className="text-11 text-dim">The last {wholeText(hits.length)}:</p>}
          <ol aria-label="Blocks in which it would have fired" className="max-h-48 overflow-y-auto pb-1">
            {hits.map((hit, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- the list of a finished trial never changes; one block may fire twice
              <li key={`${hit.height} ${at}`} className="flex items-center gap-x-2 whitespace-nowrap">
                <Button title="Show this block" onClick={() => live.travel({ kind: 'height', height: hit.height })}>
                  <span className="num text-12">{clockText(hit.time, zone)}</span>
                </Button>
                <span className="num text-dim">{wholeText(hit.height)}</span>
                <span className="num truncate" title={factsText(hit.facts, walletText)}>
                  {factsText(hit.facts, walletText)}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
