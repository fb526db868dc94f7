import { beforeEach, describe, expect, it, vi } from 'vitest';
import { noteHits, noteJournal } from '../../../book-worker/journal-store.ts';
import { followedPage } from '../../../book-worker/test-support/followed-page.ts';
import { changeAccount } from '../../../state/account.ts';
import { onBookPage } from '../../../test-support/book-page.tsx';
import { must } from '../../../test-support/must.ts';
import { act, button, click, only, render } from '../../../test-support/render.ts';
import { JournalPane } from './journal-pane.tsx';

const AT = Date.UTC(2026, 10, 22, 13);

beforeEach(() => {
  changeAccount('one');
  return () => changeAccount(undefined);
});

/** The pane, and the files that were saved. */
async function open() {
  const files: { readonly name: string; readonly blob: Blob }[] = [];
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.set('blob:log', blob as Blob);
    return 'blob:log';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    files.push({ name: this.download, blob: must(blobs.get(this.href), 'file') });
  });
  const { worker, live } = followedPage();
  const { container } = await render(onBookPage(live, <JournalPane />));
  const lines = () => [...container.querySelectorAll('li[data-kind]')].map((line) => line.getAttribute('data-kind'));
  return { container, worker, files, lines };
}

const hitAt = (at: number) => ({
  at,
  hit: { rule: 0, coin: 'BTC', height: 7, time: at, facts: { kind: 'spread', bps: '7' } as const },
});

describe('the journal', () => {
  it('lists hits of watch rules between the other entries, the last 200 of them, and says how many there were', async () => {
    const { container, lines } = await open();
    await act(async () => {
      noteHits([hitAt(AT)]);
      noteJournal({ at: AT + 1, coin: 'BTC', kind: 'finding', findings: ['crossed'] });
      noteHits([hitAt(AT + 2)]);
    });
    expect(lines()).toEqual(['watch', 'finding', 'watch']);
    await act(async () => noteHits(Array.from({ length: 1_500 }, (_, index) => hitAt(AT + 3 + index))));
    expect(lines()).toHaveLength(201);
    expect(lines().at(-1)).toBe('finding');
    expect(only(container, '[data-part=journal-counts]').textContent).toBe(
      'no rebuilds · 1 finding (crossed 1) · 0 comparisons, 0 different · 0 times suspect · 0 times stale · 1,502 watch hits (the last 200 are listed)',
    );
  });

  it('goes to the block of a hit with a press on it', async () => {
    const { container, worker } = await open();
    await act(async () => noteHits([hitAt(AT)]));
    await click(only(container, 'li button'));
    expect(worker.asked('travel')).toEqual([{ kind: 'travel', to: { kind: 'height', height: 7 } }]);
  });

  it('is saved as a JSON file: every entry and hit that is kept, and the totals of all that were noted', async () => {
    const { files } = await open();
    await act(async () => {
      noteJournal({ at: AT, coin: 'BTC', kind: 'finding', findings: ['crossed'] });
      noteHits(Array.from({ length: 1_001 }, (_, index) => hitAt(AT + index)));
    });
    await click(button('Audit log'));
    const { name, blob } = must(files[0], 'file');
    expect(name).toMatch(/audit-log.*\.json$/);
    expect(blob.type).toBe('application/json');
    const log = JSON.parse(await blob.text());
    expect(new Date(log.exportedAt).toISOString()).toBe(log.exportedAt);
    expect(log).toMatchObject({
      counts: { findings: { crossed: 1 }, hits: 1_001 },
      dropped: 0,
      entries: [{ serial: 1, kind: 'finding', at: AT, coin: 'BTC', findings: ['crossed'] }],
      hitsDropped: 1,
    });
    expect(log.hits).toHaveLength(1_000);
    expect(log.hits[0]).toEqual({ serial: 2, ...hitAt(AT + 1) });
  });
});
