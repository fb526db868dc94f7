import { expect, it, onTestFinished } from 'vitest';
import { usePreferences } from '../state/preferences.ts';
import { act, only, press, render } from '../test-support/render.ts';
import { type Action, useActionKeys, useActions } from './actions.ts';

const ran: string[] = [];
const ACTIONS = ['p', '0', '?', '[', 'Mod+k', 'Escape', 'ArrowUp', 'Shift+ArrowUp', 'PageUp', 'Enter', 'Space'].map(
  (keys): Action => ({ id: keys, label: keys, keys, run: () => ran.push(keys) }),
);

function Page() {
  useActionKeys();
  useActions('Page', ACTIONS);
  return null;
}

const send = (init: KeyboardEventInit) =>
  act(async () => {
    const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
    // happy-dom takes any Alt for AltGr.
    Object.assign(event, { getModifierState: () => init.modifierAltGraph === true });
    document.body.dispatchEvent(event);
  });

it('while shortcuts of a single character are off, all others work', async () => {
  usePreferences.getState().set({ characterKeys: false });
  onTestFinished(() => usePreferences.getState().set({ characterKeys: true }));
  await render(<Page />);
  for (const key of ['p', '0', '?', '[', 'Escape', 'ArrowUp', 'PageUp', 'Enter', ' ']) await press(document.body, key);
  await send({ key: 'ArrowUp', shiftKey: true });
  await send({ key: 'k', ctrlKey: true });
  expect(ran.splice(0)).toEqual(['Escape', 'ArrowUp', 'PageUp', 'Enter', 'Space', 'Shift+ArrowUp', 'Mod+k']);
  await act(async () => usePreferences.getState().set({ characterKeys: true }));
  for (const key of ['p', '0', '?', '[']) await press(document.body, key);
  expect(ran.splice(0)).toEqual(['p', '0', '?', '[']);
});

it('a key that is held down acts once, unless it moves by a step', async () => {
  await render(<Page />);
  for (const key of ['p', '0', 'Enter', ' ', 'Escape', '[', 'ArrowUp', 'PageUp'])
    for (const repeat of [false, true]) await send({ key, repeat });
  for (const repeat of [false, true]) await send({ key: 'ArrowUp', shiftKey: true, repeat });
  const steps = ['[', 'ArrowUp', 'PageUp', 'Shift+ArrowUp'].flatMap((key) => [key, key]);
  expect(ran.splice(0)).toEqual(['p', '0', 'Enter', 'Space', 'Escape', ...steps]);
});

it('keys work with Caps Lock, with AltGr, and on a keyboard of another script', async () => {
  await render(<Page />);
  await send({ key: 'P', code: 'KeyP' });
  await send({ key: 'з', code: 'KeyP' });
  await send({ key: 'х', code: 'BracketLeft' });
  await send({ key: '[', code: 'Digit8', ctrlKey: true, altKey: true, modifierAltGraph: true });
  await send({ key: 'л', code: 'KeyK', ctrlKey: true });
  expect(ran.splice(0)).toEqual(['p', 'p', '[', '[', 'Mod+k']);
  // A Latin letter is what it says, wherever its keyboard has it; Alt is for the browser's menus.
  await send({ key: 'l', code: 'KeyP' });
  await send({ key: 'ü', code: 'BracketLeft' });
  await send({ key: 'P', code: 'KeyP', shiftKey: true });
  await send({ key: 'p', code: 'KeyP', altKey: true });
  await send({ key: 'k', code: 'KeyK', ctrlKey: true, altKey: true, modifierAltGraph: true });
  expect(ran.splice(0)).toEqual([]);
});

it('over a dialog a chord does nothing, and the browser does nothing for it either', async () => {
  const { rerender } = await render(
    <>
      <Page />
      <dialog open />
    </>,
  );
  const chord = () => new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true });
  const over = chord();
  await act(async () => document.body.dispatchEvent(over));
  expect([over.defaultPrevented, ran.splice(0)]).toEqual([true, []]);
  await rerender(<Page />);
  await act(async () => document.body.dispatchEvent(chord()));
  expect(ran.splice(0)).toEqual(['Mod+k']);
});

it('Space is left to the page by a focused button that does nothing now, and by no other', async () => {
  const { container } = await render(
    <>
      <Page />
      <button type="button" aria-disabled="true">
        Forward
      </button>
      <button type="button" aria-disabled="false">
        Back
      </button>
    </>,
  );
  await press(only(container, '[aria-disabled=false]'), ' ');
  expect(ran.splice(0)).toEqual([]);
  await press(only(container, '[aria-disabled=true]'), ' ');
  expect(ran.splice(0)).toEqual(['Space']);
});

it('the keys that scroll are left to a list that scrolls; a tab takes the arrows only', async () => {
  const { container } = await render(
    <>
      <Page />
      <ol tabIndex={-1} data-arrows />
      <button type="button" role="tab" data-arrows>
        Tab
      </button>
      <button type="button" className="other">
        Other
      </button>
    </>,
  );
  const runs = async (selector: string) => {
    for (const key of ['ArrowUp', 'PageUp']) await press(only(container, selector), key);
    return ran.splice(0);
  };
  expect(await runs('ol')).toEqual([]);
  expect(await runs('[role=tab]')).toEqual(['PageUp']);
  expect(await runs('.other')).toEqual(['ArrowUp', 'PageUp']);
});

const OVER_THE_PAGE = {
  'a popover': <div {...{ role: 'dialog' }} />,
  'a menu': <div {...{ role: 'menu' }} />,
  'a dialog': <dialog open />,
  'a panel that is being loaded': (
    <button type="button" aria-label="Menu" aria-haspopup="dialog" aria-expanded="true" />
  ),
};

it.each(Object.entries(OVER_THE_PAGE))('no key acts on what is behind %s', async (_, over) => {
  const { container, rerender } = await render(<Page />);
  const all = async () => {
    for (const key of ['p', '0', '[', 'Escape', 'ArrowUp', 'PageUp', 'Enter', ' ']) await press(document.body, key);
    return ran.splice(0);
  };
  await rerender(
    <>
      <Page />
      {over}
    </>,
  );
  expect(await all()).toEqual([]);
  await rerender(<Page />);
  expect(container.childElementCount).toBe(0);
  expect(await all()).toHaveLength(8);
});
