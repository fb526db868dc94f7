import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { liveStatus } from '../book-worker/test-support/live-status.ts';
import { statusLive } from '../book-worker/test-support/status-live.ts';
import { LiveProvider } from '../book-worker/use-book.ts';
import type { WatchFacts } from '../book-worker/watch-texts.ts';
import { changeAccount } from '../state/account.ts';
import { useWatchRules } from '../state/watch-rules.ts';
import { FakeAudio } from '../test-support/fake-audio.ts';
import { act, only, render } from '../test-support/render.ts';
import { Toasts } from '../ui/toast.tsx';
import { useWatchAlerts } from './use-watch-alerts.ts';

const NOW = Date.UTC(2026, 10, 22, 13);

/** The locks of one browser, for all of its windows. */
class BrowserLocks {
  readonly #waiting = new Map<string, { readonly grant: () => Promise<void> }[]>();

  request(name: string, { signal }: { readonly signal: AbortSignal }, grant: () => Promise<void>): Promise<void> {
    const queue = this.#waiting.get(name) ?? [];
    this.#waiting.set(name, queue);
    return new Promise((resolve, reject) => {
      const asking = { grant: () => grant().then(() => this.#leave(name, asking)) };
      queue.push(asking);
      signal.addEventListener('abort', () => {
        if (queue[0] === asking) return resolve();
        this.#leave(name, asking);
        reject(new DOMException('aborted', 'AbortError'));
      });
      if (queue[0] === asking) void asking.grant();
    });
  }

  #leave(name: string, asking: { readonly grant: () => Promise<void> }): void {
    const queue = this.#waiting.get(name) ?? [];
    const wasFirst = queue[0] === asking;
    queue.splice(queue.indexOf(asking), 1);
    if (wasFirst) void queue[0]?.grant();
  }
}

const { sounds } = FakeAudio;
const notifications: { readonly title: string; readonly body: string }[] = [];

class FakeNotification {
  static readonly permission = 'granted';
  /** As on a phone, where only a service worker shows notifications. */
  static isRefused = false;

  constructor(title: string, { body }: { readonly body: string }) {
    if (FakeNotification.isRefused) throw new TypeError('Illegal constructor.');
    notifications.push({ title, body });
  }

  addEventListener(): void {}
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  vi.stubGlobal('Notification', FakeNotification);
  FakeAudio.install();
  Object.defineProperty(navigator, 'locks', { value: new BrowserLocks(), configurable: true });
  changeAccount('one');
  useWatchRules.getState().set({ sound: true, notify: true });
  return async () => {
    // With the account go its rules and the toasts.
    await act(async () => changeAccount(undefined));
    vi.unstubAllGlobals();
    vi.useRealTimers();
    Reflect.deleteProperty(navigator, 'locks');
    notifications.length = 0;
  };
});

function Alerts({ isPoppedOut }: { readonly isPoppedOut: boolean }) {
  useWatchAlerts({ isPoppedOut });
  return null;
}

/** A window that follows the BTC book. All windows of a test show their toasts in the first one. */
async function openWindow({ isPoppedOut = false } = {}) {
  const { live, send, sendMessage } = statusLive();
  const { rerender } = await render(
    <LiveProvider value={live}>
      <Alerts isPoppedOut={isPoppedOut} />
    </LiveProvider>,
  );
  await send(liveStatus(NOW));
  const hitOf = (facts: WatchFacts, rule: number) => ({
    at: NOW,
    hit: { rule, coin: 'BTC', height: 7, time: NOW, facts },
  });
  return {
    fire: (facts: WatchFacts, rule = 0) => sendMessage({ kind: 'hits', hits: [hitOf(facts, rule)] }),
    fireTogether: (all: readonly WatchFacts[]) =>
      sendMessage({ kind: 'hits', hits: all.map((facts) => hitOf(facts, 0)) }),
    close: () => act(async () => rerender(null)),
  };
}

const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
const spread = (bps: `${number}`): WatchFacts => ({ kind: 'spread', bps });

async function toasts() {
  const { container } = await render(<Toasts />);
  return () => [...only(container, 'output').children].map(({ textContent }) => textContent);
}

