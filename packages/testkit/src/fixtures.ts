import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const VALID = dirname(createRequire(import.meta.url).resolve('@l4desk/protocol/fixtures/valid/updates.json'));
const FOLDERS = { valid: VALID, invalid: join(VALID, '..', 'invalid') };

/** Returns the value of one of the protocol's valid fixtures, by its file name without the extension. */
export function fixture(name: string): unknown {
  return valueIn(join(FOLDERS.valid, `${name}.json`));
}

/** Returns every fixture of the protocol in the valid or the invalid folder. */
export function fixtures(folder: keyof typeof FOLDERS): readonly { readonly name: string; readonly value: unknown }[] {
  return readdirSync(FOLDERS[folder]).map((file) => ({
    name: file.replace(/\.json$/, ''),
    value: valueIn(join(FOLDERS[folder], file)),
  }));
}

function valueIn(path: string): unknown {
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly value: unknown }).value;
}
