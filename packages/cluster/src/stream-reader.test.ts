import { expect, test } from 'vitest';
import { placeOf } from './stream-reader.ts';

test('reads a message’s place from the reply subjects of older and newer servers', () => {
  const place = { sequence: 1_204, delivery: 17 };
  expect(placeOf('$JS.ACK.l4desk.cNs1x.1.1204.17.1778002752000000000.3')).toEqual(place);
  expect(placeOf('$JS.ACK.hub.ACCOUNT.l4desk.cNs1x.1.1204.17.1778002752000000000.3')).toEqual(place);
  expect(placeOf('$JS.ACK._.ACCOUNT.l4desk.cNs1x.1.1204.17.1778002752000000000.3.token')).toEqual(place);
  for (const other of [undefined, '', '$JS.FC.l4desk.cNs1x.1', 'a.b.c.d.e.f.g.h.i', '$JS.ACK.l4desk.cNs1x.1.1204'])
    expect(placeOf(other)).toBeNull();
});
