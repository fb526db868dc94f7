import { compare, middle, multiply } from '@l4desk/decimal';
import { isDecimalString } from '@l4desk/protocol';
import type { LiveStatus, VerificationReport } from '../book-worker/messages.ts';
import type { BookPlace, OpenBook } from '../book-worker/open-books.ts';
import type { Action } from '../hooks/actions.ts';
import { counted, grouped, wholeText } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';

/**
 * The largest distance from the current block at which a block is offered: some hours, for which a hold is useful and a proof
 * may reach back.
 */
const BLOCKS_NEAR = 100_000;

/**
 * A block height, with or without commas, opens the followed coin's book: held at that block, or showing what is proven about
 * it. A number far from the current block is not offered as a block; it may be an oid.
 */
export function blockActions(
  typed: string,
  status: LiveStatus | undefined,
  onBlock: (coin: string, height: number) => void,
): readonly Action[] {
  if (status?.position === undefined || !/^(?:[1-9]\d{0,11}|[1-9]\d{0,2}(?:,\d{3}){1,3})$/.test(typed)) return [];
  const { coin, position } = status;
  const block = Number(typed.replaceAll(',', ''));
  const behind = position.height - block;
  if (Math.abs(behind) > BLOCKS_NEAR) return [];
  const text = behind > 0 ? `check whether the ${coin} book includes it` : `pause the ${coin} book there`;
  const hint =
    behind > 0 ? `${counted(behind, 'block')} ago` : behind < 0 ? `in ${counted(-behind, 'block')}` : undefined;
  return [
    {
      id: 'block',
      label: `Block ${wholeText(block)}: ${text}`,
      hint,
      run: () => onBlock(coin, block),
    },
  ];
}

/** A price near the followed book, with or without commas, opens its row. */
export function priceActions(
  typed: string,
  status: LiveStatus | undefined,
  onPlace: (coin: string, place: BookPlace) => void,
): readonly Action[] {
  const { bid, ask } = status?.best ?? {};
  if (status === undefined || bid === undefined || ask === undefined) return [];
  if (!/^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/.test(typed)) return [];
  const px = typed.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  if (!isDecimalString(px)) return [];
  const mid = middle(bid, ask);
  if (compare(multiply(px, '2'), mid) < 0 || compare(px, multiply(mid, '2')) > 0) return [];
  const { coin } = status;
  const side = compare(px, mid) < 0 ? 'B' : 'A';
  return [
    {
      id: 'price',
      label: `Go to ${grouped(px)} in the ${coin} book`,
      run: () => onPlace(coin, { side, px }),
    },
  ];
}

/** Actions for the followed book, available on every page. The book's own page shows their results by itself. */
export function bookActions(live: OpenBook['live'], pathname: string): readonly Action[] {
  const status = live.book().status;
  if (status === undefined) return [];
  const { coin, shortage, state } = status;
  const verify = () => {
    if (!pathname.startsWith('/book/')) reportVerified(live, coin);
    live.verify();
  };
  if (shortage !== undefined || state.reason === 'refused')
    return [{ id: 'retry', label: `Retry following the ${coin} book`, run: () => live.retry() }];
  return state.kind === 'live'
    ? [
        {
          id: 'verify',
          label: `Verify the ${coin} book`,
          hint: '1 credit',
          aliases: 'check compare snapshot',
          run: verify,
        },
      ]
    : [];
}

function reportVerified(live: OpenBook['live'], coin: string): void {
  const before = live.book().status?.verification;
  const end = live.subscribe(() => {
    const status = live.book().status;
    const report = status?.verification;
    const isLeft = status === undefined || status.coin !== coin;
    if (!isLeft && (report === undefined || report.kind === 'running' || sameReport(report, before))) return;
    end();
    if (!isLeft && report !== undefined) toast(verifiedText(coin, report));
  });
}

/** Each status has a new copy of the report, so two verifications differ only in when they ended. */
function sameReport(report: VerificationReport, before: VerificationReport | undefined): boolean {
  return before !== undefined && 'at' in report && 'at' in before && report.at === before.at;
}

function verifiedText(coin: string, report: VerificationReport): string {
  switch (report.kind) {
    case 'running':
      return `${coin}: verifying`;
    case 'equal':
      return `${coin} verified: ${counted(report.orders, 'order')} match a fresh snapshot at block ${wholeText(report.height)}`;
    case 'different':
      return `${coin} differed from a fresh snapshot and was rebuilt: ${report.detail}`;
    case 'failed':
      return `${coin} not verified: ${report.detail}`;
  }
}
