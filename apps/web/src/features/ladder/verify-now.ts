import type { Live } from '../../book-worker/live.ts';
import { bookViewNow } from '../../book-worker/use-book.ts';
import { toast } from '../../ui/toast.tsx';

/** What the key V does: compares the book with a fresh snapshot, or says why there is nothing to compare. */
export function verifyNow(live: Live): void {
  const { state, reason } = bookViewNow(live).integrity;
  if (state === 'live' || state === 'suspect') live.verify();
  // The service's own reasons are sentences.
  else toast(`Not verified: ${reason.replace(/\.$/, '')}.`, undefined, 'verify');
}
