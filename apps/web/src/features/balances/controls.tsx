import type { DecimalString } from '@l4desk/protocol';
import { ChevronDown, Eye, EyeOff } from 'lucide-react';
import { usePreferences } from '../../hooks/preferences.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { counted, secondsText, wholeText } from '../../ui/format.ts';
import { Popover } from '../../ui/popover.tsx';
import { Select } from '../../ui/select.tsx';
import { DecimalField } from '../../ui/text-field.tsx';
import { AUTO_MINUTES, type AutoRefresh, dayCredits } from './use-auto-refresh.ts';

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
          {dust === undefined ? (
            'Dust'
          ) : (
            <span>
              Dust ≤ <span className="num text-12">{dust}</span>
            </span>
          )}
          <ChevronDown size={14} strokeWidth={1.75} className="text-dim" aria-hidden />
        </Button>
      }
    >
      <div className="flex w-64 max-w-full flex-col gap-2">
        <Checkbox text="Hide dust" checked={dust !== undefined} onChange={(hide) => onChange(hide ? '0' : undefined)} />
        {dust !== undefined && (
          <DecimalField label="Dust is up to, in the token’s own units" value={dust} onChange={onChange} />
        )}
        <p className="text-dim">
          Hides wallets and tokens with nothing above this. Sums still hold them. No price is known here, so one limit
          counts for every token.
        </p>
      </div>
    </Popover>
  );
}

/** How often balances are read by themselves, each with its price a day. */
export function AutoSelect({ auto, credits }: { readonly auto: AutoRefresh; readonly credits: number }) {
  return (
    <Select
      name="Auto-refresh"
      caption="Auto"
      value={auto.minutes === undefined ? 'off' : `${auto.minutes}`}
      options={[
        { value: 'off', text: 'off' },
        ...AUTO_MINUTES.map((minutes) => ({
          value: `${minutes}`,
          text: `${minutes === 60 ? '1 h' : `${minutes} min`} · ${wholeText(dayCredits(minutes, credits))} credits/day`,
        })),
      ]}
      onChange={(value) => auto.set(AUTO_MINUTES.find((minutes) => `${minutes}` === value))}
    />
  );
}

/** When the next refresh comes by itself, and what it costs. */
export function NextRefresh({ dueAt, credits }: { readonly dueAt: number; readonly credits: number }) {
  const now = useNow();
  return (
    <span>
      next refresh in <span className="num">{secondsText(dueAt - now)}</span> for {counted(credits, 'credit')}; paused
      while this page is hidden
    </span>
  );
}

/** Blurs amounts and names of wallets, on every page, until they are pointed at. */
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
