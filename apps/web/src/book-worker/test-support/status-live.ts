import type { DataSource } from '@l4desk/protocol';
import { act } from '../../test-support/render.ts';
import { Live } from '../live.ts';
import type { FromWorker, LiveStatus, ToWorker } from '../messages.ts';

/** A page that follows BTC of such a service, with a worker that only says what a test has it say, and what the page told the worker. */
export function statusLive(source: DataSource['kind'] = 'simulated') {
  const posted: ToWorker[] = [];
  let listener: (event: MessageEvent<FromWorker>) => void = () => {};
  const worker = {
    postMessage: (message: ToWorker) => void posted.push(message),
    addEventListener: (type: string, added: (event: never) => void) => {
      if (type === 'message') listener = added as typeof listener;
    },
    terminate: () => {},
  };
  const live = new Live(() => worker, source);
  live.open();
  live.follow('BTC');
  const sendMessage = (data: FromWorker) => act(async () => listener(new MessageEvent('message', { data })));
  const send = (status: LiveStatus) => sendMessage({ kind: 'book', generation: status.generation, status, panes: {} });
  return { live, posted, send, sendMessage };
}
