import { ServiceError } from '@l4desk/client';
import { expect, it, onTestFinished } from 'vitest';
import { useUpstreamLag } from '../../state/upstream-lag.ts';
import { act, render } from '../../test-support/render.ts';
import { Age, Failed, FailedBand } from './states.tsx';

const errorOf = (status: number, error: 'not_served_upstream' | 'upstream_error') =>
  new ServiceError(status, { error, message: 'no', code: status, msg: 'no' });

it('[WEB-208] a kind that the upstream does not serve has no button to try again', async () => {
  const both = (error: unknown) => (
    <>
      <Failed error={error} onRetry={() => {}} credits={1} />
      <FailedBand error={error} onRetry={() => {}} credits={1} />
    </>
  );
  const { container, rerender } = await render(both(errorOf(501, 'not_served_upstream')));
  expect(container.textContent).toContain('Not served upstream');
  expect(container.querySelector('button')).toBeNull();
  await rerender(both(errorOf(502, 'upstream_error')));
  expect(container.querySelectorAll('button')).toHaveLength(2);
});

it('[WEB-209] values from an upstream that is late are stale and as old as its state; the service’s own are not', async () => {
  onTestFinished(() => useUpstreamLag.setState({ lagMs: undefined }));
  const { container } = await render(
    <>
      <p>
        <Age at={Date.now()} />
      </p>
      <p>
        <Age at={Date.now()} isOwn />
      </p>
    </>,
  );
  const texts = () => [...container.querySelectorAll('p')].map(({ textContent }) => textContent);
  expect(texts()[0]).not.toContain('stale');
  await act(async () => useUpstreamLag.setState({ lagMs: 30 * 60_000 }));
  expect(texts()[0]).toMatch(/^stale · 30 m/);
  expect(texts()[1]).not.toContain('stale');
});
