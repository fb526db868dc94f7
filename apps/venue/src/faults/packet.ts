import type { CoinMessage } from '../feed/messages.ts';

/** Messages that are sent together, at most one per coin: those of one block, or the part of it that a fault affects. */
export class Packet {
  readonly messages: ReadonlyMap<string, CoinMessage>;

  constructor(messages: ReadonlyMap<string, CoinMessage>) {
    this.messages = messages;
  }

  get isEmpty(): boolean {
    return this.messages.size === 0;
  }

  /** The messages of one coin, or all of them. */
  only(coin: string | null): Packet {
    return coin === null ? this : this.#filter((name) => name === coin);
  }

  /** All messages except those of the coin; none if `coin` is null. */
  without(coin: string | null): Packet {
    return coin === null ? new Packet(new Map()) : this.#filter((name) => name !== coin);
  }

  with(message: CoinMessage): Packet {
    return new Packet(new Map(this.messages).set(message.coin, message));
  }

  #filter(keep: (coin: string) => boolean): Packet {
    return new Packet(new Map([...this.messages].filter(([coin]) => keep(coin))));
  }
}
