// @vitest-environment happy-dom
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeAccount } from '../state/account.ts';
import { pageSearch, searchTextOf } from '../state/page-search.ts';
import { walletsCsv, walletsJson } from './export-wallets.ts';
import { importedWallets, previewImport, textOfFile } from './import-wallets.ts';
import { plainWallet, WALLET_COLOURS, type Wallet } from './wallet.ts';
import { readWalletBook, useWalletBook, WALLETS_KEY } from './wallet-book.ts';
import { chosenWallets, searchWallets, walletChoiceOf, walletLinkOf } from './wallet-choice.ts';

const A = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
const B = '0x31ca8395cf837de08b24da3f660e77761dfb974b';
const named: Wallet = { address: A, label: 'maker', group: 'desk', colour: 'blue', tags: ['x'] };

beforeEach(() => {
  localStorage.clear();
  changeAccount('acc_1');
  useWalletBook.setState(useWalletBook.getInitialState(), true);
});

describe('an import of wallets', () => {
  it('reports every line: new, known, repeated by case, bad', () => {
    const text = `address,label\n${A.toUpperCase().replace('0X', '0x')},again\n\n${B},"a, b"\n${B.replace('ca', 'CA')},c\n0x12,short\nnot one,x\n`;
    expect(previewImport(text, [named]).rows).toMatchObject([
      { kind: 'known', line: 2, wallet: { address: A, label: 'again', group: 'desk', colour: 'blue' } },
      { kind: 'new', line: 4, wallet: { address: B, label: 'a, b' } },
      { kind: 'repeated', line: 5, of: 4, byCase: true },
      { kind: 'bad', line: 6, written: '0x12', problem: 'has 2 digits after 0x, not 40' },
      { kind: 'bad', line: 7, written: 'not one', problem: 'does not start with 0x' },
    ]);
  });

  it.each([
    ['addresses on lines', `${A}\n${B}`],
    ['links of explorers', `https://app.example/explorer/address/${A}\nhttps://scan.example/address/${B}?tab=spot`],
    ['brackets, quotes and full stops', `(${A})\n'${B}'.`],
    ['a spreadsheet that names its separator', `sep=;\r\naddress;label\r\n${A};x\r\n${B};y`],
    ['addresses on one line', `${A} ${B}`],
    ['semicolons', `Wallet;Name\r\n${A};x\r\n${B};y`],
    ['tabs', `${A}\tx\n${B}\ty`],
    ['JSON texts', JSON.stringify([A, B])],
    ['JSON objects', JSON.stringify({ wallets: [{ address: A }, { address: B, tags: ['t'] }] })],
  ])('reads %s', (_, text) => {
    expect(importedWallets(previewImport(text, [])).map(({ address }) => address)).toEqual([A, B]);
  });

  it.each([
    ['CR', '\r'],
    ['CRLF', '\r\n'],
    ['LF', '\n'],
  ])('[WEB-180] reads lines that end in %s, with and without a heading', (_, end) => {
    const lines = [`${A},desk one`, `${B},desk two`, ''];
    const expected = [
      { address: A, label: 'desk one' },
      { address: B, label: 'desk two' },
    ];
    expect(importedWallets(previewImport(['address,name', ...lines].join(end), []))).toMatchObject(expected);
    const { rows } = previewImport(lines.join(end), []);
    expect(rows).toMatchObject(expected.map((wallet, at) => ({ kind: 'new', line: at + 1, wallet })));
  });

  it.each([
    ['UTF-8', [0xef, 0xbb, 0xbf], (text: string) => [...new TextEncoder().encode(text)]],
    ['UTF-16, little end first', [0xff, 0xfe], (text: string) => Array.from(text).flatMap((c) => [c.charCodeAt(0), 0])],
    ['UTF-16, big end first', [0xfe, 0xff], (text: string) => Array.from(text).flatMap((c) => [0, c.charCodeAt(0)])],
  ])('[WEB-180] reads a file in %s with a byte order mark', (_, mark, encode) => {
    const text = textOfFile(Uint8Array.from([...mark, ...encode(`address,name\r${A},desk one\r`)]));
    expect(importedWallets(previewImport(text, []))).toMatchObject([{ address: A, label: 'desk one' }]);
  });

  it('[WEB-180] reads the letters of a file that a spreadsheet wrote in Windows-1252', () => {
    const bytes = Uint8Array.from(`address;name\r\n${A};B\u00f6rse \u00a3\r\n`, (letter) => letter.charCodeAt(0));
    expect(importedWallets(previewImport(textOfFile(bytes), []))).toMatchObject([{ label: 'B\u00f6rse \u00a3' }]);
  });

  it.each([
    ['an explorer', `\ufeff"HolderAddress","Balance"\r\n"${A}","1,234.5"\r\n"${B}","3"\r\n`, ['', ''], ['balance']],
    ['a tracker', `id,wallet_address,label\n1,${A},one\n2,${B},two`, ['one', 'two'], ['id']],
    ['a spreadsheet', `Label;Wallet Address\none;${A}\ntwo;${B}`, ['one', 'two'], []],
    ['a list of two', `contract_address,label,address\nx,one,${A}\ny,two,${B}`, ['one', 'two'], ['contract_address']],
  ])('[WEB-180] finds the column of addresses in the heading of %s', (_, text, labels, unknownColumns) => {
    const preview = previewImport(text, []);
    expect(importedWallets(preview)).toMatchObject([
      { address: A, label: labels[0], group: '' },
      { address: B, label: labels[1], group: '' },
    ]);
    expect(preview.unknownColumns).toEqual(unknownColumns);
    expect(preview.rows).toHaveLength(2);
  });

  it.each([
    ['never closed', '"one', '"one'],
    ['closed inside a later cell', '"one', '"one', ',"two"'],
    ['inside a text', '14" screen', '14" screen'],
    ['doubled', '"a ""b"""', 'a "b"'],
    ['around a line break', '"a\r\nb"', 'a\nb'],
  ])('[WEB-180] loses no line to a quote that is %s', (_, cell, label, next = ',two') => {
    const { rows } = previewImport(`address,label\r\n${A},${cell}\r\n${B}${next}\r\n`, []);
    expect(rows).toMatchObject([
      { kind: 'new', wallet: { address: A, label } },
      { kind: 'new', wallet: { address: B, label: 'two' } },
    ]);
  });

  it('names what a line has beyond the columns', () => {
    expect(previewImport(`address,label\n${A},my, comma\n${B},b,,\n`, []).unknownColumns).toEqual(['number 3']);
  });

  it('[WEB-180] reads an address with invisible characters, and says which character of another one is wrong', () => {
    const { rows } = previewImport(
      `\u200b${A}\u200b,a\n\u200e${B.replace('0x', '0X')},b\n${A}\u2060\n${B.slice(0, -1)}g\n${B.replace('c', '\u0441')}`,
      [],
    );
    expect(rows).toMatchObject([
      { kind: 'new', wallet: { address: A, label: 'a' } },
      { kind: 'new', wallet: { address: B, label: 'b' } },
      { kind: 'repeated', of: 1, byCase: false },
      { kind: 'bad', problem: 'character 42 is not a hexadecimal digit' },
      { kind: 'bad', problem: 'character 5 (U+0441) is not a hexadecimal digit' },
    ]);
    expect(previewImport(`\u200b["${A}\u200b"]`, []).rows).toMatchObject([{ kind: 'new', wallet: { address: A } }]);
  });

  it.each([
    ['commas, with several tags', `${A}, Smith, desk, fast;small, blue\n${B}`, 'Smith', ['fast', 'small']],
    ['semicolons, with a comma in a label', `${A};Smith, John;desk;fast\n${B};`, 'Smith, John', ['fast']],
    ['tabs, with both in a label', `${A}\tSmith, J; Ltd\tdesk\tfast\n${B}`, 'Smith, J; Ltd', ['fast']],
  ])('reads lines without a heading, separated by %s', (_, text, label, tags) => {
    expect(importedWallets(previewImport(text, []))).toMatchObject([
      { address: A, label, group: 'desk', tags },
      { address: B, label: '' },
    ]);
  });

  it.each([
    ['names before them', `maker,${A}\n"taker, two",${B}`, ['maker', 'taker, two']],
    ['names before them and groups after', `maker\t${A}\tdesk\ntaker\t${B}\tdesk`, ['maker', 'taker']],
    ['an empty column before them', `\t${A}\tmaker\n\t${B}\ttaker`, ['maker', 'taker']],
    ['numbers of the lines', `1;${A};maker\n2;${B};`, ['maker', '']],
    ['other numbers', `17,${A}\n18,${B}`, ['17', '18']],
  ])('reads addresses without a heading with %s', (_, text, labels) => {
    expect(importedWallets(previewImport(text, []))).toMatchObject([
      { address: A, label: labels[0] },
      { address: B, label: labels[1] },
    ]);
  });

  it('reads an object of labels by address', () => {
    const { rows } = previewImport(JSON.stringify({ [A]: 'maker', [B]: 7 }), []);
    expect(rows).toMatchObject([
      { kind: 'new', wallet: { address: A, label: 'maker' } },
      { kind: 'new', wallet: { address: B, label: '' }, refused: [expect.stringContaining('label')] },
    ]);
  });

  it.each([`${A.slice(0, -1)},${B}`, `maker,${A.slice(0, -1)},${B}`, `maker,${A},${B}`])(
    'reports a line with a second address, or what may be one: %s',
    (text) => {
      expect(previewImport(text, []).rows).toMatchObject([{ kind: 'bad' }]);
    },
  );

  it('takes no address out of a longer text, such as a hash or a name before it', () => {
    const lines = [
      `0x${'a'.repeat(64)}`,
      `https://scan.example/tx/0x${'b'.repeat(64)}`,
      `maker=${A}`,
      `maker ${A}`,
      `${A}/maker`,
      `https://scan.example/token/${A}?a=${B}`,
    ];
    expect(previewImport(lines.join('\n'), []).rows.map(({ kind }) => kind)).toEqual(lines.map(() => 'bad'));
  });

  it('calls an address repeated in a link repeated, not other than its case', () => {
    const { rows } = previewImport(`${A}\nhttps://scan.example/address/${A}`, []);
    expect(rows[1]).toMatchObject({ kind: 'repeated', of: 1, byCase: false });
  });

  it('reports what is wrong with invalid JSON', () => {
    expect(previewImport('[1,', []).rows).toMatchObject([{ kind: 'bad', line: 1 }]);
  });

  it.each([
    ['a label', 'label', 'x'.repeat(81), 'label is longer than 80 characters'],
    ['a group', 'group', 'x'.repeat(41), 'group is longer than 40 characters'],
    ['a tag', 'tags', 'x'.repeat(41), 'tags contains a tag longer than 40 characters'],
    ['a colour', 'colour', 'pink', 'colour must be one of grey, blue, orange, green, magenta, yellow'],
  ])('keeps the value of a known wallet and reports the problem when %s is refused', (_, field, value, problem) => {
    const before: Wallet = { ...named, tags: ['x'] };
    const csv = previewImport(`address,${field}\n${A},${value}\n${B},${value}`, [before]);
    const json = previewImport(JSON.stringify([{ address: A, [field]: field === 'tags' ? [value] : value }]), [before]);
    expect(csv.rows[0]).toEqual({ kind: 'known', line: 2, wallet: before, refused: [problem] });
    expect(csv.rows[1]).toEqual({ kind: 'new', line: 3, wallet: plainWallet(B), refused: [problem] });
    expect(json.rows[0]).toMatchObject({ kind: 'known', wallet: before, refused: [problem] });
  });

  it('keeps the other fields when one is refused', () => {
    const { rows } = previewImport(`address,label,colour\n${A},other,pink`, [named]);
    expect(rows).toMatchObject([
      { wallet: { label: 'other', colour: 'blue' }, refused: [expect.stringMatching(/^colour/)] },
    ]);
  });

  it('maps or names an unknown column, and never drops one silently', () => {
    const preview = previewImport(`Account,Tag,Balance\n${A},x;y,12`, []);
    expect(importedWallets(preview)).toMatchObject([{ address: A, tags: ['x', 'y'] }]);
    expect(preview.unknownColumns).toEqual(['balance']);
    expect(previewImport(JSON.stringify([{ Address: A, Tag: 'x', note: 1 }]), [])).toMatchObject({
      rows: [{ kind: 'new', wallet: { tags: ['x'] } }],
      unknownColumns: ['note'],
    });
  });

  it('accepts any text without throwing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(previewImport(text, [named]).rows).toBeInstanceOf(Array);
      }),
    );
  });

  it('reads back what an export wrote', () => {
    const word = fc.string({ maxLength: 20 }).map((text) => text.trim());
    const wallets = fc.uniqueArray(
      fc.record({
        address: fc.stringMatching(/^0x[0-9a-f]{40}$/).map((text) => text as Wallet['address']),
        label: fc
          .oneof(word, fc.constantFrom('=1+1', '-x', 'a,b', '"q"', 'l1\nl2'))
          .filter((text) => !text.startsWith("'")),
        group: fc.constantFrom('', 'desk', 'a b'),
        colour: fc.constantFrom(...WALLET_COLOURS),
        tags: fc.uniqueArray(fc.constantFrom('a', 'b c', '=d'), { maxLength: 2 }),
      }),
      { selector: ({ address }) => address, minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(wallets, (given) => {
        expect(importedWallets(previewImport(walletsCsv(given), []))).toEqual(given);
        expect(importedWallets(previewImport(walletsJson(given), []))).toEqual(given);
      }),
    );
  });
});

