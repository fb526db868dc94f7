import type { BookViewQuery } from '@l4desk/protocol';
import { Listeners, once } from '@l4desk/runtime';
import type { BookView, ViewLease } from '../api.ts';
import { viewKey } from './book-views.ts';

/** The watchers of each view, and the last message about it. The first watcher starts the view, the last one ends it. */
export class ViewHolders {
  readonly #holders = new Map<string, { readonly query: BookViewQuery; count: number; data: string | null }>();
  readonly #listeners = new Listeners<BookView>();
  readonly #begin: (query: BookViewQuery) => void;
  readonly #end: (query: BookViewQuery) => void;

  constructor(begin: (query: BookViewQuery) => void, end: (query: BookViewQuery) => void) {
    this.#begin = begin;
    this.#end = end;
  }

  get queries(): readonly BookViewQuery[] {
    return [...this.#holders.values()].map(({ query }) => query);
  }

  watch(query: BookViewQuery): ViewLease {
    const key = viewKey(query);
    const held = this.#holders.get(key);
    if (held !== undefined) held.count += 1;
    else {
      this.#holders.set(key, { query, count: 1, data: null });
      this.#begin(query);
    }
    const dataOf = () => this.#holders.get(key)?.data ?? null;
    return {
      key,
      get data() {
        return dataOf();
      },
      release: once(() => this.#release(key)),
    };
  }

  onView(listener: (view: BookView) => void): () => void {
    return this.#listeners.add(listener);
  }

  update(view: BookView): void {
    const held = this.#holders.get(view.key);
    if (held === undefined) return;
    held.data = view.data;
    this.#listeners.tell(view);
  }

  #release(key: string): void {
    const held = this.#holders.get(key);
    if (held === undefined) return;
    held.count -= 1;
    if (held.count > 0) return;
    this.#holders.delete(key);
    this.#end(held.query);
  }
}
