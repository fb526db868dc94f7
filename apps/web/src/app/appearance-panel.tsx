import { type ReactNode, useRef, useState } from 'react';
import { useAutoLoadLimit } from '../api/price-rule.tsx';
import { usePreferences } from '../state/preferences.ts';
import { AnchoredPopover } from '../ui/anchored-popover.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { exportFileName } from '../ui/export/csv.ts';
import { downloadText } from '../ui/export/download.ts';
import { counted } from '../ui/format.ts';
import { optionsOf, Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';
import { toast } from '../ui/toast.tsx';
import type { MenuPanel } from './menu.tsx';
import { applySettings, readSettings, settingsText } from './settings-file.ts';

/** What is chosen of the look, in the panel and in the palette. */
export const LOOKS = {
  theme: { label: 'Theme', options: optionsOf({ dark: 'Dark', light: 'Light', system: 'System' }) },
  density: { label: 'Density', options: optionsOf({ compact: 'Compact', comfortable: 'Comfortable' }) },
  timeZone: { label: 'Times', options: optionsOf({ utc: 'UTC', local: 'Local' }) },
  palette: {
    label: 'Colours',
    options: optionsOf({
      'teal-coral': 'Teal and coral',
      'blue-orange': 'Blue and orange',
      mono: 'Lightness and stripes',
      'east-asian': 'Red bids, green asks',
    }),
  },
} as const;

export const LOOK_NAMES = ['theme', 'density', 'timeZone', 'palette'] as const;

const PRICES = [0, 1, 25, 100, 1_000];

const priceText = (credits: number) => (credits === 0 ? 'nothing' : `up to ${counted(credits, 'credit')}`);

/** The open panel of the appearance menu. */
export function AppearancePanel(props: MenuPanel) {
  return (
    <AnchoredPopover {...props}>
      <Choices />
    </AnchoredPopover>
  );
}

function Choices() {
  const preferences = usePreferences();
  const { privacy, characterKeys, set } = preferences;
  const autoLoadLimit = useAutoLoadLimit();
  return (
    <div className="flex flex-col gap-3">
      {LOOK_NAMES.map((name) => {
        const { label, options } = LOOKS[name];
        const field = { name: label, options, value: preferences[name], onChange: (to: string) => set({ [name]: to }) };
        return (
          <Line key={name} text={label}>
            {name === 'palette' ? <Select<string> {...field} caption="" /> : <Segmented<string> {...field} />}
          </Line>
        );
      })}
      <div className="flex items-center justify-end gap-4 pr-2 text-12">
        <Sample side="bid" text="B bid" />
        <Sample side="ask" text="A ask" />
      </div>
      <Line text="Load automatically">
        <Select
          name="Load automatically"
          caption=""
          value={String(autoLoadLimit)}
          options={[...new Set([...PRICES, autoLoadLimit])]
            .sort((a, b) => a - b)
            .map((credits) => ({ value: String(credits), text: priceText(credits) }))}
          onChange={(value) => set({ autoLoadCredits: Number(value) })}
        />
      </Line>
      <p className="max-w-72 text-12 text-dim">
        A page loads what it shows automatically up to this price; anything above waits for your click. An open book
        always costs 1 credit per minute.
      </p>
      <Line text="Privacy">
        <Checkbox text="Blur amounts and wallets" checked={privacy} onChange={(on) => set({ privacy: on })} />
      </Line>
      <Line text="Shortcuts">
        <Checkbox
          text="Single-character shortcuts"
          checked={characterKeys}
          onChange={(on) => set({ characterKeys: on })}
        />
      </Line>
      <SettingsFileButtons />
    </div>
  );
}

function Line({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-6">
      <span className="text-dim">{text}</span>
      {children}
    </div>
  );
}

function Sample({ side, text }: { readonly side: 'bid' | 'ask'; readonly text: string }) {
  return (
    <span className={`flex items-center gap-1.5 ${side === 'bid' ? 'text-bid' : 'text-ask'}`}>
      <span aria-hidden className={`h-3 w-8 ${side === 'bid' ? 'bg-bid-mark' : 'bg-ask-mark'}`} />
      {text}
    </span>
  );
}

/** Exports and imports everything this browser stores. */
export function SettingsFileButtons() {
  const field = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string>();
  const save = () => downloadText(exportFileName(['settings'], new Date(), 'json'), 'application/json', settingsText());
  const load = async (file: File | undefined) => {
    if (file === undefined) return;
    const settings = readSettings(await file.text());
    setRefused(settings === undefined ? file.name : undefined);
    if (settings === undefined) return;
    applySettings(settings);
    toast(`Settings loaded, with ${counted(settings.wallets.length, 'wallet')}`);
  };
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-2">
      <p className="text-12 text-dim">Preferences, address book and layouts in one file</p>
      <div className="flex gap-2">
        <Button look="plain" onClick={save}>
          Save
        </Button>
        <Button look="plain" onClick={() => field.current?.click()}>
          Load
        </Button>
        <input
          ref={field}
          type="file"
          hidden
          accept=".json,application/json"
          onChange={(event) => {
            void load(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      {refused !== undefined && (
        <p role="alert" className="text-stale">
          {refused} isn’t an L4 Desk settings file, or is from a newer version. Nothing was changed.
        </p>
      )}
    </div>
  );
}
