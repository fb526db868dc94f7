import { expect, it, vi } from 'vitest';
import { act, only, render } from '../test-support/render.ts';
import { passesFocus, takesFocus } from './pass-focus.ts';

function Page({ isOpen }: { readonly isOpen: boolean }) {
  return (
    <main {...takesFocus}>
      {isOpen && (
        <section ref={passesFocus}>
          <button type="button">Leave</button>
        </section>
      )}
      <button type="button">Other</button>
    </main>
  );
}

it('the focus of what goes passes to the nearest element around it, and no other focus moves', async () => {
  const { container, rerender } = await render(<Page isOpen />);
  only(container, 'section button').focus();
  await rerender(<Page isOpen={false} />);
  expect(document.activeElement).toBe(only(container, 'main'));
  await rerender(<Page isOpen />);
  const other = only(container, 'main > button');
  other.focus();
  await rerender(<Page isOpen={false} />);
  expect(document.activeElement).toBe(other);
});

it('an element that a press focused has no outline until it loses the focus, also not after another window had it', async () => {
  const { container } = await render(<Page isOpen />);
  const main = only(container, 'main');
  const pressed = () => main.dataset.pressed !== undefined;
  const matches = vi.spyOn(main, 'matches').mockReturnValue(false);
  await act(async () => main.focus());
  expect(pressed()).toBe(true);
  // The keyboard brings the window back.
  matches.mockReturnValue(true);
  for (const kind of ['focusout', 'focusin'])
    await act(async () => void main.dispatchEvent(new FocusEvent(kind, { bubbles: true })));
  expect(pressed()).toBe(true);
  await act(async () => only(container, 'main > button').focus());
  expect(pressed()).toBe(false);
  await act(async () => main.focus());
  expect(pressed()).toBe(false);
});
