import type { BookView, CoinTrades, L4Feed } from '@l4desk/feed';
import { L4_MISSING, type MissingData } from '@l4desk/protocol';
import { textFrame } from './frame.ts';
import type { Member } from './hub.ts';
import { type ChannelQuery, channelKey } from './subscription.ts';

interface Channel {
  readonly query: ChannelQuery;
  /** Ends the watch of its view; `trades` has none. */
  readonly unwatch: (() => void) | undefined;
  /** The `data` of its view's last message. */
  data: string | null;
  readonly members: Set<Member>;
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
    const key = channelKey(query);
    let channel = this.#channels.get(key);
    if (channel === undefined) {
      const unwatch = query.channel === 'trades' ? undefined : this.#feed.watchView(query);
      channel = { query, unwatch, data: null, members: new Set() };
      this.#channels.set(key, channel);
    }
    channel.members.add(member);
    // The view sends its current message only once, and other subscribers may already have received it.
    const { data } = channel;
    const isOld = 'coin' in query && this.#feed.bookStatus(query.coin).state !== 'live';
    if (data !== null && !isOld) member.write(viewFrame(query, data));
  }

  /** Call it once no subscription of the connection needs the channel. */
  leave(member: Member, query: ChannelQuery): void {
    const key = channelKey(query);
    const channel = this.#channels.get(key);
    if (channel?.members.delete(member) !== true || channel.members.size > 0) return;
    this.#channels.delete(key);
    channel.unwatch?.();
  }

  remove(member: Member): void {
    for (const { members, query } of this.#channels.values()) if (members.has(member)) this.leave(member, query);
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  #onView({ key, data }: BookView): void {
    const channel = this.#channels.get(key);
    if (channel === undefined) return;
    channel.data = data;
    this.#write(channel, viewFrame(channel.query, data));
  }

  #onTrades({ coin, height, time, trades, missing }: CoinTrades): void {
    const channel = this.#channels.get(channelKey({ channel: 'trades', coin }));
    if (channel === undefined) return;
    if (missing !== undefined) {
      // Public clients ignore this unknown channel, whereas an error would end the wait of some of them.
      const data: MissingData = { channel: 'trades', coin, height, time, detail: missing };
      this.#write(channel, textFrame(JSON.stringify({ channel: L4_MISSING, data })));
    }
    if (trades.length > 0) this.#write(channel, textFrame(JSON.stringify({ channel: 'trades', data: trades })));
  }

  #write({ members }: Channel, frame: Buffer): void {
    for (const member of members) member.write(frame);
  }
}

function viewFrame({ channel }: ChannelQuery, data: string): Buffer {
  return textFrame(`{"channel":"${channel}","data":${data}}`);
}
