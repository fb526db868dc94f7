import type { OwnPlace } from '../../book-worker/ladder-frame.ts';
import { decimalText, shortAddress, wholeText } from '../../ui/format.ts';
import type { Wallet } from '../../wallets/wallet.ts';

/**
 * The name of a watched wallet in a row: its label. Without a label it is `you` if the address book has no other wallet,
 * otherwise its short address. With names hidden it is empty, and the wallet's letter identifies it.
 */
export function ownName({ label, address }: Pick<Wallet, 'label' | 'address'>, isAlone: boolean, isHidden: boolean) {
  if (label === '' && isAlone) return 'you';
  if (isHidden) return '';
  return label === '' ? shortAddress(address) : label;
}

/** `Desk 12 of 58`, and how many more orders are in the row. */
export function ownPlaceText({ place, orders, more }: OwnPlace, name: string): string {
  const of = `${wholeText(place)} of ${wholeText(orders)}${more === 0 ? '' : ` +${wholeText(more)}`}`;
  return name === '' ? of : `${name} ${of}`;
}

export function ownShortText({ place }: OwnPlace): string {
  return `#${wholeText(place)}`;
}

/** `Desk 12 of 58 · 4.28000 ahead +2`: with the size ahead, in the coin's decimals. */
export function ownText(own: OwnPlace, name: string, sizeDecimals: number): string {
  const { szAhead, more } = own;
  const ahead = `${decimalText(szAhead, sizeDecimals)} ahead`;
  return `${ownPlaceText({ ...own, more: 0 }, name)} · ${ahead}${more === 0 ? '' : ` +${wholeText(more)}`}`;
}
