import { createClient, fundingHistory, ServiceError } from '@l4desk/client';

const { L4DESK_URL = 'http://127.0.0.1:4400', L4DESK_KEY = '' } = process.env;
const client = createClient({ baseUrl: L4DESK_URL, apiKey: L4DESK_KEY });

try {
  // Retried up to 3 times while the service reports that it is busy (429, 503).
  await fundingHistory(client, { coin: 'NOPE', startTime: Date.now() - 86_400_000 }, { retry: { times: 3 } });
} catch (error) {
  if (!(error instanceof ServiceError)) throw error;
  console.log(error.code, error.path, error.retryable); // unknown_coin coin false
}
