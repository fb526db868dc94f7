import type { DecodedSnapshot } from '@l4desk/protocol';
import type { ServiceEntry } from './service-message.ts';

/** Place in a coin's sequence at a hosted service. */
export interface ServicePlace {
  readonly epoch: string;
  readonly seq: number;
}

/** Why an entry does not follow, in the words of losses. */
interface Break {
  readonly kind: 'break';
  readonly reason: 'upstream-gap' | 'upstream-epoch';
  readonly detail: string;
}

export type Followed = { readonly kind: 'next'; readonly place: ServicePlace } | Break;

/** What comes of an entry at a place: the next place, or a break of the sequence (L4-6). */
export function followEntry(place: ServicePlace, { epoch, seq, prevSeq }: ServiceEntry): Followed {
  if (epoch !== place.epoch) {
    return { kind: 'break', reason: 'upstream-epoch', detail: `upstream epoch ${place.epoch} became ${epoch}` };
  }
  if (prevSeq !== place.seq) {
    return { kind: 'break', reason: 'upstream-gap', detail: `upstream seq ${prevSeq} → ${seq} came at ${place.seq}` };
  }
  return { kind: 'next', place: { epoch, seq } };
}

export type Joined =
  | { readonly kind: 'joined'; readonly place: ServicePlace; readonly entries: readonly ServiceEntry[] }
  | Break;

/** Joins a snapshot and the entries that were buffered since the subscription: which to apply, and where that leads (L4-3 to L4-5). */
export function joinEntries(snapshot: DecodedSnapshot, buffered: readonly ServiceEntry[]): Joined {
  let place: ServicePlace = { epoch: snapshot.epoch, seq: snapshot.seq };
  const entries: ServiceEntry[] = [];
  for (const entry of buffered) {
    // The epoch first: a new one begins low, and its entries would all look old (L4-4).
    if (entry.epoch === place.epoch && entry.seq <= snapshot.seq) continue;
    const followed = followEntry(place, entry);
    if (followed.kind === 'break') return followed;
    place = followed.place;
    entries.push(entry);
  }
  return { kind: 'joined', place, entries };
}
