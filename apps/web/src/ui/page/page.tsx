import { RefreshCw, SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useActions } from '../../hooks/actions.ts';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { Button, IconButton } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { counted } from '../format.ts';
import { Notice } from '../notice.tsx';
import { takesFocus, usePassesFocus } from '../pass-focus.ts';
import { PaneBoundary } from './pane-boundary.tsx';

interface PageProps {
  readonly title: string;
  /** More for the window title: the wallet, the coin. */
  readonly subject?: string | undefined;
  /** The controls of the title line; everything they choose is in the address. */
  readonly controls?: ReactNode;
  /**
   * What the controls choose, in a few words. If set, a narrow screen folds them behind a button with this text; otherwise they
   * are always shown.
   */
  readonly view?: ReactNode;
  /** Shown at the right end of the title line: state, age, refresh. */
  readonly state?: ReactNode;
  readonly search?: { readonly invalid: readonly string[]; readonly clean: () => void };
  /** Bands between the title and the content: notices, coverage, progress. */
  readonly notices?: ReactNode;
  /** Bands below the content: what is known only after it, so that it does not push the content down. */
  readonly notes?: ReactNode;
  readonly children: ReactNode;
  /** The inspector, while something is selected: `<Inspector>`. */
  readonly inspector?: ReactNode;
  /** The last line: counts, times, what the numbers mean. */
  readonly status?: ReactNode;
}

/** The layout of every page: title line with its controls, content, inspector and status line. */
export function Page(props: PageProps) {
  const { title, subject, controls, view, state, search, notices, notes, children, inspector, status } = props;
  useEffect(() => {
    document.title = `${subject === undefined ? '' : `${subject} · `}${title} · L4 Desk`;
  }, [title, subject]);
  return (
    <>
      {/* One wrapping row: the state is beside the last controls, not below them. */}
      <div className="flex min-h-[calc(var(--control)+9px)] shrink-0 flex-wrap items-center gap-1 border-b border-line px-3 py-1">
        {/* Where the controls fold, they get the heading's space: the navigation right above shows the name already. */}
        <h1 className={classNames('mr-2 text-15 font-semibold text-strong', view !== undefined && 'max-fold:sr-only')}>
          {title}
        </h1>
        {view === undefined ? controls : <FoldedControls view={view}>{controls}</FoldedControls>}
        {state && (
          <div data-steady className="ml-auto flex min-w-0 flex-wrap items-center gap-2 pl-3 text-12 max-sm:pl-1">
            {state}
          </div>
        )}
      </div>
      {search && <SearchNotice invalid={search.invalid} onDismiss={search.clean} />}
      {notices}
      <div className="flex min-h-0 min-w-0 grow max-pair:flex-col">
        <section aria-label={title} className="flex min-h-0 min-w-0 grow flex-col">
          <PaneBoundary name={title}>{children}</PaneBoundary>
        </section>
        {inspector}
      </div>
      {notes && <div data-toasts="above">{notes}</div>}
      {status && <StatusLine>{status}</StatusLine>}
    </>
  );
}

/** On a narrow screen it has several lines, and toasts are above all of them. */
function StatusLine({ children }: { readonly children: ReactNode }) {
  return (
    <footer
      data-toasts="above"
      className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line bg-surface-1 px-3 py-0.5 text-12 text-dim"
    >
      {children}
    </footer>
  );
}

/** The controls as they are on a wide screen. On a narrow one only a button, which shows them below the line when clicked. */
function FoldedControls({ view, children }: { readonly view: ReactNode; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <span className="mr-auto flex min-w-28 grow basis-0 fold:hidden [&>button]:max-w-full">
        <Button icon={SlidersHorizontal} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <span className="sr-only">View: </span>
          {/* Two lines of half the control's height: the whole choice can be read, and the row keeps its height. */}
          <span className="-my-0.5 line-clamp-2 min-w-0 py-0.5 text-left text-12 leading-[calc(var(--control)/2)] wrap-anywhere whitespace-normal">
            {view}
          </span>
        </Button>
      </span>
      <div
        id={id}
        className={classNames(
          'fold:contents max-fold:order-last max-fold:basis-full max-fold:flex-wrap max-fold:items-center max-fold:gap-1',
          open ? 'max-fold:flex' : 'max-fold:hidden',
        )}
      >
        {children}
      </div>
    </>
  );
}

