import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of an order that the checksum covers. */
interface SummedOrder {
  readonly side: 'B' | 'A';
  readonly limitPx: string;
  readonly oid: number;
  readonly sz: string;
}

interface DocumentedChecksum {
  readonly checksum: (this: void, levels: readonly (readonly SummedOrder[])[]) => string;
}

/** Returns the implementation that docs/checksum.md points to. */
export async function documentedChecksum(): Promise<DocumentedChecksum> {
  const code = readFileSync(join(import.meta.dirname, '../../../docs/checksum.mjs'), 'utf8');
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
