import { act } from '../../test-support/render.ts';
import { Live } from '../live.ts';
import { FakeWorker } from './fake-worker.ts';

/** A page that follows BTC over a fake worker. */
export function followedPage() {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  live.open();
  live.follow('BTC');
  /** Runs what the worker has put off, and brings to the page what the worker has for it. */
  const deliver = () =>
    act(async () => {
      worker.runTimers();
      worker.deliver();
    });
  return { worker, live, deliver };
}
