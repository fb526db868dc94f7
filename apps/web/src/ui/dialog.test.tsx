import { expect, it, vi } from 'vitest';
import { useActionKeys, useActions } from '../hooks/actions.ts';
import { act, only, press, render } from '../test-support/render.ts';
import { Dialog } from './dialog.tsx';

const run = vi.fn<() => void>();
const ACTIONS = [{ id: 'open', label: 'Open', keys: 'Enter', run }];

function Page({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  useActionKeys();
  useActions('Page', ACTIONS);
  return (
    <Dialog title="Sheet" open={open} onClose={onClose}>
      <input type="file" />
    </Dialog>
  );
}

/** Fires events as the browser does: `cancel` when Escape is pressed, and `close` in a later task. */
async function fire(target: Element, kind: 'cancel' | 'close'): Promise<void> {
  await act(async () => {
    target.dispatchEvent(new Event(kind, { cancelable: true, bubbles: target instanceof HTMLInputElement }));
  });
}

it('closes at once on Escape, and stays open if the late close event arrives after it was reopened', async () => {
  const onClose = vi.fn<() => void>();
  const { container, rerender } = await render(<Page open onClose={onClose} />);
  const dialog = only(container, 'dialog') as HTMLDialogElement;
  await fire(dialog, 'cancel');
  expect(dialog.open).toBe(false);
  expect(onClose).toHaveBeenCalled();
  await rerender(<Page open={false} onClose={onClose} />);
  await rerender(<Page open onClose={onClose} />);
  onClose.mockClear();
  await fire(dialog, 'close');
  expect(onClose).not.toHaveBeenCalled();
  expect(dialog.open).toBe(true);
});

it('handles no keys once it is closed, even if it keeps the focus until the next render', async () => {
  const { container, rerender } = await render(<Page open onClose={() => {}} />);
  const close = only(container, '[aria-label=Close]');
  await press(close, 'Enter');
  expect(run).not.toHaveBeenCalled();
  await rerender(<Page open={false} onClose={() => {}} />);
  await press(close, 'Enter');
  expect(run).toHaveBeenCalledOnce();
});

it('closes when Back in the browser has shown another page', async () => {
  const onClose = vi.fn<() => void>();
  const { container } = await render(<Page open onClose={onClose} />);
  await act(async () => dispatchEvent(new PopStateEvent('popstate')));
  expect((only(container, 'dialog') as HTMLDialogElement).open).toBe(false);
  expect(onClose).toHaveBeenCalled();
});

it('stays open when the choice of a file is cancelled', async () => {
  const onClose = vi.fn<() => void>();
  const { container } = await render(<Page open onClose={onClose} />);
  await fire(only(container, 'input'), 'cancel');
  expect(onClose).not.toHaveBeenCalled();
});
