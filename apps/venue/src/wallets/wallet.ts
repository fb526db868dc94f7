import type { Address } from '@l4desk/protocol';
import { Account, HISTORY_MAX } from '../engine/order.ts';
import type { Random } from '../engine/random.ts';

/**
 * The roles of wallets. `count`: the number of wallets; for the crowd, it is multiplied by the market's size. `historyMax`: entries
 * of order history kept per wallet, together at most some 200,000, which keep their orders in memory.
 */
const TRAITS = {
  maker: { count: 80, historyMax: 300 },
  taker: { count: 120, historyMax: 200 },
  wall: { count: 24, historyMax: 200 },
  bracket: { count: 80, historyMax: 200 },
  racer: { count: 16, historyMax: HISTORY_MAX },
  stretched: { count: 12, historyMax: 200 },
  careless: { count: 12, historyMax: 200 },
  stacker: { count: 4, historyMax: 200 },
  spot: { count: 40, historyMax: 300 },
  archive: { count: 1, historyMax: 2_600 },
  empty: { count: 12, historyMax: 16 },
  crowd: { count: 6_000, historyMax: 16 },
} as const;

/**
 * The trading behaviour of a wallet, which never changes. An `archive` has a long history and does not trade; an `empty`
 * wallet has never been used.
 */
export type WalletRole = keyof typeof TRAITS;

const CROWD_MIN = 60;

/**
 * In millionths of a dollar: 200 million, far more than any order of the market; `stretched` wallets can afford almost
 * nothing.
 */
const BUYING_POWER = 200_000_000_000_000;
const STRETCHED_BUYING_POWER = 50_000_000;

/** An account with a name and a role. */
export class Wallet extends Account {
  readonly name: string;
  readonly role: WalletRole;

  constructor(address: Address, role: WalletRole, number: number) {
    super({
      address,
      buyingPower: role === 'stretched' ? STRETCHED_BUYING_POWER : BUYING_POWER,
      historyMax: TRAITS[role].historyMax,
    });
    this.name = `${role}-${number}`;
    this.role = role;
  }
}

/** All wallets of the exchange. They depend only on the seed, except for the size of the crowd. */
export class WalletRegistry {
  readonly all: readonly Wallet[];
  readonly #byRole = new Map<WalletRole, readonly Wallet[]>();
  readonly #byAddress: ReadonlyMap<Address, Wallet>;

  constructor(random: Random, size: number) {
    for (const role of Object.keys(TRAITS) as WalletRole[]) {
      const { count } = TRAITS[role];
      const wanted = role === 'crowd' ? Math.max(CROWD_MIN, Math.round(count * size)) : count;
      const addresses = random.fork(role);
      this.#byRole.set(
        role,
        Array.from({ length: wanted }, (_, index) => new Wallet(newAddress(addresses), role, index + 1)),
      );
    }
    this.all = [...this.#byRole.values()].flat();
    this.#byAddress = new Map(this.all.map((wallet) => [wallet.address, wallet]));
  }

  of(role: WalletRole): readonly Wallet[] {
    return this.#byRole.get(role) ?? [];
  }

  /** The wallet with this address in lower case; undefined if there is none. */
  at(address: Address): Wallet | undefined {
    return this.#byAddress.get(address);
  }
}

function newAddress(random: Random): Address {
  let digits = '';
  for (let i = 0; i < 5; i += 1) digits += random.u32().toString(16).padStart(8, '0');
  return `0x${digits}`;
}
