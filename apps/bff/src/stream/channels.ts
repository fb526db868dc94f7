import type { BookView, CoinTrades, L4Feed, ViewLease } from '@l4desk/feed';
import { L4_MISSING, type MissingData } from '@l4desk/protocol';
import type { ChannelQuery } from './client-message.ts';
import { textFrame } from './frame.ts';
import type { Member } from './hub.ts';

interface Channel {
  readonly query: ChannelQuery;
  readonly lease: ViewLease | undefined;
  /** Number of subscriptions per connection. Each connection gets one message, however many subscriptions it has. */
  readonly members: Map<Member, number>;
}

/** The exchange's own channels, served from our books. Each message is framed once for all subscribers. */
export class Channels {
  readonly #feed: L4Feed;
  readonly #channels = new Map<string, Channel>();
  readonly #ends: readonly (() => void)[];

  constructor(feed: L4Feed) {
    this.#feed = feed;
    this.#ends = [feed.onView((view) => this.#onView(view)), feed.onTrades((trades) => this.#onTrades(trades))];
  }

  join(member: Member, query: ChannelQuery): void {
    const key = keyOf(query);
    let channel = this.#channels.get(key);
    if (channel === undefined) {
      const lease = query.channel === 'trades' ? undefined : this.#feed.watchView(query);
      channel = { query, lease, members: new Map() };
      this.#channels.set(key, channel);
    }
    channel.members.set(member, (channel.members.get(member) ?? 0) + 1);
    // The view sends its current message only once, and other subscribers may already have received it.
    const data = channel.lease?.data ?? null;
    const isOld = 'coin' in query && this.#feed.bookStatus(query.coin).state !== 'live';
    if (data !== null && !isOld) member.write(viewFrame(query, data));
  }

  leave(member: Member, query: ChannelQuery): void {
    const channel = this.#channels.get(keyOf(query));
    const count = channel?.members.get(member) ?? 0;
    if (channel === undefined || count === 0) return;
    if (count > 1) channel.members.set(member, count - 1);
    else this.#forget(channel, member);
  }

  remove(member: Member): void {
    for (const channel of this.#channels.values()) if (channel.members.has(member)) this.#forget(channel, member);
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  #forget(channel: Channel, member: Member): void {
    channel.members.delete(member);
    if (channel.members.size > 0) return;
    this.#channels.delete(keyOf(channel.query));
    channel.lease?.release();
  }

  #onView({ key, data }: BookView): void {
    const channel = this.#channels.get(key);
    if (channel === undefined) return;
    this.#write(channel, viewFrame(channel.query, data));
  }

  #onTrades({ coin, height, time, trades, missing }: CoinTrades): void {
    const channel = this.#channels.get(keyOf({ channel: 'trades', coin }));
    if (channel === undefined) return;
    if (missing !== undefined) {
      // Public clients ignore this unknown channel, whereas an error would end the wait of some of them.
      const data: MissingData = { channel: 'trades', coin, height, time, detail: missing };
      this.#write(channel, textFrame(JSON.stringify({ channel: L4_MISSING, data })));
    }
    if (trades.length > 0) this.#write(channel, textFrame(JSON.stringify({ channel: 'trades', data: trades })));
  }

  #write({ members }: Channel, frame: Buffer): void {
    for (const member of members.keys()) member.write(frame);
  }
}

function viewFrame({ channel }: ChannelQuery, data: string): Buffer {
  return textFrame(`{"channel":"${channel}","data":${data}}`);
}

/** The key of a query, in the format of the feed's view keys. */
function keyOf(query: ChannelQuery): string {
  return JSON.stringify(query);
}
