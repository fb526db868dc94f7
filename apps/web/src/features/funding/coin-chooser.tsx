import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { coinsQuery } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Popover } from '../../ui/popover.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { TextField } from '../../ui/text-field.tsx';
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
          <Button look="plain" onClick={() => add(name)}>
            Add “{name}” <PriceTag credits={credits} />
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
