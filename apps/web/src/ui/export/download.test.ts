// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { downloadCsv } from './download.ts';

it('marks a CSV file as UTF-8 if a spreadsheet would read it otherwise', async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return 'blob:csv';
  });
  // A real one would leave this page for the file.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  downloadCsv('plain.csv', 'label,size\r\nmaker,1.50\r\n');
  downloadCsv('named.csv', 'label,size\r\nMärkte,1.50\r\n');
  const bytes = await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer())));
  const [plain, named] = bytes.map((each) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(each));
  expect(plain).toBe('label,size\r\nmaker,1.50\r\n');
  expect(named).toBe('\ufefflabel,size\r\nMärkte,1.50\r\n');
  expect(bytes[1]?.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
});
