import { TARIFF } from '@l4desk/protocol';
import { useState } from 'react';
import { useRadar, useRadarView } from '../../../book-worker/radar/radar.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { counted } from '../../../ui/format.ts';
import { Popover } from '../../../ui/popover.tsx';
import { PriceTag } from '../../../ui/price-tag.tsx';
import { SearchField } from '../../../ui/text-field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { matchingCoins } from '../coin-picker.tsx';
import { RADAR_COINS_MAX, radarCredits, useRadarCoins } from './radar-coins.ts';

/** The choice of coins, their cost, and the button that starts or stops the radar, or confirms another choice of coins. */
export function RadarControls() {
  const radar = useRadar();
  const { coins: followed } = useRadarView();
  const { coins } = useRadarCoins();
  const isOn = followed.length > 0;
  const added = radarCredits(coins.filter((coin) => !followed.includes(coin)).length).now;
  const { perMinute } = radarCredits(coins.length);
  const follow = () => radar.follow(coins);
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1 border-b border-line px-2 py-1">
      <CoinsChooser />
      {isOn && <span className="num text-12 text-dim">{radarCredits(followed.length).perMinute} cr/min</span>}
      {isOn && followed.join() !== coins.join() && (
        <Button look="primary" onClick={follow}>
          Follow {counted(coins.length, 'coin')} · {counted(perMinute, 'credit')} a minute
          {added > 0 && (
            <>
              {' '}
              + <PriceTag credits={added} short />
            </>
          )}
        </Button>
      )}
      <span className="ml-auto">
        {isOn ? (
          <Button look="plain" onClick={() => radar.stop()}>
            Stop
          </Button>
        ) : (
          <Button look="primary" disabled={coins.length === 0} onClick={follow}>
            Start <PriceTag credits={added} short /> then {perMinute} cr/min
          </Button>
        )}
      </span>
    </div>
  );
}

const FIRST = [8, 16, 32, RADAR_COINS_MAX] as const;

/** Chooses the coins: the first of the exchange's list, or any. While the radar runs, the choice has to be confirmed. */
function CoinsChooser() {
  const { coins, all } = useRadarCoins();
  const set = usePreferences((state) => state.set);
  const [query, setQuery] = useState('');
  const choose = (next: readonly string[]) => {
    if (next.length > RADAR_COINS_MAX) {
      toast(`The radar has room for ${RADAR_COINS_MAX} coins: take one away first.`);
      return;
    }
    if (next.length === 0) return;
    set({ radarCoins: [...next] });
  };
  return (
    <Popover
      name="Coins of the radar"
      trigger={
        <Button aria-label={`Coins of the radar: ${coins.length}`}>
          {counted(coins.length, 'coin')} <span aria-hidden>▾</span>
        </Button>
      }
    >
      <div className="flex w-64 max-w-full flex-col gap-2">
        <span className="flex flex-wrap gap-1">
          {FIRST.filter((count, at) => at === 0 || all.length > (FIRST[at - 1] ?? 0)).map((count) => (
            <Button key={count} look="plain" onClick={() => choose(all.slice(0, count))}>
              First {Math.min(count, all.length)}
            </Button>
          ))}
        </span>
        <SearchField name="Search coins of the radar" value={query} onChange={setQuery} />
        <fieldset className="max-h-72 overflow-y-auto">
          <legend className="sr-only">Coins</legend>
          {matchingCoins(all, query).map((coin) => (
            <Checkbox
              key={coin}
              text={coin}
              checked={coins.includes(coin)}
              onChange={(isChosen) => choose(isChosen ? [...coins, coin] : coins.filter((other) => other !== coin))}
            />
          ))}
        </fieldset>
        <p className="text-12 text-dim">
          Each coin costs {TARIFF.l4BookUpdatesPerCoinMinute} credit for its snapshot, and{' '}
          {TARIFF.l4BookUpdatesPerCoinMinute} for each started minute.
        </p>
      </div>
    </Popover>
  );
}
