// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { changeAccount } from './account.ts';
import { usePreferences } from './preferences.ts';
import { enterWorkspace, readWorkspaces, startWorkspace, useWorkspaces, type Workspace } from './workspaces.ts';

const scalp: Workspace = {
  name: 'Scalp',
  coin: 'BTC',
  search: { tick: '1', books: 'BTC@10' },
  radarCoins: [],
  windows: [{ href: '/book/BTC?pop=tape', left: 10, top: 20, width: 640, height: 900 }],
};
const wide: Workspace = {
  name: 'Wide',
  coin: 'xyz:GOLD',
  search: { panes: 'tape,owners' },
  radarCoins: ['BTC', 'ETH'],
  windows: [],
};

const store = () => useWorkspaces.getState();
const names = () => store().list.map(({ name }) => name);

beforeEach(() => {
  localStorage.clear();
  changeAccount(undefined);
  changeAccount('a');
});

describe('workspaces', () => {
  it('are stored per account, by name, and come back with it', () => {
    store().save(scalp);
    store().save(wide);
    store().save({ ...scalp, coin: 'ETH' });
    expect(store().list).toEqual([{ ...scalp, coin: 'ETH' }, wide]);
    changeAccount('b');
    expect(names()).toEqual([]);
    changeAccount('a');
    expect(names()).toEqual(['Scalp', 'Wide']);
  });

  it('opens the Book page with the start workspace, also after it is renamed, and with none after it is removed', () => {
    store().save(scalp);
    store().startWith('Scalp');
    store().rename('Scalp', 'Fast');
    expect(startWorkspace()).toEqual({ ...scalp, name: 'Fast' });
    const before = { list: store().list, start: store().start };
    store().remove('Fast');
    expect(startWorkspace()).toBeUndefined();
    store().replace(before);
    expect(startWorkspace()?.name).toBe('Fast');
  });

  it('have unique names', () => {
    store().save(scalp);
    store().save(wide);
    store().rename('Wide', 'Scalp');
    store().rename('Wide', '');
    expect(names()).toEqual(['Scalp', 'Wide']);
  });

  it("open at their address and set the radar's coins", () => {
    expect(enterWorkspace(scalp)).toBe('/book/BTC?tick=1&books=BTC%4010');
    expect(usePreferences.getState().radarCoins).toEqual([]);
    expect(enterWorkspace(wide)).toBe('/book/xyz%3AGOLD?panes=tape%2Cowners');
    expect(usePreferences.getState().radarCoins).toEqual(['BTC', 'ETH']);
    enterWorkspace(scalp);
    expect(usePreferences.getState().radarCoins).toEqual([]);
  });

  it('of older versions are read, and leave alone what they did not store; an address outside the book is not opened', () => {
    const { name, coin, search } = wide;
    const { list } = readWorkspaces({ list: [{ name, coin, search }] });
    expect(list).toEqual([{ name, coin, search, windows: [] }]);
    usePreferences.getState().set({ radarCoins: ['SOL'] });
    for (const old of list) enterWorkspace(old);
    expect(usePreferences.getState().radarCoins).toEqual(['SOL']);
    const [elsewhere] = readWorkspaces({
      list: [{ ...scalp, windows: [{ ...scalp.windows[0], href: '//else' }] }],
    }).list;
    expect(elsewhere).toEqual({ ...scalp, windows: [] });
  });

  it('keep the first sixteen windows of more, and the others if one cannot be read', () => {
    const windows = Array.from({ length: 18 }, (_, at) => ({
      href: at === 1 ? '//else' : `/book/BTC?pop=tape&least=${at}`,
      left: at,
      top: 0,
      width: 640,
      height: 900,
    }));
    const [read] = readWorkspaces({ list: [{ ...scalp, windows }] }).list;
    expect(read?.windows.map(({ left }) => left)).toEqual([0, ...windows.slice(2, 17).map(({ left }) => left)]);
  });

  it('are added from a file, and an unreadable one does not discard the others', () => {
    store().save(scalp);
    store().add(readWorkspaces({ list: [wide, { name: '' }, 7, { ...scalp, coin: 'SOL' }], start: 'Wide' }));
    expect(store().list).toEqual([{ ...scalp, coin: 'SOL' }, wide]);
    expect(store().start).toBe('Wide');
    expect(readWorkspaces({ list: [scalp], start: 'gone' })).toEqual({ list: [scalp], start: null });
    expect(readWorkspaces('nonsense')).toEqual({ list: [], start: null });
  });
});
