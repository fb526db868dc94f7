import { type Address, isAddress, readAddress, visibleText } from '@l4desk/protocol';

/** Reads an address, also as the only one in the link of an explorer, or in parentheses, quotes or before punctuation. */
export function readPasted(written: string) {
  const text = visibleText(written);
  const inside =
    /^["'(<]*(0x[0-9a-f]{40})["')>.;,]*$/i.exec(text) ??
    /^https?:\/\/(?!\S*0x[0-9a-f]{40}\S*0x[0-9a-f]{40})\S*\/(0x[0-9a-f]{40})(?:[/?#]\S*)?$/i.exec(text);
  return readAddress(inside?.[1] ?? written);
}

/** The addresses of a pasted list, whatever is between them; a field of one line may have removed its line ends. */
export function addressesIn(text: string): readonly Address[] {
  const found = text.match(/0x[0-9a-f]{40}(?=0x|[^0-9a-f]|$)/gi) ?? [];
  return [...new Set(found.map((written) => written.toLowerCase()))].filter(isAddress);
}

/** The text by which a search finds wallets: the address in a pasted link, or else what was typed, in lower case. */
export function searchedText(query: string): string {
  const pasted = readPasted(query);
  return pasted.kind === 'address' ? pasted.address : visibleText(query).toLowerCase();
}
