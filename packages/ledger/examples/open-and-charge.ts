// Opens a database, creates an account and a key, charges one call and prints the usage. Run it twice to see that charges
// persist.
//   npm run example packages/ledger/examples/open-and-charge.ts .cache/ledger-example
import {
  DEFAULT_PLAN,
  issueKey,
  KyselyLedger,
  KyselyStore,
  Ledger,
  LedgerError,
  newAccount,
  openDatabase,
  usageResponse,
} from '@l4desk/ledger';

const [directory = '.cache/ledger-example'] = process.argv.slice(2);
const db = await openDatabase(directory);
const store = new KyselyStore(db);
const meter = new Ledger({ table: new KyselyLedger(db), now: Date.now, log: console });

const created = await store.createAccount(newAccount('example', DEFAULT_PLAN, Date.now()));
const account = created ?? (await store.accountNamed('example')); // from the second run on the name is taken
if (account === undefined) throw new Error('the account is gone');
const { id, key } = await issueKey(store, account.id, 'api', 'bot', Date.now());
console.log(`API key: ${key}`); // shown once: the database stores only its hash

const held = await meter.reserve({ accountId: account.id, credentialId: id }, 'openOrders', 1);
if (held instanceof LedgerError) throw held; // out of credits, or the database failed
try {
  console.log('the call is done here');
  await held.charge(); // durable from here on: only now may the caller get its response
} finally {
  held.release(); // returns the credits, unless they were charged
}

const today = new Date().toISOString().slice(0, 10);
const day = { from: today, to: today };
const { data } = usageResponse(account, day, await store.usageSums(account.id, day));
console.log(`${today}: ${data.aggregate.credits_consumed} of ${data.aggregate.max_credits} credits`);
for (const { apikey, credits } of data.by_api_key) console.log(`${apikey}: ${credits}`);
await db.destroy();
