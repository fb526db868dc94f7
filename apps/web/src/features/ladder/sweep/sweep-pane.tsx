import { useQuery } from '@tanstack/react-query';
import { memo, useRef } from 'react';
import { coinsQuery } from '../../../api/session.ts';
import type { SweepParams } from '../../../book-worker/panes/sweep.ts';
import { useBook, usePane } from '../../../book-worker/use-book.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { Button } from '../../../ui/button.tsx';
import { grouped } from '../../../ui/format.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { readAmount, TypedField } from '../../../ui/text-field.tsx';
import { useBookPage } from '../book-page.ts';
import { useWantedFocus } from '../pane-focus.ts';
import { PaneHint } from '../pane-hint.tsx';
import { DEFAULT_SWEEP, ladderSearch, readSweep, type SweepChoice, type SweepMeasure, writeSweep } from '../search.ts';
import { amountLabel, amountProblem, SweepResult } from './sweep-result.tsx';

/** Orders listed: for a larger sweep, only their number is shown beyond this. */
const LISTED = 1_000;

const SIDES = [
  { value: 'buy', text: 'Buy', hint: 'Takes asks' },
  { value: 'sell', text: 'Sell', hint: 'Takes bids' },
] as const;

const MEASURES = [
  { value: 'sz', text: 'Size', hint: 'A size in the coin' },
  { value: 'ntl', text: 'Notional', hint: 'An amount of USD' },
  { value: 'to', text: 'Price', hint: 'Everything as far as a price' },
] as const;

export function SweepPane() {
  const { choice, known, problem } = useChoice();
  const params = problem === undefined ? sweepOf(choice, known?.szDecimals) : undefined;
  const result = usePane('sweep', params);

  return (
    <section
      aria-label="Sweep preview"
      data-part="sweep"
      data-height={result?.height}
      className="asks flex min-h-0 grow flex-col"
    >
      <SweepForm />
      <div className="answer contents">
        {problem !== undefined ? null : result === undefined ? (
          <PaneHint>Reading which orders, of which wallets, this market order would take …</PaneHint>
        ) : (
          <SweepResult choice={choice} result={result} coin={known} />
        )}
      </div>
    </section>
  );
}

/** What is asked of the worker; undefined while the lot is unknown that a notional is rounded to. */
function sweepOf({ side, measure, amount }: SweepChoice, szDecimals: number | undefined): SweepParams | undefined {
  if (measure !== 'ntl') return { side, amount: measure === 'sz' ? { sz: amount } : { to: amount }, limit: LISTED };
  return szDecimals === undefined ? undefined : { side, amount: { ntl: amount, szDecimals }, limit: LISTED };
}

/** The chosen market order, what is known about its coin, and what is wrong with its amount. */
function useChoice() {
  const { coin } = useBookPage();
  const { choices } = usePageSearch(ladderSearch);
  const choice = readSweep(choices.sweep) ?? DEFAULT_SWEEP;
  const known = useQuery(coinsQuery).data?.coins.find((item) => item.coin === coin);
  // A recording does not contain the lot, which may have been another one.
  const isRecorded = useBook(({ status }) => status?.recorded !== undefined);
  const problem = amountProblem(choice, coin, isRecorded ? undefined : known?.szDecimals);
  return { choice, known, problem };
}

/** The inputs of the sweep. They do not render again when its result changes. */
const SweepForm = memo(function SweepForm() {
  const { coin, level } = useBookPage();
  const { change } = usePageSearch(ladderSearch);
  const { choice, problem } = useChoice();
  const { side, measure } = choice;
  const form = useRef<HTMLFormElement>(null);
  useWantedFocus('sweep', form);
  const set = (next: Partial<SweepChoice>) => change({ sweep: writeSweep({ ...choice, ...next }) });
  const taken = level === undefined ? undefined : level.side === 'A' ? 'buy' : 'sell';
  return (
    <form
      ref={form}
      className="flex flex-wrap items-start gap-2 border-b border-line px-3 py-1.5"
      onSubmit={(event) => event.preventDefault()}
    >
      <Segmented name="Side" value={side} options={SIDES} onChange={(next) => set({ side: next })} />
      <Segmented
        name="Amount by"
        value={measure}
        options={MEASURES}
        onChange={(next) => set({ measure: next, amount: startOf(next, level?.px) })}
      />
      <span className="w-56 max-sm:grow">
        <TypedField
          key={`${measure} ${coin}`}
          label={amountLabel(choice)}
          inline
          unit={<span className="text-12 text-dim">{measure === 'sz' ? coin : 'USD'}</span>}
          value={choice.amount}
          read={(text) => amountIn(choice, text)}
          error="Enter an amount, such as 12.5."
          problem={problem}
          onChange={(next) => set({ amount: next })}
        />
      </span>
      {level !== undefined && taken !== undefined && (
        <Button look="plain" onClick={() => set({ side: taken, measure: 'to', amount: level.px })}>
          {taken === 'buy' ? 'Up' : 'Down'} to {grouped(level.px)}
        </Button>
      )}
    </form>
  );
});

function startOf(measure: SweepMeasure, px: SweepChoice['amount'] | undefined): SweepChoice['amount'] {
  if (measure === 'sz') return '1';
  return measure === 'ntl' ? '100000' : (px ?? '0');
}

function amountIn(choice: SweepChoice, text: string): SweepChoice['amount'] | undefined {
  const amount = readAmount(text);
  return amount !== undefined && readSweep(writeSweep({ ...choice, amount })) ? amount : undefined;
}
