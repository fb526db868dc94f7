import { beforeEach, expect, it, vi } from 'vitest';
import { statusLive } from '../../../book-worker/test-support/status-live.ts';
import { changeAccount } from '../../../state/account.ts';
import { useWatchRules } from '../../../state/watch-rules.ts';
import { onBookPage } from '../../../test-support/book-page.tsx';
import { FakeAudio } from '../../../test-support/fake-audio.ts';
import { must } from '../../../test-support/must.ts';
import { act, button, click, only, render, type } from '../../../test-support/render.ts';
import { Toasts } from '../../../ui/toast.tsx';
import { WatchPane } from './watch-pane.tsx';

beforeEach(() => {
  localStorage.clear();
  changeAccount('one');
  for (const aboveBps of ['5', '6', '7'] as const) useWatchRules.getState().add({ kind: 'spread', aboveBps }, 'BTC');
  return async () => {
    // With the account go its rules and the toasts.
    await act(async () => changeAccount(undefined));
    vi.unstubAllGlobals();
  };
});

async function open() {
  const { container } = await render(
    onBookPage(
      statusLive().live,
      <>
        <aside tabIndex={-1}>
          <WatchPane />
        </aside>
        <Toasts />
      </>,
    ),
  );
  return container;
}

const limits = () => useWatchRules.getState().rules.map(({ rule }) => ('aboveBps' in rule ? rule.aboveBps : ''));

it('a deleted rule is put back at its place by Undo, among the rules of that moment', async () => {
  await open();
  await click(button(/^Delete the rule BTC: spread > 6/));
  await click(button(/^Delete the rule BTC: spread > 7/));
  await act(async () => useWatchRules.getState().add({ kind: 'spread', aboveBps: '8' }, 'BTC'));
  expect(limits()).toEqual(['5', '8']);
  await click(button(/^Undo$/));
  expect(limits()).toEqual(['5', '6', '8']);
});

it('Undo makes no rule that is in the list again, and says so', async () => {
  const container = await open();
  await click(button(/^Delete the rule BTC: spread > 6/));
  await act(async () => useWatchRules.getState().add({ kind: 'spread', aboveBps: '6' }, 'BTC'));
  await click(button(/^Undo$/));
  expect(limits()).toEqual(['5', '7', '6']);
  expect(only(container, 'output[aria-live]').textContent).toContain('Not restored');
});

it('the focus stays in the list when a rule is deleted, and around it after the last one', async () => {
  const container = await open();
  const press = async (name: RegExp) => {
    button(name).focus();
    await click(button(name));
  };
  await press(/^Delete the rule BTC: spread > 5/);
  await press(/^Delete the rule BTC: spread > 6/);
  expect(document.activeElement).toBe(only(container, '[aria-label="Watch rules"]'));
  await press(/^Delete the rule/);
  expect(document.activeElement).toBe(only(container, 'aside'));
});

it('the focus stays where the form was when the last possible rule is added, and the pane states the limit', async () => {
  const container = await open();
  await act(async () => {
    for (let bps = 100; bps < 146; bps += 1)
      useWatchRules.getState().add({ kind: 'spread', aboveBps: `${bps}` }, 'BTC');
  });
  await type(only(container, 'input[aria-label=Wallet]') as HTMLInputElement, `0x${'a'.repeat(40)}`);
  const status = only(container, '[data-part=watch] > div > output');
  button(/^Add$/).focus();
  await click(button(/^Add$/));
  expect(limits()).toHaveLength(50);
  expect(container.querySelector('form')).toBeNull();
  expect(document.activeElement).not.toBe(document.body);
  expect(document.activeElement?.textContent).toMatch(/^The list has 50 rules/);
  expect(status.textContent, 'read out').toMatch(/^The list has 50 rules/);
});

function box(container: HTMLElement, text: 'Sound' | 'Browser notification'): HTMLInputElement {
  const label = [...container.querySelectorAll('label')].find(({ textContent }) => textContent === text);
  return only(must(label), 'input') as HTMLInputElement;
}

it('the choice of a sound is kept for the account, and lets it be heard', async () => {
  FakeAudio.install();
  const container = await open();
  const signInAgain = () =>
    act(async () => {
      changeAccount(undefined);
      changeAccount('one');
    });
  await click(box(container, 'Sound'));
  expect(FakeAudio.sounds).toEqual(['beep']);
  await signInAgain();
  expect(useWatchRules.getState().sound).toBe(true);
  expect(box(container, 'Sound').checked).toBe(true);
  await click(box(container, 'Sound'));
  await signInAgain();
  expect(box(container, 'Sound').checked).toBe(false);
  expect(FakeAudio.sounds, 'none when it is turned off').toEqual(['beep']);
});

it('notifications are shown as chosen only while the browser allows them', async () => {
  useWatchRules.getState().set({ notify: true });
  const shown = async () => box(await open(), 'Browser notification').checked;
  vi.stubGlobal('Notification', { permission: 'denied' });
  expect(await shown()).toBe(false);
  vi.stubGlobal('Notification', { permission: 'granted' });
  expect(await shown()).toBe(true);
});

it.each([
  ['has none', undefined, 'This browser does not offer notifications to a page.'],
  ['has none for pages', phone, 'This browser does not offer notifications to a page.'],
  ['is told to allow none', denied, 'The browser does not allow notifications of this page.'],
  ['shows them', shower, ''],
])('where the browser %s, the choice of notifications says so', async (_, kind, said) => {
  vi.stubGlobal('Notification', kind?.());
  if (kind === undefined) Reflect.deleteProperty(globalThis, 'Notification');
  const container = await open();
  await click(box(container, 'Browser notification'));
  expect(only(container, 'output[aria-live]').textContent).toBe(said);
  expect(useWatchRules.getState().notify).toBe(said === '');
});

/** What a browser has as `Notification`, with the answer to the question whether it may show some. */
function notifications(permission: NotificationPermission, make: () => void) {
  return class {
    static readonly permission = permission;
    static readonly requestPermission = async () => permission;

    constructor() {
      make();
    }

    addEventListener(): void {}
  };
}

function phone() {
  return notifications('granted', () => {
    throw new TypeError('Illegal constructor.');
  });
}

function denied() {
  return notifications('denied', () => {});
}

function shower() {
  return notifications('granted', () => {});
}