describe('what fires', () => {
  it('is a toast in a polite live region, a sound and a notification, at once', async () => {
    const shown = await toasts();
    const { fire } = await openWindow();
    await fire(spread('7'));
    expect(shown()).toEqual(['BTC: spread 7.00 bps']);
    expect(only(document.body, 'output').getAttribute('aria-live')).toBe('polite');
    expect(sounds).toEqual(['beep']);
    expect(notifications).toEqual([{ title: 'L4 Desk', body: 'BTC: spread 7.00 bps' }]);
  });

  it('is announced where the browser has no notifications for pages, and these are then no longer chosen', async () => {
    FakeNotification.isRefused = true;
    onTestFinished(() => {
      FakeNotification.isRefused = false;
    });
    const shown = await toasts();
    const { fire } = await openWindow();
    await fire(spread('7'));
    expect(shown()).toEqual(['BTC: spread 7.00 bps']);
    expect(sounds).toEqual(['beep']);
    expect(useWatchRules.getState()).toMatchObject({ sound: true, notify: false });
  });

  it('is silent where neither sound nor notification was chosen', async () => {
    useWatchRules.getState().set({ sound: false, notify: false });
    const shown = await toasts();
    const { fire } = await openWindow();
    await fire(spread('7'));
    expect({ shown: shown(), sounds, notifications }).toEqual({
      shown: ['BTC: spread 7.00 bps'],
      sounds: [],
      notifications: [],
    });
  });

  it('together is announced together', async () => {
    const shown = await toasts();
    const { fireTogether } = await openWindow();
    await fireTogether([spread('1'), spread('2'), spread('3')]);
    expect(shown()).toEqual(['BTC: spread 1.00 bps, and 2 more']);
    expect(sounds).toHaveLength(1);
    expect(notifications).toHaveLength(1);
  });

  it('again replaces the toast of its rule, in a new element that is read out, and no other toast', async () => {
    const shown = await toasts();
    const { fire } = await openWindow();
    const fireLater = async (facts: WatchFacts, rule: number) => {
      await fire(facts, rule);
      await pass(1_000);
    };
    await fireLater(spread('1'), 0);
    await fireLater(spread('2'), 1);
    const [first] = only(document.body, 'output').children;
    await fireLater(spread('3'), 0);
    expect(shown()).toEqual(['BTC: spread 2.00 bps', 'BTC: spread 3.00 bps']);
    expect(first?.isConnected).toBe(false);
    await pass(3_000);
    expect(shown()).toEqual(['BTC: spread 3.00 bps']);
  });
});

describe('several windows of a book', () => {
  it('announce once: a popped-out window is silent until it is the only one', async () => {
    const shown = await toasts();
    const main = await openWindow();
    const popped = await openWindow({ isPoppedOut: true });
    await main.fire(spread('1'));
    await popped.fire(spread('1'));
    expect({ shown: shown(), sounds: sounds.length, notifications: notifications.length }).toEqual({
      shown: ['BTC: spread 1.00 bps'],
      sounds: 1,
      notifications: 1,
    });
    await main.close();
    await pass(2_000);
    await popped.fire(spread('2'));
    expect(shown().at(-1)).toBe('BTC: spread 2.00 bps');
    expect({ sounds: sounds.length, notifications: notifications.length }).toEqual({ sounds: 2, notifications: 2 });
  });

  it('show their toast each where both are full pages, with one sound', async () => {
    const shown = await toasts();
    const [one, other] = [await openWindow(), await openWindow()];
    await one.fire(spread('1'));
    expect(shown()).toEqual(['BTC: spread 1.00 bps']);
    await other.fire(spread('2'));
    expect(shown()).toEqual(['BTC: spread 2.00 bps']);
    expect(sounds).toHaveLength(1);
  });

  it('leave it to the full page where the browser has no locks', async () => {
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    const main = await openWindow();
    const popped = await openWindow({ isPoppedOut: true });
    await popped.fire(spread('1'));
    expect(sounds).toEqual([]);
    await main.fire(spread('1'));
    expect(sounds).toEqual(['beep']);
  });
});
