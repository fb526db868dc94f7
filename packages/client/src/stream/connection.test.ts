import type { SocketEvent } from '@l4desk/runtime';
import { Chance, FakeClock, ScriptedService } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '../client.ts';
import { Recorder } from '../test-support/recorder.ts';
import { StreamConnection } from './connection.ts';
import type { StreamMessage } from './message.ts';
import type { ConnectionState } from './state.ts';

const SETTINGS = { pingMs: 1_000, deadAfterMs: 3_000, reconnect: { firstMs: 100, longestMs: 800 } };

let service: ScriptedService;
let clock: FakeClock;
let states: Recorder<ConnectionState>;
let messages: Recorder<StreamMessage>;
let connection: StreamConnection;

beforeEach(async () => {
  service = await ScriptedService.start({ coins: ['BTC'], chance: new Chance(2) });
  clock = new FakeClock();
  states = new Recorder();
  messages = new Recorder();
  const client = createClient({
    baseUrl: service.url,
    apiKey: 'l4k_secret&',
    WebSocket,
    clock,
    random: () => 0,
  });
  connection = new StreamConnection(client.transport, SETTINGS, { onState: states.add, onMessage: messages.add });
});
afterEach(async () => {
  connection.stop({ kind: 'closed' });
  await service[Symbol.asyncDispose]();
});

/** The next state of a kind, considering only states from index `from` on. */
function entered<K extends ConnectionState['kind']>(kind: K, from = 0) {
  return states.when((state): state is Extract<ConnectionState, { kind: K }> => state.kind === kind, from);
}

async function open(): Promise<void> {
  const from = states.seen.length;
  if (from === 0) connection.start();
  await entered('open', from);
}

