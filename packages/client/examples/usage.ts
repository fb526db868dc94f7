import { createClient, usage } from '@l4desk/client';

const { L4DESK_URL = 'http://127.0.0.1:4400', L4DESK_SERVICE_KEY = '' } = process.env;
const client = createClient({ baseUrl: L4DESK_URL, serviceKey: L4DESK_SERVICE_KEY });

const { period, aggregate, by_api_key: keys } = await usage(client, { duration: 3 });
console.log(`${period.from} to ${period.to}: ${aggregate.credits_consumed} of ${aggregate.max_credits} credits`);
for (const { apikey, credits } of keys) console.log(apikey, credits);
