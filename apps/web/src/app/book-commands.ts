import type { VerificationReport } from '../book-worker/messages.ts';
import type { OpenBook } from '../book-worker/open-books.ts';
import type { Command } from '../hooks/commands.ts';
import { counted, wholeText } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';

/** Commands for the followed book, available on every page. The book's own page shows their results by itself. */
export function bookCommands(live: OpenBook['live'], pathname: string): readonly Command[] {
  const status = live.book().status;
  if (status === undefined) return [];
  const { coin, shortage, state } = status;
  const isStopped = shortage !== undefined || state.reason === 'refused';
  const verify: Command = {
    id: 'verify',
    text: `Verify the ${coin} book`,
    hint: '1 credit',
    run: () => {
      if (!pathname.startsWith('/book/')) sayVerified(live, coin);
      live.verify();
    },
  };
  const retry: Command = { id: 'retry', text: `Retry following the ${coin} book`, run: () => live.retry() };
  if (isStopped) return [retry];
  return state.kind === 'live' ? [verify] : [];
}

/** Shows a toast with the result of the next verification of this coin. */
function sayVerified(live: OpenBook['live'], coin: string): void {
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

/** Every status is a copy, so verifications are told apart by the time they ended. */
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
