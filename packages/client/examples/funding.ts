import { createClient, fundingHistoryPages } from '@l4desk/client';

const { L4DESK_URL = 'http://127.0.0.1:4400', L4DESK_KEY = '' } = process.env;
const client = createClient({ baseUrl: L4DESK_URL, apiKey: L4DESK_KEY });

const startTime = Date.now() - 90 * 86_400_000;
for await (const page of fundingHistoryPages(client, { coin: 'BTC', startTime })) {
  const percent = Math.round(page.progress * 100);
  console.log(`page ${page.page}: ${page.entries.length} entries, ${percent} %, ${page.credits} credits so far`);
}
