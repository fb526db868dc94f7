import type { Address, DecimalString } from '@l4desk/protocol';
import type { LevelSort, LevelView } from '../../../book-worker/panes/level.ts';
import type { LadderChoices } from '../search.ts';

/** The sort order of a list, as a column heading sets it. */
export interface LevelOrder {
  readonly sort: LevelSort;
  readonly descending: boolean;
}

const QUEUE_ORDER: LevelOrder = { sort: 'place', descending: false };

/** Owners are sorted by size until another order is chosen. */
const OWNER_ORDER: LevelOrder = { sort: 'sz', descending: true };

/** The URL parameters of how a level's orders are listed. */
export type LevelChoices = Pick<LadderChoices, 'sort' | 'group' | 'owner' | 'tif' | 'min'>;

export function orderOf({ sort, group }: LevelChoices): LevelOrder {
  if (sort === undefined) return group === 'owner' ? OWNER_ORDER : QUEUE_ORDER;
  const descending = sort.startsWith('-');
  return { sort: (descending ? sort.slice(1) : sort) as LevelSort, descending };
}

interface LabelledWallet {
  readonly address: Address;
  readonly label: string;
}

/** How the orders are listed; null for the whole queue in its own order. `open` are the owners whose orders are expanded. */
export function viewOf(
  choices: LevelChoices,
  wallets: readonly LabelledWallet[],
  open: readonly string[],
): LevelView | null {
  const { group, owner = '', tif, min } = choices;
  const order = orderOf(choices);
  const text = owner.trim().toLowerCase();
  const minSz = leastOf(min);
  const isPlain = order.sort === 'place' && !order.descending;
  if (isPlain && group === undefined && text === '' && tif === undefined && minSz === null) return null;
  return {
    ...order,
    owner: text === '' ? null : { text, users: wallets.filter((one) => hasLabel(one, text)).map(addressOf) },
    tif: tif ?? null,
    minSz,
    byOwner: group === 'owner',
    open,
  };
}

/** A negative size or zero filters nothing. */
function leastOf(min: DecimalString | undefined): DecimalString | null {
  return min === undefined || min.startsWith('-') || !/[1-9]/.test(min) ? null : min;
}

const hasLabel = ({ label }: LabelledWallet, text: string) => label.toLowerCase().includes(text);
const addressOf = ({ address }: LabelledWallet) => address;