describe('the address book', () => {
  it('keeps each address once, whatever is stored', async () => {
    useWalletBook.getState().put([named, plainWallet(B)]);
    useWalletBook.getState().put([{ ...named, label: 'other' }]);
    expect(useWalletBook.getState().wallets.map(({ label }) => label)).toEqual(['other', '']);
    expect(JSON.parse(localStorage.getItem(`${WALLETS_KEY}.acc_1`) ?? '')).toMatchObject({ version: 1 });
    fc.assert(
      fc.property(fc.anything(), (kept) => {
        expect(readWalletBook(kept).wallets).toBeInstanceOf(Array);
      }),
    );
    expect(
      readWalletBook({ wallets: [{ address: A.toUpperCase().replace('X', 'x'), colour: 'pink' }, 5] }).wallets,
    ).toEqual([plainWallet(A)]);
  });

  it('does not bring removed examples back', () => {
    useWalletBook.getState().addExamples([named]);
    useWalletBook.getState().remove([A]);
    expect(useWalletBook.getState()).toMatchObject({ wallets: [], hasExamples: true });
  });
});

describe('the wallets of an address', () => {
  it('are written and read back, groups by name', () => {
    const choice = [A, 'g:a,b 50%', 'g:Makers'];
    expect(searchWallets.parse(searchTextOf(choice))).toEqual(choice);
    expect(searchWallets.parse(`0x${A.slice(2).toUpperCase()}`)).toEqual([A]);
    expect(searchWallets.safeParse('0x12').success).toBe(false);
    expect(searchWallets.parse(`\u200e${A.toUpperCase()} ,g:a`)).toEqual([A, 'g:a']);
    expect(searchWallets.safeParse('g:').success, 'a group without a name').toBe(false);
  });

  it('are none, never the whole address book, if the address names invalid wallets', () => {
    const page = pageSearch({ w: searchWallets, width: searchWallets });
    const choiceOf = (search: object) => walletChoiceOf(page.read(search), page.invalid(search));
    expect(choiceOf({ w: '0x12' })).toEqual([]);
    expect(choiceOf({})).toBeUndefined();
    expect(choiceOf({ width: '0x12' }), 'another parameter is invalid').toBeUndefined();
    expect(choiceOf({ w: 'g:makers' })).toEqual(['g:makers']);
  });

  it('stay the same in a link to another page, invalid ones too', () => {
    const page = pageSearch({ w: searchWallets });
    const linkOf = (search: object) => walletLinkOf(page.read(search), page.invalid(search));
    expect(linkOf({ w: '0x12' })).toBe('0x12');
    expect(linkOf({})).toBeUndefined();
    expect(linkOf({ w: `${A},g:makers` })).toBe(`${A},g:makers`);
  });

  it('are each listed once, and an unknown group is named', () => {
    const { wallets, missingGroups } = chosenWallets([named], [A, 'g:desk', 'g:other', B]);
    expect(wallets).toEqual([named, plainWallet(B)]);
    expect(chosenWallets([named], [A]).wallets).toEqual([named]);
    expect(missingGroups).toEqual(['other']);
    expect(chosenWallets([named], undefined).wallets).toEqual([named]);
  });
});
