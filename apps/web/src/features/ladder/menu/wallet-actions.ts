import type { Address } from '@l4desk/protocol';
import type { Action } from '../../../hooks/actions.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { unwatchWallet, watchWallet } from '../../../wallets/watch-wallets.ts';
import type { BookPage } from '../book-page.ts';

/** What can be done with a wallet that rests in the book. */
export function useWalletActions(
  user: Address | undefined,
  { only, without, onOnly, onWithout }: Pick<BookPage, 'only' | 'without' | 'onOnly' | 'onWithout'>,
): readonly Action[] {
  const isWatched = useWalletBook(({ wallets }) => wallets.some(({ address }) => address === user));
  if (user === undefined) return [];
  const isAlone = only === user;
  const isLeftOut = without === user;
  return [
    {
      id: 'watch',
      label: isWatched ? 'Stop watching' : 'Watch: mark its orders',
      run: () => (isWatched ? unwatchWallet(user) : watchWallet(user)),
    },
    {
      id: 'only',
      label: isAlone ? 'Everybody’s orders in the ladder' : 'Only its orders in the ladder',
      hint: 'Escape shows everybody’s again',
      run: () => onOnly(isAlone ? undefined : user),
    },
    {
      id: 'without',
      label: isLeftOut ? 'Book with it' : 'Book without it',
      hint: 'Leaves its orders out of the ladder’s numbers, and draws them as ghosts',
      run: () => onWithout(isLeftOut ? undefined : user),
    },
  ];
}
