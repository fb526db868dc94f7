import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { useShallow } from 'zustand/react/shallow';
import { browserStorage } from './browser-storage.ts';
import {
  PER_WINDOW,
  readSettings,
  type SettingName,
  type Settings,
  type SettingTexts,
  settingsOf,
  settingTexts,
  textsOf,
} from './settings.ts';

interface PreferencesStore extends Settings {
  readonly set: (change: Partial<Settings>) => void;
}

/** The key that `public/theme.js` reads before the first paint. */
export const PREFERENCES_KEY = 'l4desk.preferences';
const VERSION = 4;

/** What another window stored last is being read. */
let isOfOther = false;
/** What another window stored last, and what this window had then. */
let other: { readonly stored: Settings; readonly here: Settings } | undefined;

function pick<N extends SettingName>(settings: Settings, names: readonly N[]): Pick<Settings, N> {
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<Settings, N>;
}

/** Choices of another window that this one has not replaced since: they are not written over, and hold at the next visit. */
function ofOther(state: Settings): Partial<Settings> {
  return other === undefined
    ? {}
    : pick(
        other.stored,
        PER_WINDOW.filter((name) => state[name] === other?.here[name]),
      );
}

/** The settings as last used. One that the address may hold is read by `useSettings`. */
export const usePreferences = create<PreferencesStore>()(
  persist((set) => ({ ...readSettings({}), set: (change) => set(change) }), {
    name: PREFERENCES_KEY,
    storage: createJSONStorage(() => browserStorage),
    version: VERSION,
    migrate: readSettings,
    merge: (kept, current) => {
      const read = readSettings(kept);
      other = isOfOther ? { stored: read, here: current } : undefined;
      return { ...current, ...read, ...(isOfOther ? pick(current, PER_WINDOW) : {}) };
    },
    partialize: (state) => ({ ...readSettings(state), ...ofOther(state) }),
  }),
);

/** Stores settings, and returns them as the address writes them, for a change of the address together with others. */
export function keepSettings(next: Partial<Settings>): SettingTexts {
  usePreferences.getState().set(next);
  return settingTexts(next);
}

/** The settings of these names, as the address says, otherwise as last used, and a function that changes both. Pass a constant list. */
export function useSettings<N extends SettingName>(names: readonly N[]) {
  const navigate = useNavigate();
  const stored = usePreferences(useShallow((state) => pick(state, names)));
  const texts: SettingTexts = useSearch({
    strict: false,
    select: (search: SettingTexts) => textsOf(names, search),
    structuralSharing: true,
  });
  const values = useMemo(() => settingsOf(names, texts, stored), [names, texts, stored]);
  const set = useCallback(
    (next: Partial<Settings>) => {
      const texts = keepSettings(next);
      void navigate({ to: '.', search: (now: object) => ({ ...now, ...texts }), replace: true });
    },
    [navigate],
  );
  return [values, set] as const;
}

/** Applies the look to the document, now and at every change, also of another window. Returns the function that stops it. */
export function applyPreferences(): () => void {
  const light = matchMedia('(prefers-color-scheme: light)');
  const apply = () => {
    const { theme, density, palette, privacy } = usePreferences.getState();
    const { dataset } = document.documentElement;
    dataset.theme = theme === 'system' ? (light.matches ? 'light' : 'dark') : theme;
    dataset.density = density;
    dataset.palette = palette;
    dataset.privacy = privacy ? 'blur' : 'off';
  };
  apply();
  light.addEventListener('change', apply);
  const unsubscribe = usePreferences.subscribe(apply);
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== PREFERENCES_KEY) return;
    isOfOther = true;
    void usePreferences.persist.rehydrate();
    isOfOther = false;
  };
  addEventListener('storage', onStorage);
  return () => {
    removeEventListener('storage', onStorage);
    light.removeEventListener('change', apply);
    unsubscribe();
  };
}
