import { expect, it, vi } from 'vitest';
import { click, only, render } from '../test-support/render.ts';
import { CopyButton } from './copy-button.tsx';

it('says that nothing was copied in a page over http, which has no clipboard', async () => {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never);
  const { container } = await render(<CopyButton what="command" text={() => 'keys create'} wide />);
  await click(only(container, 'button'));
  await expect.poll(() => container.textContent).toBe('The browser blocked copying');
});
