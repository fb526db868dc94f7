/**
 * Tooltips by keyboard and touch. A mouse reads the `title` of an element from the browser; here the same text opens beside what
 * the keyboard focuses, what a finger taps and, of a control, what it holds. A `GROUP_OF_HINTS` opens the titles of everything in it.
 */

/** The focus rests on something for this long before its tip opens, and a finger on a control, in ms. */
const REST_MS = 400;

/** Gap between the tip and its element, and between the tip and the edges of the window, px. */
const GAP = 4;

/** A tap on one of these does something, so that only holding it explains it. */
const CONTROLS = 'a, button, input, label, select, summary, textarea, [data-row]';

/** Listens until the signal aborts. */
export function openHints(signal: AbortSignal): void {
  const tip = document.createElement('div');
  tip.id = 'hint';
  tip.role = 'tooltip';
  tip.dataset.part = 'hint';
  // Above an open dialog too.
  tip.popover = 'manual';
  tip.className =
    'pointer-events-none fixed inset-auto m-0 max-w-[min(420px,calc(100vw-8px))] rounded-4 border border-edge bg-surface-2 px-2 py-1 text-12 whitespace-pre-line text-text';
  document.body.append(tip);
  let timer = 0;
  /** What the open tip explains. */
  let shown: Element | undefined;
  let described: Element | undefined;
  const close = () => {
    clearTimeout(timer);
    described?.removeAttribute('aria-describedby');
    described = undefined;
    if (shown !== undefined) tip.hidePopover();
    shown = undefined;
  };
  const open = (element: Element, text: string) => {
    if (!element.isConnected || text === '') return;
    tip.textContent = text;
    if (shown === undefined) tip.showPopover();
    shown = element;
    const { left, top, bottom } = element.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const below = bottom + GAP;
    tip.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
    tip.style.top = `${below + height > innerHeight ? Math.max(GAP, top - height - GAP) : below}px`;
    if (!element.hasAttribute('data-hints')) return;
    element.setAttribute('aria-describedby', tip.id);
    described = element;
  };
  const after = (element: Element, of: (element: Element) => readonly [Element, string]) => {
    timer = window.setTimeout(() => open(...of(element)), REST_MS);
  };
  /** Follows the keyboard to the cells of the table that has the focus. */
  const cells = new MutationObserver(([change]) => {
    close();
    if (change?.target instanceof Element) after(change.target, hintOfFocused);
  });
  /** What a dialog focuses when it opens or closes explains nothing by itself. */
  let isMoving = false;
  let touched: Element | undefined;
  /** A finger is on a control, or has held it until its tip opened. */
  let isHeld = false;
  document.addEventListener(
    'focusin',
    ({ target }) => {
      close();
      cells.disconnect();
      if (!(target instanceof Element)) return;
      cells.observe(target, { attributeFilter: ['aria-activedescendant'] });
      if (isMoving) after(target, hintOfFocused);
    },
    { signal },
  );
  document.addEventListener('focusout', close, { signal });
  document.addEventListener(
    'keydown',
    ({ key }) => {
      isHeld = false;
      isMoving = /^(?:Tab$|Arrow)/.test(key);
      if (key === 'Escape') close();
    },
    { signal, capture: true },
  );
  document.addEventListener(
    'scroll',
    ({ target }) => {
      // Lists scroll by themselves while the market moves.
      if (shown !== undefined && target instanceof Node && target.contains(shown)) close();
    },
    { signal, capture: true },
  );
  document.addEventListener(
    'pointerdown',
    ({ target, pointerType }) => {
      close();
      isMoving = false;
      touched = undefined;
      isHeld = false;
      const isTouch = target instanceof Element && pointerType === 'touch';
      if (!isTouch || target.closest('[title]') === null) return;
      touched = target.closest(CONTROLS) === null ? target : undefined;
      isHeld = touched === undefined;
      after(target, hintOfTouched);
    },
    { signal, capture: true },
  );
  document.addEventListener(
    'pointercancel',
    () => {
      close();
      isHeld = false;
    },
    { signal, capture: true },
  );
  document.addEventListener(
    'pointerup',
    () => {
      clearTimeout(timer);
      isHeld &&= shown !== undefined;
      if (touched !== undefined) open(...hintOfTouched(touched));
    },
    { signal, capture: true },
  );
  document.addEventListener(
    'click',
    (event) => {
      // A finger that held the control to read its tip did not mean to press it.
      if (!isHeld) return;
      isHeld = false;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal, capture: true },
  );
  signal.addEventListener('abort', () => {
    close();
    tip.remove();
  });
}

const titleOf = (element: Element | null) => element?.getAttribute('title') ?? '';

function hintOfTouched(element: Element): readonly [Element, string] {
  return [element, titleOf(element.closest('[title]'))];
}

/** What there is to say about what the keyboard is on, and where. */
function hintOfFocused(element: Element): readonly [Element, string] {
  const cell = document.getElementById(element.getAttribute('aria-activedescendant') ?? '');
  if (cell !== null) return [cell, titlesIn(cell)];
  if (element.hasAttribute('data-hints')) return [element, titlesIn(element)];
  // A radio button's or a checkbox's is on its label.
  const labelled = element instanceof HTMLInputElement ? element.closest('[title]') : element;
  return [element, labelled === null ? '' : hintIn(labelled)];
}

/** The title of an element; none if it only repeats what the element shows whole. */
function hintIn(element: Element): string {
  const title = titleOf(element);
  const isWhole = element.scrollWidth <= element.clientWidth;
  return isWhole && title === element.textContent.trim() ? '' : title;
}

/** The titles of an element and of what is in it, a line each. */
function titlesIn(element: Element): string {
  const parts = [element, ...element.querySelectorAll('[title]')];
  return parts.map(hintIn).filter(Boolean).join('\n');
}
