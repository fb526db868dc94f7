import type { Address } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { BOOK_PAGE } from '../../test-support/book-page.tsx';
import { only, render } from '../../test-support/render.ts';
import { takesFocus } from '../../ui/pass-focus.ts';
import { BookPageProvider } from './book-page.ts';
import { OnlyBand, WithoutBand } from './ladder.tsx';

const WALLET: Address = `0x${'5e'.repeat(20)}`;

it.each([
  ['without a wallet', () => <WithoutBand address={WALLET} />],
  ['of a single wallet', () => <OnlyBand address={WALLET} />],
])('the band of a ladder %s passes the focus on when it is closed', async (_, band) => {
  const page = (isOpen: boolean) => (
    <BookPageProvider value={{ ...BOOK_PAGE, without: isOpen ? WALLET : undefined }}>
      <main {...takesFocus}>{isOpen && band()}</main>
    </BookPageProvider>
  );
  const { container, rerender } = await render(page(true));
  only(container, 'button').focus();
  await rerender(page(false));
  expect(document.activeElement).toBe(only(container, 'main'));
});
