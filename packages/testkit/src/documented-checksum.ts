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

/** Returns the implementation printed in docs/checksum.md, run as it is printed there. */
export async function documentedChecksum(): Promise<DocumentedChecksum> {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/checksum.md'), 'utf8');
  const code = /```js\n(?<code>.*?)```/s.exec(page)?.groups?.code;
  if (code === undefined) throw new Error('docs/checksum.md shows no implementation');
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
