import type { DecimalString } from '@l4desk/protocol';
import { ChevronDown, Eye, EyeOff, RefreshCw } from 'lucide-react';
import { useId } from 'react';
import { useNow } from '../../hooks/use-now.ts';
import { usePreferences } from '../../state/preferences.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { counted, secondsText, wholeText } from '../../ui/format.ts';
import { Age, FailedBand } from '../../ui/page/states.tsx';
import { Popover } from '../../ui/popover.tsx';
import { DecimalField } from '../../ui/text-field.tsx';
import { Usdc, WorthFigure, WorthFigures } from '../../wallets/value/usdc.tsx';
import type { Value } from '../../wallets/value/use-value.ts';
import { AUTO_MINUTES, type AutoMinutes, type AutoRefresh, dayCredits } from './use-auto-refresh.ts';

interface DustControlProps {
  readonly dust: DecimalString | undefined;
  readonly onChange: (dust: DecimalString | undefined) => void;
}

/** Hides small balances. Tokens have no price here, so the limit counts in each token's own units. */
export function DustControl({ dust, onChange }: DustControlProps) {
  return (
    <Popover
      name="Dust"
      trigger={
        <Button aria-pressed={dust !== undefined}>
          {dust === undefined ? 'Dust' : <span>Dust ≤ {dust}</span>}
          <ChevronDown size={14} strokeWidth={1.75} className="text-dim" aria-hidden />
        </Button>
      }
    >
      <div className="flex w-64 max-w-full flex-col gap-2">
        <Checkbox text="Hide dust" checked={dust !== undefined} onChange={(hide) => onChange(hide ? '0' : undefined)} />
        {dust !== undefined && (
          <DecimalField label="Dust limit, in each token’s own units" value={dust} onChange={onChange} />
        )}
        <p className="text-dim">
          Hides wallets and tokens with no amount above this limit. Sums still include them. It is an amount, not a
          value, so the same limit applies to every token.
        </p>
      </div>
    </Popover>
  );
}

/** Sets how often balances are refreshed automatically; each choice shows its price per day. */
export function AutoControl({ auto, credits }: { readonly auto: AutoRefresh; readonly credits: number }) {
  const name = useId();
  const isPaused = auto.dueAt === undefined;
  return (
    <Popover
      name="Auto-refresh"
      align="end"
      trigger={
        <Button aria-pressed={auto.minutes !== undefined}>
          Auto: {auto.minutes === undefined ? 'off' : isPaused ? 'paused' : minutesText(auto.minutes)}
          <ChevronDown size={14} strokeWidth={1.75} className="text-dim" aria-hidden />
        </Button>
      }
    >
      <fieldset className="flex w-64 max-w-full flex-col">
        <legend className="sr-only">Auto-refresh</legend>
        {[undefined, ...AUTO_MINUTES].map((minutes) => (
          <label
            key={minutes ?? 'off'}
            className="flex min-h-(--control) cursor-pointer items-center justify-between gap-3"
          >
            <span className="flex items-center gap-2">
              <input
                type="radio"
                name={name}
                className="size-4 accent-accent"
                // While it is paused none is checked, so that the same interval can be chosen at the new price.
                checked={auto.minutes === minutes && (minutes === undefined || !isPaused)}
                onChange={() => auto.set(minutes)}
              />
              {minutes === undefined ? 'Off' : `Every ${minutesText(minutes)}`}
            </span>
            {minutes !== undefined && (
              <span className="num text-12 text-dim">{wholeText(dayCredits(minutes, credits))} credits/day</span>
            )}
          </label>
        ))}
        <p className="mt-1 text-dim">Runs only while this page is open and visible. Not part of the shared link.</p>
      </fieldset>
    </Popover>
  );
}

const minutesText = (minutes: AutoMinutes) => (minutes === 60 ? '1 h' : `${minutes} min`);

/** When the next automatic refresh happens, and what a day of them costs; or why there is none. */
export function NextRefresh({
  auto: { minutes, dueAt, agreed },
  credits,
}: {
  readonly auto: AutoRefresh;
  readonly credits: number;
}) {
  const now = useNow();
  if (minutes === undefined || agreed === undefined) return null;
  if (dueAt === undefined) {
    return (
      <span data-part="next" className="text-stale">
        auto-refresh paused: now {counted(credits, 'credit')} each, chosen at {wholeText(agreed)}
      </span>
    );
  }
  return (
    <span data-part="next">
      next in {secondsText(dueAt - now)} · {wholeText(dayCredits(minutes, credits))} credits a day
      <span className="max-sm:hidden"> · paused while hidden</span>
    </span>
  );
}

/** Blurs amounts and names of wallets on every page until they are hovered. */
export function PrivacyButton() {
  const privacy = usePreferences((state) => state.privacy);
  const set = usePreferences((state) => state.set);
  return (
    <IconButton
      icon={privacy ? EyeOff : Eye}
      name="Blur amounts and wallets"
      aria-pressed={privacy}
      onClick={() => set({ privacy: !privacy })}
    />
  );
}

interface ValueBarProps {
  readonly value: Value;
  /** Undefined until there are balances: the bar is empty then, but there, so that nothing moves. */
  readonly onLoad: (() => void) | undefined;
}

/** What all wallets in view are worth, from which prices, and what is not in it. */
export function ValueBar({ value, onLoad }: ValueBarProps) {
  const { sum, at, pricesAt, credits, isFetching, error } = value;
  return (
    <>
      {error !== undefined && (
        <FailedBand error={error} onRetry={onLoad} credits={credits} kept={at !== undefined} of="Value" />
      )}
      <div
        data-part="value-sum"
        data-total={sum.total}
        className="flex min-h-[calc(var(--control)+9px)] flex-wrap items-center gap-x-6 gap-y-1 border-b border-line bg-surface-1 px-3 py-1 max-sm:min-h-24"
      >
        {at !== undefined && (
          <>
            <WorthFigure name="Worth">
              <span className="text-15 font-semibold">
                <Usdc value={sum.total} isPartial={sum.missing.length > 0} /> USDC
              </span>
            </WorthFigure>
            <WorthFigures sum={sum} />
            {pricesAt > 0 && (
              <span className="text-12 text-dim">
                spot at the mid of each pair with USDC, <Age at={pricesAt} />
              </span>
            )}
          </>
        )}
        {at === undefined && onLoad && (
          <Button look="plain" price={credits} icon={RefreshCw} disabled={isFetching} onClick={onLoad}>
            {isFetching ? 'Loading…' : 'Load the value'}
          </Button>
        )}
        {at !== undefined && sum.missing.length > 0 && (
          <p className="basis-full text-12 text-stale" data-part="value-missing">
            Not in the worth: {sum.missing.slice(0, REASONS_SHOWN).join(', ')}
            {sum.missing.length > REASONS_SHOWN && `, and ${sum.missing.length - REASONS_SHOWN} more`}.
          </p>
        )}
      </div>
    </>
  );
}

const REASONS_SHOWN = 6;
