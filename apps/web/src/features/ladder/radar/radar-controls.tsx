import { TARIFF } from '@l4desk/protocol';
import { useState } from 'react';
import { useRadar, useRadarView } from '../../../book-worker/radar/radar-context.ts';
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

/** The choice of coins, their cost, and the button that starts or stops the radar. */
export function RadarControls() {
  const radar = useRadar();
  const { coins: followed } = useRadarView();
  const { coins } = useRadarCoins();
  const isOn = followed.length > 0;
  const { perMinute } = radarCredits(followed.length);
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1 border-b border-line px-2 py-1">
      <CoinsChooser />
      {isOn ? (
        <>
          <span className="num text-12 text-dim">{perMinute} cr/min</span>
          {!isSameChoice(followed, coins) && (
            <FollowButton onFollow={() => radar.follow(coins)} coins={coins} followed={followed} />
          )}
          <span className="ml-auto">
            <Button look="plain" onClick={() => radar.stop()}>
              Stop
            </Button>
          </span>
        </>
      ) : (
        <span className="ml-auto">
          <StartButton onStart={() => radar.follow(coins)} coins={coins.length} />
        </span>
      )}
    </div>
  );
}

interface StartButtonProps {
  readonly coins: number;
  readonly onStart: () => void;
}

/** Starts the radar; shows its price. */
function StartButton({ coins, onStart }: StartButtonProps) {
  const { now, perMinute } = radarCredits(coins);
  return (
    <Button look="primary" disabled={coins === 0} onClick={onStart}>
      Start <PriceTag credits={now} short /> then <span className="num text-12">{perMinute} cr/min</span>
    </Button>
  );
}

interface FollowButtonProps {
  readonly coins: readonly string[];
  readonly followed: readonly string[];
  readonly onFollow: () => void;
}

/** Confirms a choice of other coins than those followed: its price is shown before it takes effect. */
function FollowButton({ coins, followed, onFollow }: FollowButtonProps) {
  const added = coins.filter((coin) => !followed.includes(coin));
  const { now } = radarCredits(added.length);
  return (
    <Button look="primary" onClick={onFollow}>
      Follow {counted(coins.length, 'coin')}{' '}
      <span className="num text-12">· {counted(radarCredits(coins.length).perMinute, 'credit')} a minute</span>
      {now > 0 && (
        <>
          {' '}
          + <PriceTag credits={now} short />
        </>
      )}
    </Button>
  );
}

/** Whether these are the same coins in the same order. */
function isSameChoice(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join();
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
