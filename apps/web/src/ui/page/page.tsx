import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { IconButton } from '../button.tsx';
import { PaneBoundary } from './pane-boundary.tsx';
import { SearchNotice } from './search-notice.tsx';

interface PageProps {
  /** The page's name: its heading and the title of the window. */
  readonly title: string;
  /** More for the window's title: the wallet, the coin. */
  readonly subject?: string | undefined;
  /** The controls of the title line; all they choose is in the address. */
  readonly controls?: ReactNode;
  /** What stands at the right end of the title line: state, age, refresh. */
  readonly state?: ReactNode;
  /** What the address holds that the page does not understand, and the way to clean it: of `usePageSearch`. */
  readonly search?: { readonly invalid: readonly string[]; readonly clean: () => void };
  /** Bands between title and surface: notices, coverage, progress. */
  readonly notices?: ReactNode;
  /** The main surface: one thing that fills what is left. */
  readonly children: ReactNode;
  /** The inspector, while something is selected: `<Inspector>`. */
  readonly inspector?: ReactNode;
  /** The last line: counts, times, what the numbers are. */
  readonly status?: ReactNode;
}

/** The skeleton of every page: title line with its controls, one surface, one inspector, one status line. */
export function Page({ title, subject, controls, state, search, notices, children, inspector, status }: PageProps) {
  useEffect(() => {
    document.title = `${subject === undefined ? '' : `${subject} · `}${title} · L4 Desk`;
  }, [title, subject]);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-3 py-1">
        <div className="flex min-w-0 flex-wrap items-center gap-1">
          <h1 className="mr-2 text-15 font-semibold text-strong">{title}</h1>
          {controls}
        </div>
        {state && <div className="flex min-w-0 flex-wrap items-center gap-2 text-12">{state}</div>}
      </div>
      {search && <SearchNotice invalid={search.invalid} onDismiss={search.clean} />}
      {notices}
      <div className="flex min-h-0 min-w-0 grow max-[859px]:flex-col">
        <section aria-label={title} className="flex min-h-0 min-w-0 grow flex-col">
          <PaneBoundary name={title}>{children}</PaneBoundary>
        </section>
        {inspector}
      </div>
      {status && (
        <footer className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line bg-surface-1 px-3 py-0.5 text-12 text-dim">
          {status}
        </footer>
      )}
    </>
  );
}

interface InspectorProps {
  /** What is selected. */
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The pane at the right that follows the selection; on a narrow screen a sheet over the lower part. */
export function Inspector({ title, onClose, children }: InspectorProps) {
  const isSheet = useMedia(NARROW);
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    // A sheet covers what was pressed: the keyboard goes along.
    if (isSheet) pane.current?.focus();
  }, [isSheet]);
  return (
    <aside
      ref={pane}
      tabIndex={-1}
      aria-label="Inspector"
      className={
        isSheet
          ? 'flex max-h-[60%] min-h-48 shrink-0 flex-col border-t border-edge bg-surface-1 outline-none'
          : 'flex w-[360px] shrink-0 flex-col border-l border-line bg-surface-1 outline-none'
      }
    >
      <header className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-3">
        <h2 className="min-w-0 truncate font-semibold text-strong">{title}</h2>
        <IconButton icon={X} name="Close the inspector" onClick={onClose} />
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it */}
      <section aria-label="Details" className="min-h-0 grow overflow-y-auto p-3" tabIndex={0}>
        <PaneBoundary name="Inspector">{children}</PaneBoundary>
      </section>
    </aside>
  );
}
