import { expect, test } from '../fixtures/test.ts';

test('[WEB-96, WEB-125] by keyboard: a rule shows what it lacks, is tried on the kept minutes, and a hit leads to its block', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=watch');
  const strip = page.locator('[data-part=time]');
  // Keeping of blocks starts a moment after the book is shown.
  await expect(page.getByRole('slider', { name: 'Shown block in the kept time' })).toBeVisible();
  const form = page.getByRole('form', { name: 'New watch rule' });
  await form.getByLabel('Rule').selectOption('imbalance');
  const add = form.getByRole('button', { name: 'Add' });
  await form.getByRole('textbox', { name: /^Above/ }).fill('much');
  await expect(add).toBeDisabled();
  await expect(form.getByRole('status')).toHaveText('An imbalance is a number from 0 to below 1.');
  await form.getByRole('textbox', { name: /^Above/ }).fill('0.01');
  await expect(add).toBeEnabled();
  await form.getByRole('textbox', { name: 'Within basis points' }).fill('1');
  await add.focus();
  await page.keyboard.press('Enter');
  const attempt = page.getByRole('button', { name: /^Try the rule .*imbalance/ });
  const trial = page.locator('[data-part=trial]');
  let height = 0;
  // Which blocks tilt the book depends on the market; blocks are made until one does.
  await expect(async () => {
    await stack.venue.step(40);
    ({ height } = await stack.venue.state());
    await expect(strip).toHaveAttribute('data-height', String(height));
    await attempt.focus();
    await page.keyboard.press('Enter');
    await expect(trial).toHaveAttribute('data-state', 'done');
    await expect(trial).toContainText(/Would have fired (?:once|twice|\d+ times)\./, { timeout: 1000 });
  }).toPass();
  const hits = trial.getByRole('list', { name: 'Blocks in which it would have fired' }).getByRole('listitem');
  await expect(hits).toHaveCount(Number(await trial.getAttribute('data-count')));
  const last = (await hits.first().textContent()) ?? '';
  const hitHeight = Number(
    /(\d{1,3}(?:,\d{3})+)/.exec(last.replace(/\d\d:\d\d:\d\d\.\d{3}/, ''))?.[1]?.replaceAll(',', ''),
  );
  expect(hitHeight).toBeLessThanOrEqual(height);
  await hits.first().getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(strip).toHaveAttribute('data-frozen', 'true');
  await expect(desk.grid).toHaveAttribute('data-height', String(hitHeight));
});
