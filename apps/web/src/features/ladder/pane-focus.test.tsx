import { useRef } from 'react';
import { expect, it } from 'vitest';
import { act, render } from '../../test-support/render.ts';
import { focusIn, useNoPaneFocus, useWantedFocus } from './pane-focus.ts';

function Pane() {
  const form = useRef<HTMLFormElement>(null);
  useWantedFocus('sweep', form);
  return (
    <form ref={form}>
      <input aria-label="amount" />
    </form>
  );
}

function NoBook() {
  useNoPaneFocus();
  return <p>no book</p>;
}

const want = () => act(async () => focusIn('sweep'));
const focused = () => document.activeElement?.getAttribute('aria-label') ?? 'nothing';

it('a command moves the focus into its pane, also if that comes a moment later', async () => {
  const { rerender } = await render(null);
  await want();
  await rerender(<Pane />);
  expect(focused()).toBe('amount');
});

it('a command on a page without a book does not move the focus when a book is opened later', async () => {
  const { rerender } = await render(<NoBook />);
  await want();
  await rerender(<Pane />);
  expect(focused()).toBe('nothing');
  await want();
  expect(focused()).toBe('amount');
});
