import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementTexts, memberText } from './json-scan.ts';

describe('the text of a member', () => {
  test.each([
    ['{"a":{"b":1}}', '{"b":1}', 1],
    ['{"x":"}","a":{"b":"}{"} }', '{"b":"}{"}', 1],
    [' { "a" : [1, [2]] , "x":null}', '[1, [2]]', 2],
    ['{"a":-1.50e3}', '-1.50e3', 0],
    ['{"a":"\\"\\\\"}', '"\\"\\\\"', 0],
    ['{"\\u0061":true}', 'true', 0],
    ['{"a":1,"a":{ "z" : 0 }}', '{ "z" : 0 }', 1],
    ['{"x":{"a":1},"a":2}', '2', 0],
  ])('[WS-17] in %s is returned as it was sent', (text, expected, depth) => {
    expect(memberText(text, 'a')).toEqual({ text: expected, depth });
  });

  test.each(['{}', '[1]', '"a"', '{"b":{"a":1}}', 'null'])('[WS-17] is undefined in %s', (text) => {
    expect(memberText(text, 'a')).toBeUndefined();
  });

  test('[WS-17] parses to the same value as with JSON.parse, for any object', () => {
    const spacing = fc.constantFrom(undefined, 1, '\t', ' ');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), spacing, (others, value, space) => {
        const text = JSON.stringify({ ...others, subscription: value }, null, space);
        const found = memberText(text, 'subscription');
        expect(JSON.parse(found?.text ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('the texts of elements', () => {
  test.each([
    ['[]', []],
    [' [ ] ', []],
    ['[1.50]', ['1.50']],
    ['[ {"a":"],["} , [1,[2]],\t"\\"" ,null]', ['{"a":"],["}', '[1,[2]]', '"\\""', 'null']],
  ])('in %s are returned as they were sent', (text, expected) => {
    expect(elementTexts(text)).toEqual(expected);
  });

  test('parse to the same values as with JSON.parse, for any array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (values, space) => {
        const text = JSON.stringify(values, null, space);
        expect(elementTexts(text).map((element) => JSON.parse(element))).toEqual(JSON.parse(text));
      }),
    );
  });
});
