import { builtProgram, temporaryDirectory } from '@l4desk/testkit';
import { Program, runExample, VenueControl } from '@l4desk/testkit/stack';
import { expect, it } from 'vitest';

it('[L4-5] follow-a-coin prints the best prices, then each block', async () => {
  await using directory = await temporaryDirectory();
  const program = await builtProgram('venue');
  const env = { VENUE_PORT: '0', VENUE_CONTROL_PORT: '0', VENUE_COINS: 'BTC', VENUE_SIZE: '0.02', VENUE_PACE: 'step' };
  await using venue = new Program(program, { env, cwd: directory.path });
  const [, url = '', controlUrl = ''] = await venue.printed(/l4Book (\S+), control (\S+)$/);
  const control = new VenueControl(controlUrl);
  const { height, levels } = await control.book('BTC');

  await using example = runExample('packages/feed/examples/follow-a-coin.ts', { args: [url, 'BTC'] });
  await example.printed(/bid/);
  for (let block = 1; block <= 3; block += 1) {
    await control.step();
    await example.printed(new RegExp(`block ${height + block}`));
  }
  const { code, stdout, stderr } = await example.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n')).toEqual([
    `BTC at ${height}, seq 0: bid ${levels[0][0]?.limitPx}, ask ${levels[1][0]?.limitPx}`,
    expect.stringMatching(`^BTC block ${height + 1}: seq 1 after 0, \\d+ bytes$`),
    expect.stringMatching(`^BTC block ${height + 2}: seq 2 after 1, \\d+ bytes$`),
    expect.stringMatching(`^BTC block ${height + 3}: seq 3 after 2, \\d+ bytes$`),
  ]);
});
