import type { CoinMessage } from '../feed/messages.ts';

/** Messages that go out together, at most one a coin: those of one block, or the part of it that a fault has touched. */
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

  /** All messages but those of the coin; nothing when `coin` is null. */
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
