import { afterEach, expect, it, vi } from 'vitest';
import { act, render } from '../../../test-support/render.ts';
import Legend from './legend.tsx';

afterEach(() => vi.restoreAllMocks());

it('outlines what has a label, and lists what found no room for one', async () => {
  // Each box is half of the window, so that one label fits.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, 100, 300, innerHeight / 2),
  );
  await render(
    <>
      <div data-part="tape" />
      <div data-part="owners" />
      <Legend onClose={() => {}} />
    </>,
  );
  await act(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
  expect(texts('li[data-label]:not(.invisible)')).toEqual([expect.stringMatching(/^Tape /)]);
  expect(document.querySelectorAll('dialog > div[aria-hidden]')).toHaveLength(1);
  expect(texts('[aria-label="More on this page"] li')).toEqual([expect.stringMatching(/^Owners /)]);
});
