// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { applyPreferences, PREFERENCES_KEY, usePreferences } from './preferences.ts';
import { readSettings, SETTING_NAMES } from './settings.ts';

const initial = usePreferences.getInitialState();
/** The look set on the document. */
function look() {
  const { theme, density, palette } = document.documentElement.dataset;
  return { theme, density, palette };
}

const script = readFileSync(join(import.meta.dirname, '../../public/theme.js'), 'utf8');

/** Runs the file as the page does before the first paint. */
function runThemeScript(): Record<string, string | undefined> {
  const { dataset } = document.documentElement;
  for (const name of ['theme', 'density', 'palette']) delete dataset[name];
  // oxlint-disable-next-line typescript/no-implied-eval -- the file itself is under test
  new Function(script)();
  return look();
}

beforeEach(() => {
  localStorage.clear();
  usePreferences.setState(initial, true);
});

describe('stored preferences', () => {
  it('are read field by field, whatever is stored', () => {
    const first = readSettings({});
    expect(first).toMatchObject({
      theme: 'system',
      density: 'compact',
      timeZone: 'utc',
      layout: 'single',
      books: null,
    });
    const stored = { theme: 'light', density: 7, bars: 'log', lane: 'yes' };
    expect(readSettings(stored)).toEqual({ ...first, theme: 'light', bars: 'log' });
    fc.assert(
      fc.property(fc.anything(), (kept) => {
        expect(readSettings(kept).timeZone).toMatch(/^(utc|local)$/);
      }),
    );
  });

  it('of another window change the look of this one, and neither what is open in it nor what it spends', () => {
    onTestFinished(applyPreferences());
    const { set } = usePreferences.getState();
    set({ strip: false });
    const own = { books: 'ETH', radarCoins: ['SOL'], verifyEveryS: 60 };
    const other = { ...initial, privacy: true, theme: 'light', ...own };
    localStorage.setItem(PREFERENCES_KEY, JSON.stringify({ version: 4, state: other }));
    dispatchEvent(Object.assign(new Event('storage'), { key: PREFERENCES_KEY }));
    expect(document.documentElement.dataset).toMatchObject({ privacy: 'blur', theme: 'light' });
    expect(usePreferences.getState()).toMatchObject({ books: null, strip: false, radarCoins: [], verifyEveryS: 0 });
    // What the other window has for itself is not written over until this one chooses anew.
    const stored = () => JSON.parse(localStorage.getItem(PREFERENCES_KEY) ?? '').state;
    set({ theme: 'dark' });
    expect(stored()).toMatchObject({ theme: 'dark', ...own });
    set({ radarCoins: ['BTC'] });
    expect(stored()).toMatchObject({ ...own, radarCoins: ['BTC'] });
  });

  it('are written with a version and read back', async () => {
    usePreferences.getState().set({ palette: 'mono' });
    usePreferences.getState().set({ bars: 'sqrt' });
    const kept: unknown = JSON.parse(localStorage.getItem(PREFERENCES_KEY) ?? '');
    expect(kept).toMatchObject({ version: 4, state: { palette: 'mono', bars: 'sqrt', lane: true } });
    usePreferences.setState(initial, true);
    localStorage.setItem(PREFERENCES_KEY, JSON.stringify(kept));
    await usePreferences.persist.rehydrate();
    expect(usePreferences.getState()).toMatchObject({ palette: 'mono', bars: 'sqrt' });
  });

  it('are read even from another version or shape', async () => {
    localStorage.setItem(PREFERENCES_KEY, JSON.stringify({ version: 99, state: { theme: 'pink', timeZone: 'local' } }));
    await usePreferences.persist.rehydrate();
    expect(usePreferences.getState()).toMatchObject({ theme: 'system', timeZone: 'local' });
  });

  it('[AUTH-12] hold only looks and a price', () => {
    usePreferences.getState().set({ theme: 'dark', autoLoadCredits: 0 });
    const { state } = JSON.parse(localStorage.getItem(PREFERENCES_KEY) ?? '') as { state: object };
    expect(Object.keys(state).sort()).toEqual(SETTING_NAMES.toSorted());
  });
});

describe('the look before the first paint', () => {
  it.each([
    [{}, 'compact', 'teal-coral'],
    [{ theme: 'light' }, 'compact', 'teal-coral'],
    [{ theme: 'dark', density: 'comfortable', palette: 'mono' }, 'comfortable', 'mono'],
    [{ palette: 'east-asian' }, 'compact', 'east-asian'],
    [{ palette: 'blue-orange', theme: 'nonsense' }, 'compact', 'blue-orange'],
  ])('is the one that the page applies afterwards: %j', (state, density, palette) => {
    localStorage.setItem(PREFERENCES_KEY, JSON.stringify({ version: 1, state }));
    const first = runThemeScript();
    expect(first).toMatchObject({ density, palette });
    usePreferences.setState({ ...initial, ...readSettings(state) }, true);
    applyPreferences()();
    expect(look()).toEqual(first);
  });

  it.each(['{', '[]', 'null', '{"state":5}'])('falls back to the defaults when storage holds %s', (kept) => {
    localStorage.setItem(PREFERENCES_KEY, kept);
    expect(runThemeScript()).toMatchObject({ density: 'compact', palette: 'teal-coral' });
  });

  it('follows the system theme until the user sets one', () => {
    let light = true;
    vi.stubGlobal('matchMedia', () => ({ matches: light, addEventListener() {}, removeEventListener() {} }));
    expect(runThemeScript().theme).toBe('light');
    light = false;
    expect(runThemeScript().theme).toBe('dark');
    usePreferences.getState().set({ theme: 'light' });
    expect(runThemeScript().theme).toBe('light');
  });
});
