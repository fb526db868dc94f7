import type { Relay, RelayLease } from '@l4desk/feed';
import type { RelayedQuery } from '@l4desk/protocol';
import { isFairShare } from '../exchange/fair-queue.ts';
import { textFrame } from './frame.ts';
import type { Member } from './hub.ts';

/** A connection that receives relayed channels. */
export interface RelayMember {
  readonly peer: Pick<Member, 'write'>;
  readonly principal: { readonly accountId: string };
  /** Reports why the exchange does not send this channel, or missed a part of it. `isOver`: the subscription has ended. */
  reportRelayProblem(query: RelayedQuery, reason: string, isOver: boolean): void;
  onRelayAccepted(query: RelayedQuery): void;
}

interface Channel {
  readonly query: RelayedQuery;
  readonly lease: RelayLease;
  readonly members: Set<RelayMember>;
}

/** Channels of the exchange that are not served from our books. Each is relayed to all its subscribers. */
export class RelayedChannels {
  readonly #relay: Relay;
  readonly #channels = new Map<string, Channel>();

  constructor(relay: Relay) {
    this.#relay = relay;
    relay.listen({
      message: (query, text) => this.#send(query, text),
      refused: (query, reason) => this.#refuse(query, reason),
      interrupted: (query) => this.#interrupt(query),
      accepted: (query) => {
        for (const member of this.#membersOf(query)) member.onRelayAccepted(query);
      },
    });
  }

  get isConnected(): boolean {
    return this.#relay.isConnected;
  }

  isLive(query: RelayedQuery): boolean {
    return this.#relay.isLive(query);
  }

  /** Why an account cannot subscribe now, as text without braces; undefined if it can. */
  problem(query: RelayedQuery, accountId: string): string | undefined {
    const problem = this.#relay.problem(query);
    // A channel that is already relayed uses no more of the limits.
    if (problem !== undefined || this.#channels.has(query.identity)) return problem;
    const { users, subscriptions } = this.#relay.limits;
    const all = [...this.#channels.values()];
    const own = all.filter(({ members }) => [...members].some(({ principal }) => principal.accountId === accountId));
    const wallets = walletsOf(all);
    const ownWallets = walletsOf(own);
    if (query.user !== null && !wallets.has(query.user) && !isFairShare(ownWallets.size, 1, users - wallets.size))
      return `this account follows ${ownWallets.size} of the ${users} wallets that the exchange allows at a time, the others are kept for other accounts`;
    if (!isFairShare(own.length, 1, subscriptions - all.length))
      return `this account has ${own.length} of the ${subscriptions} subscriptions that the exchange allows, the others are kept for other accounts`;
    return undefined;
  }

  join(member: RelayMember, query: RelayedQuery): void {
    let channel = this.#channels.get(query.identity);
    if (channel === undefined) {
      channel = { query, lease: this.#relay.hold(query), members: new Set() };
      this.#channels.set(query.identity, channel);
    }
    if (channel.members.has(member)) return;
    channel.members.add(member);
    for (const text of channel.lease.sofar) member.peer.write(textFrame(text));
  }

  /** Call it once no subscription of the connection needs the channel. */
  leave(member: RelayMember, { identity }: RelayedQuery): void {
    const channel = this.#channels.get(identity);
    if (channel?.members.delete(member) !== true || channel.members.size > 0) return;
    this.#channels.delete(identity);
    channel.lease.release();
  }

  remove(member: RelayMember): void {
    for (const { query } of this.#channels.values()) this.leave(member, query);
  }

  #membersOf({ identity }: RelayedQuery): Iterable<RelayMember> {
    return this.#channels.get(identity)?.members ?? [];
  }

  #send(query: RelayedQuery, text: string): void {
    const frame = textFrame(text);
    for (const { peer } of this.#membersOf(query)) peer.write(frame);
  }

  #refuse(query: RelayedQuery, reason: string): void {
    const channel = this.#channels.get(query.identity);
    this.#channels.delete(query.identity);
    for (const member of channel?.members ?? []) member.reportRelayProblem(query, reason, true);
    channel?.lease.release();
  }

  #interrupt(query: RelayedQuery): void {
    const reason = 'the stream of the exchange was interrupted, messages may have been missed';
    for (const member of this.#membersOf(query)) member.reportRelayProblem(query, reason, false);
  }
}

function walletsOf(channels: readonly Channel[]): ReadonlySet<string> {
  return new Set(channels.flatMap(({ query: { user } }) => (user === null ? [] : [user])));
}
