import type { Address } from '@l4desk/protocol';
import { memo } from 'react';
import { classNames } from '../ui/class-names.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { isolated, shortAddress } from '../ui/format.ts';
import { letterOf, type MarkPattern, useMarking } from './marks.ts';
import type { RoleFact } from './roles.ts';
import type { Wallet, WalletColour } from './wallet.ts';
import { useWallet, useWalletBook } from './wallet-book.ts';

const COLOURS: Readonly<Record<WalletColour, string>> = {
  grey: 'text-wallet-grey',
  blue: 'text-wallet-blue',
  orange: 'text-wallet-orange',
  green: 'text-wallet-green',
  magenta: 'text-wallet-magenta',
  yellow: 'text-wallet-yellow',
};

/** The outline used for a pattern when the mark is a letter. */
const OUTLINES: Readonly<Record<MarkPattern, string>> = {
  plain: 'rounded-4 border-solid',
  striped: 'rounded-4 border-dashed',
  dotted: 'rounded-4 border-dotted',
  hollow: 'rounded-full border-solid',
};

/** A wallet's colour and pattern, with a letter: the first one of its group, else of its label, else of its address. */
export function WalletMark({ wallet }: { readonly wallet: Wallet }) {
  const pattern = useMarking(wallet.address)?.pattern ?? 'plain';
  return (
    <span
      aria-hidden
      className={classNames(
        'num inline-flex size-4 shrink-0 items-center justify-center border border-current text-11 leading-none font-semibold',
        COLOURS[wallet.colour],
        OUTLINES[pattern],
      )}
    >
      {letterOf(wallet)}
    </span>
  );
}

/** A wallet in a line of text or a cell: its mark, and its label or short address. The tooltip holds the whole address. */
export function WalletName({ wallet }: { readonly wallet: Wallet }) {
  const { address, label } = wallet;
  return (
    <span
      data-wallet={address}
      className="private inline-flex max-w-full min-w-0 items-center gap-1.5"
      title={`${label === '' ? '' : `${isolated(label)} · `}${address}`}
    >
      <WalletMark wallet={wallet} />
      <span className={classNames('truncate', label === '' && 'num text-12')}>{label || shortAddress(address)}</span>
    </span>
  );
}

interface OwnerNameProps {
  readonly user: Address | null;
  readonly hasHint?: boolean;
}

/**
 * The same for an address in a long list: a watched wallet as its mark and label, any other as its short address only; null is
 * an owner that the upstream does not name. Without a hint the list itself shows the whole address on hover: a tooltip that
 * changes costs a style recalculation.
 */
export const OwnerName = memo(function OwnerName({ user, hasHint = true }: OwnerNameProps) {
  const wallet = useWalletBook(({ wallets }) => wallets.find(({ address }) => address === user));
  if (user === null) return <span className="truncate text-dim">owner not named</span>;
  if (wallet !== undefined) return <WalletName wallet={wallet} />;
  return (
    <span data-wallet={user} className="private num text-12" title={hasHint ? user : undefined}>
      {shortAddress(user)}
    </span>
  );
});

/** What a wallet is, if it is not an account of its own: `sub-account of maker-1`. */
export function RoleTag({ fact }: { readonly fact: RoleFact | undefined }) {
  if (fact === undefined || fact.kind === 'plain' || fact.kind === 'missing') return null;
  return (
    <span className="flex min-w-0 items-center gap-1 text-12 text-dim" data-part="role">
      {fact.kind}
      {'of' in fact && fact.of !== undefined && (
        <>
          {' of '}
          <OwnerName user={fact.of} />
        </>
      )}
    </span>
  );
}

/** The whole address with its label and a copy button, for inspectors. */
export function AddressLine({ address }: { readonly address: Address }) {
  const wallet = useWallet(address);
  return (
    <span data-wallet={address} className="private flex min-w-0 flex-wrap items-center gap-x-2">
      <span className="flex min-w-0 items-center gap-x-2">
        <WalletMark wallet={wallet} />
        {wallet.label !== '' && <strong className="min-w-0 wrap-anywhere text-strong">{wallet.label}</strong>}
      </span>
      <span className="num text-12 break-all">{address}</span>
      <CopyButton what="the address" text={() => address} />
    </span>
  );
}
