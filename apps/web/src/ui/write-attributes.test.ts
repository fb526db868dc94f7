// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { writeAttributes } from './write-attributes.ts';

it('skips attributes that are unchanged since the last write', () => {
  const element = document.createElement('p');
  const written = new Map<string, string | undefined>();
  const [set, remove] = (['setAttribute', 'removeAttribute'] as const).map((name) => vi.spyOn(element, name));
  writeAttributes(element, { title: 'one', 'data-height': 7, 'data-bps': undefined }, written);
  writeAttributes(element, { title: 'one', 'data-height': 7, 'data-bps': undefined }, written);
  expect(set?.mock.calls).toEqual([
    ['title', 'one'],
    ['data-height', '7'],
  ]);
  expect(remove?.mock.calls).toEqual([['data-bps']]);
  writeAttributes(element, { title: undefined, 'data-height': 8 }, written);
  expect(element.outerHTML).toBe('<p data-height="8"></p>');
});
