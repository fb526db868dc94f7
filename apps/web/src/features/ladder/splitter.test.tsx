import { expect, it, vi } from 'vitest';
import { only, press, render } from '../../test-support/render.ts';
import { Splitter } from './splitter.tsx';

type Split = number | undefined;

const splitter = (split: Split, onSplit: (split: Split) => void) => <Splitter split={split} onSplit={onSplit} />;

it('moves the width further for each arrow key pressed before the page has drawn the last one', async () => {
  const onSplit = vi.fn<(split: Split) => void>();
  const { container, rerender } = await render(splitter(50, onSplit));
  const bar = only(container, '[role=separator]');
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await press(bar, key);
  // The first of the three is drawn.
  await rerender(splitter(48, onSplit));
  await press(bar, 'ArrowLeft');
  expect(onSplit.mock.calls).toEqual([[48], [46], [44], [42]]);
  await rerender(splitter(42, onSplit));
  await press(bar, 'ArrowRight');
  expect(onSplit).toHaveBeenLastCalledWith(44);
});

it('continues from a width set elsewhere, also after a key that changed nothing', async () => {
  const onSplit = vi.fn<(split: Split) => void>();
  const { container, rerender } = await render(splitter(20, onSplit));
  const bar = only(container, '[role=separator]');
  await press(bar, 'ArrowLeft');
  await rerender(splitter(60, onSplit));
  await press(bar, 'ArrowRight');
  expect(onSplit.mock.calls).toEqual([[20], [62]]);
  // The requested width was never drawn.
  await rerender(splitter(30, onSplit));
  await press(bar, 'ArrowRight');
  expect(onSplit).toHaveBeenLastCalledWith(32);
});

it('resets to the default width with Home', async () => {
  const onSplit = vi.fn<(split: Split) => void>();
  const { container } = await render(splitter(30, onSplit));
  const bar = only(container, '[role=separator]');
  await press(bar, 'Home');
  expect(onSplit.mock.calls).toEqual([[undefined]]);
});
