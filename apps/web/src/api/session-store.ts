import type { SessionState } from '@l4desk/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { changeAccount } from '../state/account.ts';
import { makeQueryClient } from './query-client.ts';
import { loadSession } from './session.ts';

/** The responses given to one account. They are dropped once it is gone and nothing on the page shows them. */
class AccountCache {
  readonly queryClient: QueryClient = makeQueryClient();
  #isShown = false;
  #isOver = false;

  /** The page draws from them until the returned function is called. */
  readonly show = (): (() => void) => {
    this.#isShown = true;
    return () => {
      this.#isShown = false;
      this.#drop();
    };
  };

  /** The account is gone. */
  end(): void {
    this.#isOver = true;
    this.#drop();
  }

  #drop(): void {
    // While they are drawn, an emptied cache would make the page ask again, in the next account's name.
    if (this.#isOver && !this.#isShown) this.queryClient.clear();
  }
}

/** Who is signed in, and what belongs to them on this page. */
export interface SignedIn {
  readonly session: SessionState;
  readonly cache: AccountCache;
}

/** Other tabs share the cookie, and with it the account. */
const CHANNEL = 'l4desk.session';

/** Who is signed in on this page; one for the page, as an external store for React. */
export class SessionStore {
  readonly #tabs = new BroadcastChannel(CHANNEL);
  readonly #listeners = new Set<() => void>();
  #known: SignedIn | null | undefined;
  #asking: Promise<SignedIn | null> | undefined;
  /** Counts what was learned: a response to a question from before is void. */
  #turn = 0;

  /** Who is signed in as far as known: null for nobody, undefined before it was asked. */
  readonly known = (): SignedIn | null | undefined => this.#known;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Who is signed in; asks the service the first time. */
  async ensure(): Promise<SignedIn | null> {
    return this.#known === undefined ? this.ask() : this.#known;
  }

  /** Asks the service who is signed in; those who ask meanwhile share the response. Rejects when it does not respond. */
  ask(): Promise<SignedIn | null> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Somebody has signed in or out on this page; the other tabs hear that they should ask. */
  set(session: SessionState | null): void {
    this.#take(session);
    this.#tabs.postMessage(null);
  }

  /** Calls back when another tab has signed in or out, until the returned function is called. */
  onOtherTab(listener: () => void): () => void {
    this.#tabs.addEventListener('message', listener);
    return () => this.#tabs.removeEventListener('message', listener);
  }

  async #ask(): Promise<SignedIn | null> {
    const turn = this.#turn;
    const session = await loadSession();
    if (turn === this.#turn) this.#take(session);
    return this.#known ?? null;
  }

  #take(session: SessionState | null): void {
    this.#turn += 1;
    const before = this.#known;
    if (before !== undefined && JSON.stringify(before?.session ?? null) === JSON.stringify(session)) return;
    const kept = session?.account.id === before?.session.account.id ? before?.cache : undefined;
    this.#known = session === null ? null : { session, cache: kept ?? new AccountCache() };
    if (kept === undefined) {
      changeAccount(session?.account.id);
      before?.cache.end();
    }
    for (const listener of this.#listeners) listener();
  }
}
