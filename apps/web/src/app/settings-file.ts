import { z } from '@l4desk/protocol';
import { type KeyLabels, readKeyLabels, useKeyLabels } from '../state/key-labels.ts';
import { type Layouts, readLayouts, useLayouts } from '../state/layouts.ts';
import { usePreferences } from '../state/preferences.ts';
import { readSettings as readStored, type Settings } from '../state/settings.ts';
import { readWorkspaces, useWorkspaces, type Workspaces } from '../state/workspaces.ts';
import type { Wallet } from '../wallets/wallet.ts';
import { readWalletBook, useWalletBook } from '../wallets/wallet-book.ts';

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
