import { z } from '@l4desk/protocol';
import { type ReactNode, useRef, useState } from 'react';
import { useAutoLoadLimit } from '../api/price-rule.tsx';
import { type KeyLabels, readKeyLabels, useKeyLabels } from '../state/key-labels.ts';
import { type Layouts, readLayouts, useLayouts } from '../state/layouts.ts';
import { usePreferences } from '../state/preferences.ts';
import { readSettings as readStored, type Settings } from '../state/settings.ts';
import { readWorkspaces, useWorkspaces, type Workspaces } from '../state/workspaces.ts';
import { AnchoredPopover } from '../ui/anchored-popover.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { exportFileName } from '../ui/export/csv.ts';
import { downloadText } from '../ui/export/download.ts';
import { counted } from '../ui/format.ts';
import { optionsOf, Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';
import { toast } from '../ui/toast.tsx';
import type { Wallet } from '../wallets/wallet.ts';
import { readWalletBook, useWalletBook } from '../wallets/wallet-book.ts';
import type { MenuPanel } from './later.tsx';

const THEMES = optionsOf({ dark: 'Dark', light: 'Light', system: 'System' });
const DENSITIES = optionsOf({ compact: 'Compact', comfortable: 'Comfortable' });
const ZONES = optionsOf({ utc: 'UTC', local: 'Local' });
const PALETTES = optionsOf({
  'teal-coral': 'Teal and coral',
  'blue-orange': 'Blue and orange',
  mono: 'Lightness and stripes',
  'east-asian': 'Red bids, green asks',
});

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
  const { theme, density, palette, timeZone, privacy, characterKeys, set } = usePreferences();
  const autoLoadLimit = useAutoLoadLimit();
  return (
    <div className="flex flex-col gap-3">
      <Line text="Theme">
        <Segmented name="Theme" value={theme} options={THEMES} onChange={(value) => set({ theme: value })} />
      </Line>
      <Line text="Density">
        <Segmented name="Density" value={density} options={DENSITIES} onChange={(value) => set({ density: value })} />
      </Line>
      <Line text="Times">
        <Segmented name="Times" value={timeZone} options={ZONES} onChange={(value) => set({ timeZone: value })} />
      </Line>
      <Line text="Colours">
        <Select
          name="Colours"
          caption=""
          value={palette}
          options={PALETTES}
          onChange={(value) => set({ palette: value })}
        />
      </Line>
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

/** Everything this browser stores for the account; it contains no keys and no responses of the service. */
interface SettingsFile {
  readonly preferences: Settings;
  readonly wallets: readonly Wallet[];
  readonly layouts: Layouts;
  readonly keyLabels: KeyLabels;
  readonly workspaces: Workspaces;
}

const VERSION = 1;

const file = z.looseObject({
  product: z.literal('L4 Desk'),
  kind: z.literal('settings'),
  version: z.int().min(1),
  preferences: z.unknown(),
  wallets: z.unknown(),
  layouts: z.unknown(),
  keyLabels: z.unknown().optional(),
  workspaces: z.unknown().optional(),
});

export function settingsText(): string {
  const { grids, views } = useLayouts.getState();
  const { wallets } = useWalletBook.getState();
  const kept = {
    preferences: readStored(usePreferences.getState()),
    wallets,
    layouts: { grids, views },
    keyLabels: useKeyLabels.getState().labels,
    workspaces: readWorkspaces(useWorkspaces.getState()),
  };
  return `${JSON.stringify({ product: 'L4 Desk', kind: 'settings', version: VERSION, ...kept }, null, 2)}\n`;
}

/** Reads a settings file; returns undefined for any other text. */
export function readSettings(text: string): SettingsFile | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = file.safeParse(json).data;
  if (read === undefined || read.version > VERSION) return undefined;
  return {
    preferences: readStored(read.preferences),
    wallets: readWalletBook({ wallets: read.wallets }).wallets,
    layouts: readLayouts(read.layouts),
    keyLabels: readKeyLabels(read.keyLabels),
    workspaces: readWorkspaces(read.workspaces),
  };
}

/** Applies a settings file: replaces preferences and layouts; adds wallets, workspaces and names of keys. */
export function applySettings({ preferences, wallets, layouts, keyLabels, workspaces }: SettingsFile): void {
  usePreferences.getState().set(preferences);
  useKeyLabels.getState().add(keyLabels);
  useLayouts.getState().replace(layouts);
  useWorkspaces.getState().add(workspaces);
  useWalletBook.getState().put(wallets);
}
