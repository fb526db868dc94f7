import type { SessionWallets } from '@l4desk/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { exampleWalletsQuery } from '../api/session.ts';
import { useSession } from '../api/session-context.tsx';
import { WALLET_COLOURS, type Wallet } from '../wallets/wallet.ts';
import { useWalletBook } from '../wallets/wallet-book.ts';

/** Adds the simulated exchange's wallets to a demo's address book, once: removed ones do not come back. */
export function useExampleWallets(): void {
  const { demo } = useSession();
  const queryClient = useQueryClient();
  const wanted = useWalletBook((book) => !book.hasExamples) && demo;
  const add = useWalletBook((book) => book.addExamples);
  const awaitExamples = useWalletBook((book) => book.awaitExamples);
  useEffect(() => {
    if (!wanted) return;
    const ask = async () => {
      awaitExamples(true);
      // If the service does not respond, there are no examples this time; the next visit asks again.
      const response = await queryClient.fetchQuery(exampleWalletsQuery).catch(() => undefined);
      if (response === undefined) awaitExamples(false);
      else add(exampleWallets(response));
    };
    void ask();
  }, [wanted, queryClient, add, awaitExamples]);
}

/** The examples as entries of the address book: each with its name; one group and one colour per role. */
function exampleWallets({ wallets }: SessionWallets): readonly Wallet[] {
  const roles = [...new Set(wallets.map(({ role }) => role))];
  return wallets.map(({ address, name, role }) => ({
    address,
    label: name,
    group: role,
    colour: WALLET_COLOURS[(roles.indexOf(role) + 1) % WALLET_COLOURS.length] ?? 'grey',
    tags: ['example'],
  }));
}
