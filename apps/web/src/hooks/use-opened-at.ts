import { useState } from 'react';

/** When the page was opened, in ms: what failed or got old before is requested again, within the price rule. */
export function useOpenedAt(): number {
  const [openedAt] = useState(() => Date.now());
  return openedAt;
}
