import type { Relay, RelayLease } from '@l4desk/feed';
import type { RelayedQuery } from '@l4desk/protocol';
import { textFrame } from './frame.ts';
import type { Member } from './hub.ts';

/** A connection that receives relayed channels. */
export interface RelayMember extends Member {
  /** The exchange does not send this channel, or not all of it, and why. */
  sayRelayProblem(query: RelayedQuery, reason: string, isOver: boolean): void;
  /** The exchange is connected: what it relays costs from now on. */
  onRelayConnected(): void;
}

interface Channel {
  readonly lease: RelayLease;
  /** Subscriptions by connection: one message goes to each connection. */
  readonly members: Map<RelayMember, number>;
}

/** The exchange's channels that are not served from our books: relayed to all who ask for the same (CHAN-10). */
export class RelayedChannels {
  readonly #relay: Relay;
  readonly #channels = new Map<string, Channel>();

  constructor(relay: Relay) {
    this.#relay = relay;
    relay.listen({
      message: ({ identity }, text) => this.#send(identity, text),
      refused: (query) => this.#refuse(query),
      interrupted: (query) => this.#interrupt(query),
      connected: () => {
        for (const member of this.#members()) member.onRelayConnected();
      },
    });
  }

  get isConnected(): boolean {
    return this.#relay.isConnected;
  }

  problem(query: RelayedQuery): string | undefined {
    return this.#relay.problem(query);
  }

  join(member: RelayMember, query: RelayedQuery): void {
    const { identity } = query;
    const known = this.#channels.get(identity);
    // Each who comes is told of what was before by a lease of its own.
    const lease = this.#relay.hold(query);
    const channel = known ?? { lease, members: new Map() };
    if (known === undefined) this.#channels.set(identity, channel);
    else lease.release();
    const count = channel.members.get(member) ?? 0;
    channel.members.set(member, count + 1);
    if (count === 0) for (const text of lease.sofar) member.write(textFrame(text));
  }

  leave(member: RelayMember, { identity }: RelayedQuery): void {
    const channel = this.#channels.get(identity);
    const count = channel?.members.get(member) ?? 0;
    if (channel === undefined || count === 0) return;
    if (count > 1) channel.members.set(member, count - 1);
    else this.#forget(identity, channel, member);
  }

  /** Forgets a member that has gone. */
  remove(member: RelayMember): void {
    for (const [identity, channel] of this.#channels)
      if (channel.members.has(member)) this.#forget(identity, channel, member);
  }

  #forget(identity: string, channel: Channel, member: RelayMember): void {
    channel.members.delete(member);
    if (channel.members.size > 0) return;
    this.#channels.delete(identity);
    channel.lease.release();
  }

  #send(identity: string, text: string): void {
    const channel = this.#channels.get(identity);
    if (channel === undefined) return;
    const frame = textFrame(text);
    for (const member of channel.members.keys()) member.write(frame);
  }

  #refuse(query: RelayedQuery): void {
    const channel = this.#channels.get(query.identity);
    this.#channels.delete(query.identity);
    for (const member of channel?.members.keys() ?? []) member.sayRelayProblem(query, 'the exchange refused it', true);
    channel?.lease.release();
  }

  #interrupt(query: RelayedQuery): void {
    const reason = 'the stream of the exchange was interrupted, messages may have been missed';
    for (const member of this.#channels.get(query.identity)?.members.keys() ?? [])
      member.sayRelayProblem(query, reason, false);
  }

  #members(): ReadonlySet<RelayMember> {
    return new Set([...this.#channels.values()].flatMap(({ members }) => [...members.keys()]));
  }
}
