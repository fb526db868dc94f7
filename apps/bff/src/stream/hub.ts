import type { StatusesMode } from '@l4desk/protocol';
import type { DeflateWanted, PublishedBlock } from '../upstream/l4/api.ts';
import { deflatedFrame, type FrameEntry, plainFrame } from './frame.ts';
import type { EffectiveCoins } from './subscription-set.ts';

/** One connection as the hub sees it. */
export interface Member {
  /** Whether it negotiated compression that can be shared. */
  readonly deflate: boolean;
  /** Takes a whole frame; the same bytes go to others, so they must not be changed. */
  write(frame: Buffer): void;
  /** The stream begins anew at an earlier block: this connection cannot go on, its heights may only rise (L4-12). */
  restart(): void;
}

/** Connections that receive the same: equal coins, each with the same form of statuses. */
interface Group {
  readonly key: string;
  readonly coins: EffectiveCoins;
  readonly wants: DeflateWanted;
  readonly plain: Set<Member>;
  readonly deflated: Set<Member>;
}

interface Frames {
  plain: Buffer | undefined;
  deflated: Buffer | null | undefined;
}

/** Figures of the fan-out; they only rise. */
export interface HubCounters {
  framesBuilt: number;
  framesSent: number;
  bytesSent: number;
}

/**
 * Fans blocks out. Connections with equal effective subscriptions form a group; each block is framed once for a group
 * (and once for all groups it means the same entries to), and the same bytes are written to every member.
 */
export class Hub {
  readonly counters: HubCounters = { framesBuilt: 0, framesSent: 0, bytesSent: 0 };
  readonly #groups = new Map<string, Group>();
  readonly #groupOf = new Map<Member, Group>();
  /** How many members that negotiated compression want entries of each form. */
  readonly #deflateMembers = { all: 0, book: 0 };
  readonly #wantDeflated: (wanted: DeflateWanted) => void;
  #lastHeight = -1;

  /** `wantDeflated` is told whenever it changes which compressed forms have a reader. */
  constructor(wantDeflated: (wanted: DeflateWanted) => void) {
    this.#wantDeflated = wantDeflated;
  }

  get groupCount(): number {
    return this.#groups.size;
  }

  /** Gives a member the coins it receives from the next block on; none takes it out. */
  place(member: Member, coins: EffectiveCoins): void {
    const old = this.#groupOf.get(member);
    const next = coins.size === 0 ? undefined : this.#group(coins);
    if (old === next) return;
    if (old !== undefined) this.#leave(member, old);
    if (next !== undefined) this.#join(member, next);
    this.#tellWanted(old, next, member);
  }

  #group(coins: EffectiveCoins): Group {
    const key = JSON.stringify([...coins].sort(([a], [b]) => (a < b ? -1 : 1)));
    let group = this.#groups.get(key);
    if (group === undefined) {
      const forms = new Set<StatusesMode>(coins.values());
      const wants = { all: forms.has('all'), book: forms.has('book') };
      group = { key, coins, wants, plain: new Set(), deflated: new Set() };
      this.#groups.set(key, group);
    }
    return group;
  }

  #join(member: Member, group: Group): void {
    (member.deflate ? group.deflated : group.plain).add(member);
    this.#groupOf.set(member, group);
  }

  #leave(member: Member, group: Group): void {
    (member.deflate ? group.deflated : group.plain).delete(member);
    this.#groupOf.delete(member);
    if (group.plain.size + group.deflated.size === 0) this.#groups.delete(group.key);
  }

  #tellWanted(old: Group | undefined, next: Group | undefined, member: Member): void {
    if (!member.deflate) return;
    const count = this.#deflateMembers;
    const before = { all: count.all > 0, book: count.book > 0 };
    for (const form of ['all', 'book'] as const) {
      if (old?.wants[form] === true) count[form] -= 1;
      if (next?.wants[form] === true) count[form] += 1;
    }
    const after = { all: count.all > 0, book: count.book > 0 };
    if (after.all !== before.all || after.book !== before.book) this.#wantDeflated(after);
  }

  /** Sends a block to everybody who subscribed to a coin of it: one frame each (D25). */
  publish(block: PublishedBlock): void {
    if (block.height <= this.#lastHeight) for (const member of this.#groupOf.keys()) member.restart();
    this.#lastHeight = block.height;
    const shared = new Map<string, Frames>();
    for (const group of this.#groups.values()) {
      const key = framesKey(block, group.coins);
      if (key === '') continue;
      let frames = shared.get(key);
      if (frames === undefined) {
        frames = { plain: undefined, deflated: undefined };
        shared.set(key, frames);
      }
      if (group.plain.size > 0) this.#write(this.#plain(frames, block, group), group.plain);
      if (group.deflated.size > 0) this.#write(this.#deflated(frames, block, group), group.deflated);
    }
  }

  #plain(frames: Frames, block: PublishedBlock, group: Group): Buffer {
    if (frames.plain === undefined) {
      frames.plain = plainFrame(block, entriesOf(block, group.coins));
      this.counters.framesBuilt += 1;
    }
    return frames.plain;
  }

  #deflated(frames: Frames, block: PublishedBlock, group: Group): Buffer {
    if (frames.deflated === undefined) {
      frames.deflated = deflatedFrame(block, entriesOf(block, group.coins));
      if (frames.deflated !== null) this.counters.framesBuilt += 1;
    }
    return frames.deflated ?? this.#plain(frames, block, group);
  }

  #write(frame: Buffer, members: ReadonlySet<Member>): void {
    for (const member of members) member.write(frame);
    this.counters.framesSent += members.size;
    this.counters.bytesSent += members.size * frame.length;
  }
}

/** Which entries of the block these coins take, and in which form; equal for groups that get equal frames. */
function framesKey({ entries }: PublishedBlock, coins: EffectiveCoins): string {
  let key = '';
  for (let index = 0; index < entries.length; index += 1) {
    const statuses = coins.get(entries[index]?.coin ?? '');
    if (statuses !== undefined) key += `${index}${statuses},`;
  }
  return key;
}

function entriesOf({ entries }: PublishedBlock, coins: EffectiveCoins): readonly FrameEntry[] {
  return entries.flatMap((entry) => {
    const statuses = coins.get(entry.coin);
    return statuses === undefined ? [] : [{ entry, statuses }];
  });
}
