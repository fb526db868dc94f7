import { expect, it } from 'vitest';
import { only, render } from '../test-support/render.ts';
import { passesFocus } from './pass-focus.ts';

function Page({ isOpen }: { readonly isOpen: boolean }) {
  return (
    <main tabIndex={-1}>
      {isOpen && (
        <section ref={passesFocus}>
          <button type="button">Leave</button>
        </section>
      )}
      <button type="button">Other</button>
    </main>
  );
}

it('[WEB-14] the focus of what goes passes to the nearest element around it, and no other focus moves', async () => {
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
