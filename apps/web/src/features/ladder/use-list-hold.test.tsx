import { useRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { act, only, press, render } from '../../test-support/render.ts';
import { HOLD_MS } from './canvas/hold.ts';
import { useListHold } from './use-list-hold.ts';

function List() {
  const list = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={list} data-held={useListHold(list)}>
        <button type="button">one</button>
        <button type="button">two</button>
      </div>
      <button type="button">outside</button>
    </>
  );
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const list = () => only(document.body, '[data-held]');
const isHeld = () => list().dataset['held'] === 'true';
const [one, two, outside] = [0, 1, 2].map((index) => () => document.querySelectorAll('button')[index]);
const point = (kind: string, pointerType = 'mouse') =>
  act(async () => list().dispatchEvent(new PointerEvent(kind, { pointerType })));
const focus = (button: (() => HTMLElement | undefined) | undefined) => act(async () => button?.()?.focus());
const wait = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

it('a list is held while the pointer is over it, and up to ten seconds after its last movement', async () => {
  await render(<List />);
  expect(isHeld()).toBe(false);
  await point('pointerenter');
  await wait(HOLD_MS - 1);
  await point('pointermove');
  await wait(HOLD_MS - 1);
  expect(isHeld()).toBe(true);
  await wait(1);
  expect(isHeld()).toBe(false);
  await point('pointermove');
  expect(isHeld()).toBe(true);
  await point('pointerleave');
  expect(isHeld()).toBe(false);
});

it('a list is held while it has the focus, and up to ten seconds after the last key', async () => {
  await render(<List />);
  await focus(one);
  await wait(HOLD_MS - 1);
  await press(list(), 'ArrowDown');
  await wait(HOLD_MS - 1);
  await focus(two);
  expect(isHeld()).toBe(true);
  await wait(HOLD_MS);
  expect(isHeld()).toBe(false);
  await press(list(), 'ArrowDown');
  expect(isHeld()).toBe(true);
  await focus(outside);
  expect(isHeld()).toBe(false);
});

it('a hold ends when both pointer and focus have left', async () => {
  await render(<List />);
  await focus(one);
  await point('pointerenter');
  await focus(outside);
  expect(isHeld()).toBe(true);
  await focus(two);
  await point('pointerleave');
  expect(isHeld()).toBe(true);
  await focus(outside);
  expect(isHeld()).toBe(false);
});

it('a lifted finger keeps the hold for the click that follows', async () => {
  await render(<List />);
  await point('pointerdown', 'touch');
  await point('pointerleave', 'touch');
  expect(isHeld()).toBe(true);
  await wait(HOLD_MS);
  expect(isHeld()).toBe(false);
});

it('a hold does not end between two rows, of the pointer or of the focus', async () => {
  await render(<List />);
  await point('pointerenter');
  await act(async () => one?.()?.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' })));
  expect(isHeld()).toBe(true);
  await point('pointerleave');
  await focus(one);
  // The next row has the focus only after this event.
  await act(async () =>
    one?.()?.dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: two?.() ?? null })),
  );
  expect(isHeld()).toBe(true);
});
