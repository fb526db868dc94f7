import type { SessionState } from '@l4desk/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand';
import { changeAccount, currentAccount } from '../state/account.ts';
import { keepFacts, restoreFacts } from './kept-facts.ts';
import { makeQueryClient } from './query-client.ts';
import { loadSession } from './session.ts';

/** The responses for one account. They are dropped once the account has left and nothing on the page shows them. */
class AccountCache {
  readonly queryClient: QueryClient = makeQueryClient();
  #isShown = false;
  #isOver = false;

  constructor() {
    restoreFacts(this.queryClient);
  }

  /** Marks the cache as shown until the returned function is called. */
  readonly show = (): (() => void) => {
    this.#isShown = true;
    return () => {
      this.#isShown = false;
      this.#drop();
    };
  };

  end(): void {
    this.#isOver = true;
    this.#drop();
  }

  #drop(): void {
    // Clearing a cache that is still shown would make the page send its requests again, in the next account's name.
    if (this.#isOver && !this.#isShown) this.queryClient.clear();
  }
}

/** Who is signed in, with the cache of that account on this page. */
export interface SignedIn {
  readonly session: SessionState;
  readonly cache: AccountCache;
}

/** Other tabs share the cookie, and therefore the account. */
const CHANNEL = 'l4desk.session';

/** Who is signed in on this page. One instance per page. */
export class SessionStore {
  readonly #tabs = new BroadcastChannel(CHANNEL);
  /** Who is signed in: null for nobody, undefined before the service was asked. */
  readonly known = createStore<SignedIn | null | undefined>(() => undefined);
  #asking: Promise<SignedIn | null> | undefined;
  /** Counts changes: a response to a question from before the last change is discarded. */
  #turn = 0;

  constructor() {
    addEventListener('pagehide', () => {
      const { session, cache } = this.known.getState() ?? {};
      if (session?.account.id === currentAccount() && cache !== undefined) keepFacts(cache.queryClient);
    });
  }

  /** Returns who is signed in; asks the service the first time. */
  async ensure(): Promise<SignedIn | null> {
    const known = this.known.getState();
    return known === undefined ? this.ask() : known;
  }

  /** Asks the service who is signed in; concurrent callers share the response. Rejects if the service does not respond. */
  ask(): Promise<SignedIn | null> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Records a sign-in or sign-out on this page, and tells the other tabs to ask the service. */
  set(session: SessionState | null): void {
    this.#take(session);
    this.#tabs.postMessage(null);
  }

  /** Calls `listener` when another tab has signed in or out, until the returned function is called. */
  onOtherTab(listener: () => void): () => void {
    this.#tabs.addEventListener('message', listener);
    return () => this.#tabs.removeEventListener('message', listener);
  }

  async #ask(): Promise<SignedIn | null> {
    const turn = this.#turn;
    const session = await loadSession();
    if (turn === this.#turn) this.#take(session);
    return this.known.getState() ?? null;
  }

  #take(session: SessionState | null): void {
    this.#turn += 1;
    const before = this.known.getState();
    if (before !== undefined && JSON.stringify(before?.session ?? null) === JSON.stringify(session)) return;
    const kept = session?.account.id === before?.session.account.id ? before?.cache : undefined;
    if (kept === undefined) {
      changeAccount(session?.account.id);
      before?.cache.end();
    }
    this.known.setState(session === null ? null : { session, cache: kept ?? new AccountCache() }, true);
  }
}
