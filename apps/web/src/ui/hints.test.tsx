import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openHints } from './hints.ts';

let ending: AbortController;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  document.body.innerHTML = `
    <div id="list"><button title="Costs 20 credits">Load</button></div>
    <div id="other" tabindex="0" aria-activedescendant="cell"></div>
    <div role="gridcell" id="cell"><span title="As of block 5">1.5</span></div>
    <label title="Twice the size, twice the bar"><input type="radio" /> Linear</label>`;
  ending = new AbortController();
  openHints(ending.signal);
});

afterEach(() => {
  ending.abort();
  document.body.innerHTML = '';
  vi.useRealTimers();
});

const element = (selector: string) => {
  const found = document.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`no ${selector}`);
  return found;
};
const tip = () => element('#hint').textContent;
const touch = (type: string) =>
  element('button').dispatchEvent(
    Object.assign(new Event(type, { bubbles: true }), { pointerType: 'touch', isPrimary: true }),
  );
const isClickSwallowed = () => {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true });
  element('button').dispatchEvent(event);
  return event.defaultPrevented;
};
const tabTo = (target: HTMLElement) => {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
  target.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
};

it('a control that is held for its tip is not pressed by the release, and is by the next tap', () => {
  touch('pointerdown');
  vi.advanceTimersByTime(500);
  expect(tip()).toBe('Costs 20 credits');
  touch('pointerup');
  // The browser focuses what was touched before it clicks.
  element('button').dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  expect(isClickSwallowed()).toBe(true);
  expect(isClickSwallowed()).toBe(false);
  touch('pointerdown');
  touch('pointerup');
  expect(isClickSwallowed()).toBe(false);
});

it('a list that scrolls elsewhere stops no tip', () => {
  const hide = vi.spyOn(element('#hint'), 'hidePopover');
  tabTo(element('button'));
  element('#other').dispatchEvent(new Event('scroll'));
  vi.advanceTimersByTime(500);
  expect(tip()).toBe('Costs 20 credits');
  element('#other').dispatchEvent(new Event('scroll'));
  expect(hide).not.toHaveBeenCalled();
  element('#list').dispatchEvent(new Event('scroll'));
  expect(hide).toHaveBeenCalledOnce();
});

it('the keyboard reads the tips in the cell of a table that it is on', () => {
  tabTo(element('#other'));
  vi.advanceTimersByTime(500);
  expect(tip()).toBe('As of block 5');
});

it('the keyboard reads the tip of a radio button, which is on its label', () => {
  tabTo(element('input'));
  vi.advanceTimersByTime(500);
  expect(tip()).toBe('Twice the size, twice the bar');
});

it.each([
  [100, 'Daily premium credits'],
  [40, ''],
])('the keyboard reads a text of which only a part has room: %i px wide in 40', (scrollWidth, expected) => {
  const button = element('button');
  button.title = 'Daily premium credits';
  button.textContent = button.title;
  Object.defineProperties(button, { scrollWidth: { value: scrollWidth }, clientWidth: { value: 40 } });
  tabTo(button);
  vi.advanceTimersByTime(500);
  expect(tip()).toBe(expected);
});
