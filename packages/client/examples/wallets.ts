import { type Address, createClient, spotClearinghouseStates } from '@l4desk/client';

const { L4DESK_URL = 'http://127.0.0.1:4400', L4DESK_KEY = '' } = process.env;
const client = createClient({ baseUrl: L4DESK_URL, apiKey: L4DESK_KEY });

const users = Array.from({ length: 120 }, (_, index): Address => `0x${index.toString(16).padStart(40, '0')}`);
const { results, retryable, credits } = await spotClearinghouseStates(client, { users }, { parallel: 2 });
for (const result of results) {
  if (result.kind === 'failed') console.log(result.user, result.error.code, result.error.message);
  else for (const { coin, total } of result.state.balances) console.log(result.user, coin, total);
}
console.log(`${results.length} wallets, ${retryable.length} worth another try, ${credits} credits`);