interface InspectorProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The pane at the right that shows the selection; on a narrow screen a sheet over the lower part. */
export function Inspector({ title, onClose, children }: InspectorProps) {
  const isSheet = useMedia(NARROW);
  const pane = useRef<HTMLElement>(null);
  const passing = usePassesFocus(pane);
  const takeFocus = useEffectEvent(() => {
    // A sheet that opens covers the element that was pressed, so it takes the focus; for a link to it nothing was pressed.
    if (isSheet && document.activeElement !== document.body) pane.current?.focus();
  });
  useEffect(() => takeFocus(), []);
  useActions('Inspector', [
    { id: 'inspector', label: 'Close the inspector', keys: 'Escape', isKeyOnly: true, run: onClose },
  ]);
  return (
    <aside
      ref={passing}
      {...takesFocus}
      aria-label="Inspector"
      className={
        isSheet
          ? 'focus-area flex max-h-[60%] min-h-48 shrink-0 flex-col border-t border-edge bg-surface-1'
          : 'focus-area flex w-[360px] shrink-0 flex-col border-l border-line bg-surface-1'
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

interface SearchNoticeProps {
  /** The invalid parameters of the address, as written: `side=C`. */
  readonly invalid: readonly string[];
  readonly onDismiss: () => void;
}

const LIST = new Intl.ListFormat('en-GB');

/** Names the parameters of the address that could not be parsed. */
export function SearchNotice({ invalid, onDismiss }: SearchNoticeProps) {
  if (invalid.length === 0) return null;
  // All wallets would be paid for, so an invalid choice of wallets selects none.
  const isOfWallets = (text: string) => text.startsWith('w=');
  const hasDefaults = !invalid.every(isOfWallets);
  return (
    <Notice onDismiss={onDismiss}>
      <p>
        The URL contains{' '}
        {LIST.formatToParts(invalid).map(({ type, value }) =>
          type === 'literal' ? (
            value
          ) : (
            <span key={value} className="num text-12 break-all">
              {value}
            </span>
          ),
        )}
        , which this page does not recognize.{hasDefaults && ' It uses the default instead.'}
        {invalid.some(isOfWallets) && ' It selects no wallets.'}
      </p>
    </Notice>
  );
}

interface Refresh {
  /** What is refreshed, in the user's words: `balances`, `the overview`. */
  readonly what: string;
  readonly credits: number;
  /** Nothing can be refreshed, or a refresh is in flight. */
  readonly isBusy: boolean;
  readonly run: () => void;
}

/** Registers the refresh of a page, with its key R and its price. */
export function useRefresh(page: string, { what, credits, isBusy, run }: Refresh): void {
  useActions(page, [
    {
      id: `refresh ${page}`,
      label: `Refresh ${what}`,
      keys: 'r',
      price: credits,
      hint: credits === 0 ? 'free' : counted(credits, 'credit'),
      isEnabled: !isBusy,
      run,
    },
  ]);
}

interface RefreshButtonProps extends Omit<Refresh, 'credits'> {
  /** Undefined if there is nothing to refresh. */
  readonly credits: number | undefined;
  /** The title of the page. */
  readonly page: string;
  readonly text?: string;
}

/** Refreshes a page, at the price it shows; also by key and from the palette. */
export function RefreshButton({ page, text = 'Refresh', credits, isBusy, ...rest }: RefreshButtonProps) {
  useRefresh(page, { ...rest, credits: credits ?? 0, isBusy });
  return (
    <Button look="plain" icon={RefreshCw} price={credits} disabled={isBusy} onClick={rest.run}>
      <span className="max-sm:sr-only">{text}</span>
    </Button>
  );
}
