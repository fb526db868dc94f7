import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { coinsQuery } from '../../api/session.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DayRangeField } from '../../ui/day-range.tsx';
import { dayText } from '../../ui/format.ts';
import { Popover } from '../../ui/popover.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { FundingPeriod } from './entries.ts';
import { type Asked, DAYS_DEFAULT, DAYS_TEXTS, periodOf } from './period.ts';
import { DAYS, fundingSearch } from './search.ts';
import { COINS_MAX } from './series.tsx';

interface CoinChooserProps {
  readonly coins: readonly string[];
  /** The approximate price of one more coin. */
  readonly credits: number;
  readonly onChange: (coins: readonly string[]) => void;
}

const OFFERED_MAX = 40;

/** Selects up to eight coins: perp coins by checkbox, any other by its name. */
export function CoinChooser({ coins, credits, onChange }: CoinChooserProps) {
  const [wanted, setWanted] = useState('');
  const known = useQuery(coinsQuery).data?.coins.map(({ coin }) => coin) ?? [];
  const name = wanted.trim();
  const offered = [...new Set([...coins, ...known])].filter((coin) => coin.toLowerCase().includes(name.toLowerCase()));
  const isFull = coins.length >= COINS_MAX;
  const isNew = name !== '' && !coins.includes(name) && !known.includes(name);
  const add = (coin: string) => {
    onChange([...coins, coin]);
    setWanted('');
  };
  return (
    <Popover
      name="Coins"
      trigger={
        <Button icon={Plus} look="plain">
          Coins{' '}
          <span className="num text-12 text-dim">
            {coins.length} of {COINS_MAX}
          </span>
        </Button>
      }
    >
      <form
        className="flex w-60 flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = offered;
          if (isFull || name === '') return;
          if (known.includes(name) || offered.length === 0) add(name);
          else if (first !== undefined && !coins.includes(first)) add(first);
        }}
      >
        <TextField label="Coin, such as BTC or xyz:GOLD" value={wanted} onChange={setWanted} />
        {isNew && !isFull && (
          <Button look="plain" price={credits} onClick={() => add(name)}>
            Add “{name}”
          </Button>
        )}
        <fieldset className="flex max-h-72 flex-col overflow-y-auto">
          <legend className="sr-only">Coins on the chart</legend>
          {offered.slice(0, OFFERED_MAX).map((coin) => {
            const isOn = coins.includes(coin);
            return (
              <div key={coin} className={isFull && !isOn ? 'opacity-50' : undefined}>
                <Checkbox
                  text={coin}
                  checked={isOn}
                  onChange={(on) => {
                    if (!on) onChange(coins.filter((other) => other !== coin));
                    else if (!isFull) onChange([...coins, coin]);
                  }}
                />
              </div>
            );
          })}
        </fieldset>
        <p className="text-12 text-dim">
          {isFull ? `Limit of ${COINS_MAX} coins. Remove one first.` : 'Each added coin costs about '}
          {!isFull && <PriceTag credits={credits} />}
        </p>
      </form>
    </Popover>
  );
}

interface PeriodControlsProps {
  readonly asked: Asked;
  readonly now: number;
  /** The current price of a period; 0 if all of it is loaded. */
  readonly priceOf: (period: FundingPeriod) => number;
}

/** Selects the period: the last days, each choice with its price, or explicit days. */
export function PeriodControls({ asked: { days = DAYS_DEFAULT, from, to }, now, priceOf }: PeriodControlsProps) {
  const { change } = usePageSearch(fundingSearch);
  const isRange = from !== undefined || to !== undefined;
  const choose = (next: Asked) =>
    change({ from: undefined, to: undefined, ...next, zoom: undefined, row: undefined }, 'push');
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center">
      <legend className="sr-only">Period</legend>
      {DAYS.map((each) => (
        <Button key={each} aria-pressed={!isRange && each === days} onClick={() => choose({ days: each })}>
          {DAYS_TEXTS[each]}
          {/* Wide enough for any price, so that nothing moves when it changes. */}
          <span className="min-w-10">
            <PriceTag credits={priceOf(periodOf({ days: each }, now))} short />
          </span>
        </Button>
      ))}
      <DayRangeField
        name="Days"
        closed
        none="choose"
        value={{ from, to }}
        max={dayText(now, 'utc')}
        onChange={choose}
      />
    </fieldset>
  );
}
