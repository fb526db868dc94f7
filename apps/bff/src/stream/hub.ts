import type { PublishedBlock } from '@l4desk/feed';
import { BlockFrames, type EntryForm, hasAllStatuses, type Pick, pickOf } from './frame.ts';
import type { EffectiveCoins } from './subscription-set.ts';

/** A connection to which frames are written. */
export interface Member {
  /** Whether it negotiated compression whose frames can be shared. */
  readonly deflate: boolean;
  /** Writes a complete frame. It is shared with others and must not be changed. Returns false if part of it is still unsent. */
  write(frame: Buffer): boolean;
  /** Called when the stream restarts at an earlier block. The connection must end, because its heights may only rise (L4-12). */
  restart(): void;
}

/** Connections that receive the same data: equal coins, each in the same form. */
interface Group {
  readonly key: string;
  readonly coins: EffectiveCoins;
  readonly plain: Set<Member>;
  readonly deflated: Set<Member>;
}

/** The groups that receive the same entries of a block. */
interface Delivery {
  readonly picks: readonly Pick[];
  readonly groups: Group[];
}

/** Fans blocks out: each is framed once for all connections that receive the same entries in the same form. */
export class Hub {
  /** They only increase. */
  readonly counters = { framesBuilt: 0, framesSent: 0, bytesSent: 0 };
  readonly #groups = new Map<string, Group>();
  readonly #groupOf = new Map<Member, Group>();
  /** Connections that may have been sent a block, whether or not they have coins now. Their heights may only rise. */
  readonly #members = new Set<Member>();
  /** Reusable memory for one plain and one compressed frame. */
  readonly #scratch = new Scratch();
  readonly #deflatedScratch = new Scratch();
  #lastHeight = -1;

  /** Makes a connection a member before it has coins, because it is sent earlier blocks first. */
  admit(member: Member): void {
    this.#members.add(member);
  }

  /** Sets the coins that a member receives from the next block on. May be empty. */
  assign(member: Member, coins: EffectiveCoins): void {
    const old = this.#groupOf.get(member);
    const next = coins.size === 0 ? undefined : this.#group(coins);
    if (old === next) return;
    this.#members.add(member);
    if (old !== undefined) this.#leave(member, old);
    if (next !== undefined) this.#join(member, next);
  }

  remove(member: Member): void {
    this.assign(member, new Map());
    this.#members.delete(member);
  }

  #group(coins: EffectiveCoins): Group {
    const key = JSON.stringify([...coins].sort(([a], [b]) => (a < b ? -1 : 1)));
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { key, coins, plain: new Set(), deflated: new Set() };
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

  /** Sends a block to all subscribers of its coins, as one frame each (D25). */
  publish(block: PublishedBlock): void {
    if (block.height <= this.#lastHeight) for (const member of this.#members) member.restart();
    this.#lastHeight = block.height;
    const frames = new BlockFrames(block);
    for (const delivery of this.#deliveries(block)) this.#deliver(frames, delivery);
  }

  #deliveries(block: PublishedBlock): Iterable<Delivery> {
    const indexOf = new Map(block.entries.map(({ coin }, index) => [coin, index]));
    const deliveries = new Map<string, Delivery>();
    for (const group of this.#groups.values()) {
      const picks = picksOf(block, indexOf, group.coins);
      if (picks.length === 0) continue;
      const key = picks.join();
      const delivery = deliveries.get(key) ?? { picks, groups: [] };
      deliveries.set(key, delivery);
      delivery.groups.push(group);
    }
    return deliveries.values();
  }

  /** Builds at most one plain and one compressed frame for all groups. Memory is reused unless part of it is still unsent. */
  #deliver(frames: BlockFrames, { picks, groups }: Delivery): void {
    let plain: Buffer | null = null;
    let deflated: Buffer | null | undefined;
    const plainOnce = () => {
      plain ??= this.#built(frames.plain(picks, this.#scratch.take));
      return plain;
    };
    for (const group of groups) {
      if (group.plain.size > 0) this.#write(plainOnce(), group.plain);
      if (group.deflated.size === 0) continue;
      if (deflated === undefined) {
        deflated = frames.deflated(picks, this.#deflatedScratch.take);
        if (deflated !== null) this.#built(deflated);
      }
      this.#write(deflated ?? plainOnce(), group.deflated);
    }
  }

  /** Stops reusing the current buffers, because part of one is still unsent. */
  #detachBuffer(): void {
    this.#scratch.detachBuffer();
    this.#deflatedScratch.detachBuffer();
  }

  #built(frame: Buffer): Buffer {
    this.counters.framesBuilt += 1;
    return frame;
  }

  #write(frame: Buffer, members: ReadonlySet<Member>): void {
    this.counters.framesSent += members.size;
    this.counters.bytesSent += members.size * frame.length;
    let isTaken = true;
    for (const member of members) if (!member.write(frame)) isTaken = false;
    if (!isTaken) this.#detachBuffer();
  }
}

/** Reusable memory for one frame at a time. */
class Scratch {
  #memory = Buffer.alloc(0);

  readonly take = (size: number): Buffer => {
    if (this.#memory.length < size) this.#memory = Buffer.allocUnsafeSlow(size + (size >> 2));
    return this.#memory.subarray(0, size);
  };

  /** Leaves the buffer to its current user. The next frame gets a new one. */
  detachBuffer(): void {
    this.#memory = Buffer.alloc(0);
  }
}

/**
 * The entries of the block that these coins take, and their forms, in the block's order, so that equal frames have
 * equal picks. An entry without all statuses is left out for a reader of all, who joined after it, as did the snapshot
 * that it starts from.
 */
function picksOf(block: PublishedBlock, indexOf: ReadonlyMap<string, number>, coins: EffectiveCoins): readonly Pick[] {
  const picks: Pick[] = [];
  const pick = (index: number, form: EntryForm) => {
    if (block.entries[index]?.all !== null || !hasAllStatuses(form)) picks.push(pickOf(index, form));
  };
  if (coins.size < block.entries.length) {
    for (const [coin, form] of coins) {
      const index = indexOf.get(coin);
      if (index !== undefined) pick(index, form);
    }
    return picks.length > 1 ? picks.sort((a, b) => a - b) : picks;
  }
  for (const [index, { coin }] of block.entries.entries()) {
    const form = coins.get(coin);
    if (form !== undefined) pick(index, form);
  }
  return picks;
}
