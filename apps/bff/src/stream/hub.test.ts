import { constants, inflateRawSync } from 'node:zlib';
import { deflatePiece, type EntryText, type PublishedBlock } from '@l4desk/feed';
import type { StatusesMode } from '@l4desk/protocol';
import { Chance } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { entryForm } from './frame.ts';
import { Hub, type Member } from './hub.ts';

class FakeMember implements Member {
  readonly deflate: boolean;
  readonly frames: Buffer[] = [];
  /** Whether writes are sent at once. */
  quick = true;

  constructor(deflate = false) {
    this.deflate = deflate;
  }

  write(frame: Buffer): boolean {
    // A frame that was sent at once may be overwritten by the hub, so it is copied. An unsent one must not be touched.
    this.frames.push(this.quick ? Buffer.from(frame) : frame);
    return this.quick;
  }

  restart(): void {}

  /** The content of each frame: `height:coin form,…`. */
  get said(): string[] {
    return this.frames.map((frame) => {
      const { Updates } = JSON.parse(payloadOf(frame)).data;
      const entries = Updates.book_diffs.map((entry: { coin: string; form: string }) => `${entry.coin} ${entry.form}`);
      return `${Updates.block_height}:${entries.join()}`;
    });
  }
}

/** Whether RSV1 of permessage-deflate is set (RFC 7692 §6). */
const isCompressed = (frame: Buffer): boolean => (frame.readUInt8(0) & 0x40) !== 0;

function payloadOf(frame: Buffer): string {
  const size = frame.readUInt8(1);
  const payload = frame.subarray(size < 126 ? 2 : size === 126 ? 4 : 10);
  if (!isCompressed(frame)) return payload.toString();
  const message = Buffer.concat([payload, Buffer.of(0x00, 0x00, 0xff, 0xff)]);
  return inflateRawSync(message, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
}

function text(coin: string, form: string): EntryText {
  return { plain: Buffer.from(JSON.stringify({ coin, form })), deflated: null };
}

function block(height: number, ...coins: string[]): PublishedBlock {
  const entries = coins.map((coin) => ({ coin, seq: 1, prevSeq: 0, all: text(coin, 'all'), book: text(coin, 'book') }));
  return { epoch: 'e', height, time: 1, receivedAt: 0, entries };
}

const form = (statuses: StatusesMode, checksum = false) => entryForm({ statuses, checksum, executions: false });

describe('the hub', () => {
  test('[WS-24, L4-11, L4-16] never changes an unsent frame, for any mix of slow, fast and compressing members', () => {
    const chance = new Chance(12_345);
    const someText = (coin: string, form: string): EntryText => {
      const plain = Buffer.from(JSON.stringify({ coin, form, filler: 'x'.repeat(chance.int(0, 2_000)) }));
      return { plain, deflated: chance.happens(0.8) ? deflatePiece(plain) : null };
    };
    let compressed = 0;
    for (let run = 0; run < 20; run += 1) {
      const hub = new Hub();
      const members = Array.from({ length: chance.int(1, 9) }, () => {
        const member = new FakeMember(chance.happens(0.5));
        const wanted = new Map<string, StatusesMode>();
        for (const coin of ['BTC', 'ETH', 'SOL'])
          if (chance.happens(0.7)) wanted.set(coin, chance.happens(0.8) ? 'all' : 'book');
        hub.assign(member, new Map([...wanted].map(([coin, statuses]) => [coin, form(statuses)])));
        return { member, wanted, expected: [] as string[] };
      });
      for (let height = 1; height <= 30; height += 1) {
        const entries = ['BTC', 'ETH', 'SOL']
          .filter(() => chance.happens(0.5))
          .map((coin) => ({ coin, seq: 1, prevSeq: 0, all: someText(coin, 'all'), book: someText(coin, 'book') }));
        for (const { member, wanted, expected } of members) {
          member.quick = chance.happens(0.75);
          const said = entries.flatMap(({ coin }) => (wanted.has(coin) ? [`${coin} ${wanted.get(coin)}`] : []));
          if (said.length > 0) expected.push(`${height}:${said.join()}`);
        }
        hub.publish({ epoch: 'e', height, time: 1, receivedAt: 0, entries });
      }
      for (const { member, expected } of members) {
        expect(member.said, `seed ${chance.seed}, run ${run}`).toEqual(expected);
        compressed += member.frames.filter(isCompressed).length;
      }
    }
    expect(compressed, `seed ${chance.seed}`).toBeGreaterThan(100);
  });

  test('sends a reader of all statuses no entry that was built without them', () => {
    const hub = new Hub();
    const [all, book] = [new FakeMember(), new FakeMember()];
    hub.assign(
      all,
      new Map([
        ['BTC', form('all')],
        ['ETH', form('all')],
      ]),
    );
    hub.assign(
      book,
      new Map([
        ['BTC', form('book')],
        ['ETH', form('book', true)],
      ]),
    );
    const early = block(1, 'BTC', 'ETH');
    hub.publish({
      ...early,
      entries: early.entries.map((entry) => (entry.coin === 'BTC' ? { ...entry, all: null } : entry)),
    });
    hub.publish(block(2, 'BTC'));
    expect(all.said).toEqual(['1:ETH all', '2:BTC all']);
    expect(book.said).toEqual(['1:BTC book,ETH book', '2:BTC book']);
  });
});
