import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';

interface TabsProps<T extends string> {
  readonly name: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly onChange: (value: T) => void;
  /** Shown at the end of the row of tabs. */
  readonly trailing?: ReactNode;
  readonly children: ReactNode;
}

/** Width of the “more” button at each end of the list, px. */
const END = 24;

/** Scrolls the list sideways, and nothing outside of it, until the tab is fully visible. */
function reveal(list: HTMLElement, tab: HTMLElement): void {
  const room = list.getBoundingClientRect();
  const { left, right } = tab.getBoundingClientRect();
  list.scrollLeft += Math.min(0, left - END - room.left) || Math.max(0, right + END - room.right);
}

/** Several panels in one place, one of them open. For variants of one view use `Segmented`. */
export function Tabs<T extends string>({ name, value, options, onChange, trailing, children }: TabsProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const hidden = useHiddenTabs(list, value, options.map((option) => option.value).join());
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    // The focused tab may be ahead of `value`, which follows after a render: keys can come faster than that.
    const focused = event.target instanceof HTMLElement ? event.target.dataset.tab : undefined;
    const at = options.findIndex((option) => option.value === (focused ?? value));
    const next = options[(at + step + options.length) % options.length];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next.value);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.value}"]`)?.focus();
  };
  return (
    <>
      <div className="relative h-[calc(var(--control)+1px)] shrink-0 border-b border-line">
        <div className="own-layout flex items-center">
          <div className="relative flex min-w-0 grow">
            <div
              ref={list}
              role="tablist"
              aria-label={name}
              tabIndex={-1}
              onKeyDown={onKeyDown}
              data-arrows
              className="flex min-w-0 grow overflow-x-auto px-2 [scrollbar-width:none]"
            >
              {options.map((option) => (
                <button
                  key={option.value}
                  type="button"
                  role="tab"
                  id={`${id}-${option.value}`}
                  data-tab={option.value}
                  aria-selected={option.value === value}
                  aria-controls={`${id}-panel`}
                  tabIndex={option.value === value ? 0 : -1}
                  onClick={() => onChange(option.value)}
                  className="h-(--control) shrink-0 border-b-2 border-transparent px-1.5 text-dim -outline-offset-2 hover:text-text aria-selected:border-accent aria-selected:text-strong not-aria-selected:data-cut:opacity-0"
                >
                  {option.text}
                </button>
              ))}
            </div>
            {hidden.before && <MoreTabs side="before" list={list} />}
            {hidden.after && <MoreTabs side="after" list={list} />}
          </div>
          {trailing}
        </div>
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        className="flex min-h-0 min-w-0 grow flex-col"
      >
        {children}
      </div>
    </>
  );
}

interface HiddenTabs {
  readonly before: boolean;
  readonly after: boolean;
}

/**
 * At which ends of the list tabs are out of view. A tab that is only partly visible is hidden, because a fragment of a word is
 * useless. The open tab is kept in view, also when something beside the list takes some of its width.
 */
function useHiddenTabs(list: RefObject<HTMLElement | null>, value: string, values: string): HiddenTabs {
  const [hidden, setHidden] = useState<HiddenTabs>({ before: false, after: false });
  useEffect(() => {
    const element = list.current;
    // Runs again for another list of tabs.
    if (element === null || values === '') return undefined;
    const tabs = [...element.querySelectorAll<HTMLElement>('[role="tab"]')];
    const open = tabs.find((tab) => tab.dataset.tab === value);
    const keepInSight = () => {
      if (open !== undefined) reveal(element, open);
    };
    const measure = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      const next = { before: scrollLeft > 1, after: scrollLeft + clientWidth < scrollWidth - 1 };
      for (const tab of tabs) {
        const from = tab.offsetLeft - scrollLeft;
        const isCut =
          from + 1 < (next.before ? END : 0) || from + tab.offsetWidth - 1 > clientWidth - (next.after ? END : 0);
        tab.toggleAttribute('data-cut', isCut);
      }
      setHidden((last) => (last.before === next.before && last.after === next.after ? last : next));
    };
    keepInSight();
    measure();
    // If another tab grows while the user has scrolled the open one out of view, the scroll position is kept.
    const sizes = new ResizeObserver((entries) => {
      if (open?.hasAttribute('data-cut') !== true || entries.some(({ target }) => target === element)) keepInSight();
      measure();
    });
    for (const observed of [element, ...tabs]) sizes.observe(observed);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [list, value, values]);
  return hidden;
}

interface MoreTabsProps {
  readonly side: 'before' | 'after';
  readonly list: RefObject<HTMLElement | null>;
}

/**
 * Shows that there are more tabs, and scrolls to them; the arrow keys reach every tab without it. It lies over the list, which
 * leaves space for it beside the open tab: beside the list, it would push that tab out of view when it appears.
 */
function MoreTabs({ side, list }: MoreTabsProps) {
  const Icon = side === 'before' ? ChevronLeft : ChevronRight;
  const scroll = () => {
    const element = list.current;
    element?.scrollTo({ left: side === 'before' ? 0 : element.scrollWidth });
  };
  return (
    <button
      type="button"
      aria-hidden
      tabIndex={-1}
      data-more={side}
      title={side === 'before' ? 'Earlier tabs' : 'More tabs'}
      onClick={scroll}
      className={`absolute inset-y-0 flex w-6 items-center justify-center bg-surface-1 text-dim hover:text-text ${side === 'before' ? 'left-0' : 'right-0'}`}
    >
      <Icon size={14} strokeWidth={1.75} aria-hidden />
    </button>
  );
}
