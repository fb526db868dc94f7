import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { LaterPage as Page } from './pages.ts';

/** Stands where a page is to come: what it will show, and what can be done now. It reads nothing and costs nothing. */
export function LaterPage({ page: { text, shows, today } }: { readonly page: Page }) {
  useEffect(() => {
    document.title = `${text} · L4 Desk`;
  }, [text]);
  return (
    <div className="flex min-h-0 grow flex-col overflow-y-auto p-4">
      <article className="m-auto flex w-full max-w-md flex-col gap-3">
        <header className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line pb-2">
          <h1 className="text-20 font-semibold text-strong">{text}</h1>
          <p className="text-12 text-dim">Not in this version</p>
        </header>
        <p className="text-15">{shows}</p>
        <p className="text-dim">{today}</p>
        <Link
          to="/book"
          className="inline-flex h-(--control) items-center self-start rounded-4 bg-accent px-2 font-medium text-on-accent hover:brightness-110"
        >
          Open the order book
        </Link>
      </article>
    </div>
  );
}