describe('the socket', () => {
  it('[AUTH-2] opens at /ws with the key as query parameter, and shows the key nowhere', async () => {
    await open();
    expect(service.upgrades).toEqual(['/ws?key=l4k_secret%26']);
    expect(JSON.stringify(states.seen)).not.toContain('l4k_secret');
  });

  it('sends pings and measures how long the pongs take', async () => {
    await open();
    expect(connection.roundTripMs).toBeUndefined();
    clock.advance(1_000);
    await messages.when((message) => message.kind === 'pong');
    expect(connection.roundTripMs).toBe(0);
    expect(connection.lastMessageAt).toBe(clock.now());
  });

  it('is replaced if the peer is silent, even if the clock was set back meanwhile', async () => {
    await open();
    service.sendsPongs = false;
    clock.setBack(3_600_000);
    for (let beat = 0; beat < 4; beat += 1) clock.advance(1_000);
    expect(connection.state).toMatchObject({ kind: 'waiting', reason: { kind: 'silent', silentMs: 3_000 } });
  });

  it('is replaced indefinitely, with every wait double the last up to the longest', async () => {
    service.refusesUpgrades = 503;
    connection.start();
    const waitingAt = (count: number) =>
      states.until(() => states.seen.filter((state) => state.kind === 'waiting')[count]);
    const waits: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const waiting = await waitingAt(count);
      expect(waiting).toMatchObject({ attempt: count + 1, reason: { kind: 'failed' } });
      waits.push(waiting.retryAt - waiting.since);
      if (count === 5) service.refusesUpgrades = undefined;
      clock.advance(waiting.retryAt - waiting.since);
    }
    expect(waits).toEqual([100, 200, 400, 800, 800, 800]);
    await entered('open');
  });

  it('waits as at first again once a connection was open for longer than the longest wait', async () => {
    await open();
    const waits: number[] = [];
    for (const openMs of [0, 800, 801]) {
      clock.advance(openMs);
      const from = states.seen.length;
      service.cut();
      const { since, retryAt } = await entered('waiting', from);
      waits.push(retryAt - since);
      clock.advance(retryAt - since);
      await entered('open', states.seen.length);
    }
    expect(waits).toEqual([100, 200, 100]);
  });

  it('gives up a connection that never opens', async () => {
    class Deaf {
      send() {}
      close() {}
      addEventListener() {}
    }
    const client = createClient({
      baseUrl: 'http://127.0.0.1:9',
      WebSocket: Deaf,
      clock,
    });
    const deaf = new StreamConnection(client.transport, SETTINGS, { onState: states.add, onMessage: messages.add });
    deaf.start();
    clock.advance(3_000);
    expect(deaf.state).toMatchObject({
      kind: 'waiting',
      reason: { kind: 'failed', message: 'no response within 3000 ms' },
    });
    deaf.stop({ kind: 'closed' });
  });

  it('is not ended by an earlier socket that was given up', () => {
    const opened: Listening[] = [];
    class Listening {
      readonly listeners = new Map<string, (event: SocketEvent) => void>();
      constructor() {
        opened.push(this);
      }
      send() {}
      close() {}
      addEventListener(type: string, listener: (event: SocketEvent) => void) {
        this.listeners.set(type, listener);
      }
      emit(event: SocketEvent) {
        this.listeners.get(event.type)?.(event);
      }
    }
    const client = createClient({
      baseUrl: service.url,
      WebSocket: Listening,
      clock,
      random: () => 0,
    });
    const patient = new StreamConnection(client.transport, SETTINGS, { onState: states.add, onMessage: messages.add });
    patient.start();
    clock.advance(3_000);
    clock.advance(100);
    const [first, second] = opened;
    second?.emit({ type: 'open' });
    expect(patient.state.kind).toBe('open');
    const heard = [states.seen.length, messages.seen.length];
    first?.emit({ type: 'open' });
    first?.emit({ type: 'message', data: '{"channel":"pong"}' });
    first?.emit({ type: 'message', data: 'no JSON' });
    first?.emit({ type: 'error', message: 'Unexpected server response: 401' });
    first?.emit({ type: 'close', code: 4402, reason: 'no credits are left' });
    expect([states.seen.length, messages.seen.length]).toEqual(heard);
    second?.emit({ type: 'message', data: '{"channel":"pong"}' });
    expect(messages.seen).toHaveLength((heard[1] ?? 0) + 1);
    patient.stop({ kind: 'closed' });
  });

  it.each([
    [4401, 'key revoked', { kind: 'credential', code: 'unauthorized', message: 'key revoked' }],
    [4402, 'no credits are left', { kind: 'credits', message: 'no credits are left' }],
  ] as const)('stops for good on close %i, with the reason', async (code, reason, stop) => {
    await open();
    service.close(code, reason);
    expect(await entered('stopped')).toMatchObject({ reason: stop });
    expect(clock.waiting).toEqual([]);
  });

  it.each([
    [1013, 'slow consumer'],
    [1001, 'going away'],
    [1008, 'too many invalid messages'],
    [1011, ''],
  ])('reconnects after close %i', async (code, reason) => {
    await open();
    service.close(code, reason);
    expect(await entered('waiting')).toMatchObject({ reason: { kind: 'closed', code, message: reason } });
    clock.advance(100);
    await entered('open', states.seen.length);
  });

  it.each([
    [401, { kind: 'credential', code: 'unauthorized' }],
    [403, { kind: 'credential', code: 'wrong_credential' }],
    [402, { kind: 'credits' }],
  ] as const)('stops if the upgrade is refused with %i', async (status, reason) => {
    service.refusesUpgrades = status;
    connection.start();
    expect(await entered('stopped')).toMatchObject({ reason });
    expect(clock.waiting).toEqual([]);
  });

  it('is replaced if a message cannot be read', async () => {
    await open();
    service.sendText('{"channel":"l4BookUpdates","data":{}}');
    expect(await entered('waiting')).toMatchObject({ reason: { kind: 'malformed' } });
    clock.advance(100);
    await entered('open', states.seen.length);
  });

  it('hides what a platform reports about its URL, because the key is in it', () => {
    class Talkative extends WebSocket {
      constructor(url: string) {
        super(`${url} \u0000`.replace('ws://', 'nonsense://'));
      }
    }
    const options = {
      baseUrl: service.url,
      apiKey: 'l4k_secret',
      WebSocket: Talkative,
      clock,
    };
    const talkative = new StreamConnection(createClient(options).transport, SETTINGS, {
      onState: states.add,
      onMessage: messages.add,
    });
    talkative.start();
    expect(talkative.state).toMatchObject({
      kind: 'waiting',
      reason: { message: 'the platform could not open a socket' },
    });
    talkative.stop({ kind: 'closed' });
  });

  it('reports what is missing on a platform without WebSocket', () => {
    const client = createClient({ baseUrl: service.url, clock });
    const bare = new StreamConnection(client.transport, SETTINGS, { onState: states.add, onMessage: messages.add });
    bare.start();
    expect(bare.state).toMatchObject({
      kind: 'waiting',
      reason: { kind: 'failed', message: 'this platform has no WebSocket: hand one in, createClient({ WebSocket })' },
    });
    bare.stop({ kind: 'closed' });
  });
});
