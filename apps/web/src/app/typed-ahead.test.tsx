import { expect, it, vi } from 'vitest';
import { act, render } from '../test-support/render.ts';
import { useTypedAhead } from './header.tsx';

function pressed(key: string, more: KeyboardEventInit = {}): boolean {
  return document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
}

it("keeps keys typed before a dialog opens for the dialog, and away from the page's shortcuts", async () => {
  const onEscape = vi.fn<() => void>();
  let typed = () => '';
  function Asked({ isAsked }: { readonly isAsked: boolean }) {
    typed = useTypedAhead(isAsked, onEscape);
    return null;
  }
  const heard: string[] = [];
  const shortcuts = ({ key }: KeyboardEvent) => heard.push(key);
  window.addEventListener('keydown', shortcuts);
  const { rerender } = await render(<Asked isAsked={false} />);
  pressed('a');
  await rerender(<Asked isAsked />);
  for (const key of ['a', 'r', 'x', 'Backspace', ' ', 'Shift', 'B']) pressed(key);
  expect(pressed('p')).toBe(false);
  expect([typed(), heard]).toEqual(['ar Bp', ['a']]);
  // Ctrl+C is left to the browser.
  expect([pressed('c', { ctrlKey: true }), typed()]).toEqual([true, 'ar Bp']);
  pressed('Escape');
  expect(onEscape).toHaveBeenCalledOnce();
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.open = true;
  await act(async () => pressed('z'));
  expect([typed(), heard]).toEqual(['ar Bp', ['a', 'z']]);
  dialog.remove();
  await rerender(<Asked isAsked={false} />);
  pressed('b');
  expect(heard).toEqual(['a', 'z', 'b']);
  window.removeEventListener('keydown', shortcuts);
});
