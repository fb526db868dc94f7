import type { Address } from '@l4desk/protocol';
import { GHOST_MARK, type WatchedWallet } from '../watched.ts';

/** Finds the mark of an order by its owner, in any letter case, without creating a string per order. */
export class Marks {
  #byAddress: ReadonlyMap<string, number> = new Map();
  #without: Address | undefined;
  /** Another one means other marks. */
  version = 0;
  /** By the owner's spelling in the book. */
  readonly #known = new Map<string, number>();

  watch(wallets: readonly WatchedWallet[]): void {
    const isSame = ({ address, mark }: WatchedWallet) => this.#byAddress.get(address) === mark;
    if (wallets.length === this.#byAddress.size && wallets.every(isSame)) return;
    this.#byAddress = new Map(wallets.map(({ address, mark }) => [address, mark]));
    this.version += 1;
    this.#known.clear();
  }

  /** Sets the wallet whose orders are ghosts; undefined for none. */
  leaveOut(without: Address | undefined): void {
    if (without === this.#without) return;
    this.#without = without;
    this.version += 1;
    this.#known.clear();
  }

  get isWatching(): boolean {
    return this.#byAddress.size > 0;
  }

  /** The mark of a watched wallet, 0 for any other and for one whose orders are ghosts. */
  watched(user: string | null): number {
    const mark = this.of(user);
    return mark === GHOST_MARK ? 0 : mark;
  }

  /** 0 for an unmarked owner. */
  of(user: string | null): number {
    if (user === null || (this.#without === undefined && this.#byAddress.size === 0)) return 0;
    const known = this.#known.get(user);
    if (known !== undefined) return known;
    const address = user.toLowerCase();
    const mark = address === this.#without ? GHOST_MARK : (this.#byAddress.get(address) ?? 0);
    this.#known.set(user, mark);
    return mark;
  }

  /** Another coin has other owners. */
  forget(): void {
    this.#known.clear();
  }
}
