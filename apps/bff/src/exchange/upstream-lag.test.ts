import type { Readiness } from '@l4desk/protocol';
import { type FakeResponse, http } from '@l4desk/testkit/service';
import { describe, expect, it } from 'vitest';
import { startInfoRig } from '../info/test-support/info-rig.ts';

/** The clock of a test service. */
const NOW = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;

async function readinessWith(response: FakeResponse | undefined): Promise<Readiness> {
  await using rig = await startInfoRig({
    prepare(exchange) {
      if (response !== undefined) exchange.responses.set('exchangeStatus', response);
    },
  });
  return (await http(`${rig.service.url}/readyz`)).json() as Readiness;
}

describe('the state of the upstream', () => {
  it('[UP-50] is a warning with its lag if it is more than 30 s behind', async () => {
    expect(await readinessWith({ json: { time: NOW - 30 * MINUTE, specialStatuses: null } })).toMatchObject({
      status: 'ready',
      upstreamInfo: { status: 'ok', lagMs: 30 * MINUTE },
      warnings: ['the info API of the upstream is 1800 s behind: its responses are old'],
    });
  });

  it.each([0, 29_999, 30_000, -5_000])('[UP-50] is no warning %i ms behind', async (lagMs) => {
    expect(await readinessWith({ json: { time: NOW - lagMs } })).toMatchObject({
      upstreamInfo: { lagMs: Math.max(0, lagMs) },
      warnings: [],
    });
  });

  it.each<[string, FakeResponse | undefined]>([
    ['does not serve exchangeStatus', undefined],
    ['fails', { status: 500, text: 'null' }],
    ['sends no time', { json: { specialStatuses: null } }],
    ['does not respond', 'cut'],
  ])('[UP-50] is not known if the upstream %s', async (_, response) => {
    const { status, upstreamInfo, warnings } = await readinessWith(response);
    expect([status, upstreamInfo, warnings]).toEqual(['ready', { status: 'ok' }, []]);
  });

  it.each<[string, FakeResponse]>([
    ['is busy', { status: 429, text: '' }],
    ['fails', { status: 500, text: 'null' }],
    ['does not respond', 'cut'],
  ])('[UP-50] remains late while the upstream %s', async (_, failure) => {
    await using rig = await startInfoRig({
      prepare: (exchange) => exchange.responses.set('exchangeStatus', { json: { time: NOW - 30 * MINUTE } }),
    });
    const upstreamInfo = async () => {
      const response = await http(`${rig.service.url}/readyz`);
      return (response.json() as Readiness).upstreamInfo;
    };
    expect(await upstreamInfo()).toMatchObject({ lagMs: 30 * MINUTE });
    rig.respond('exchangeStatus', failure);
    rig.service.pass(10_000);
    expect(await upstreamInfo()).toMatchObject({ lagMs: 30 * MINUTE });
    expect(rig.asked('exchangeStatus').length).toBeGreaterThan(1);
    rig.respond('exchangeStatus', { json: { time: rig.service.now() } });
    rig.service.pass(70_000);
    expect((await upstreamInfo()).lagMs).toBeLessThanOrEqual(70_000);
  });

  it('[UP-50] is asked for at most every 10 s, and at no cost to an account', async () => {
    await using rig = await startInfoRig({
      prepare: (exchange) => exchange.responses.set('exchangeStatus', { json: { time: Date.now() } }),
    });
    for (let n = 0; n < 5; n += 1) await http(`${rig.service.url}/readyz`);
    expect(rig.asked('exchangeStatus')).toHaveLength(1);
    rig.service.pass(10_000);
    await http(`${rig.service.url}/readyz`);
    expect(rig.asked('exchangeStatus')).toHaveLength(2);
    expect(rig.meter.calls).toEqual([]);
  });
});
