// The hand-written Playwright script that nth is measured against: the same bookings on the flight site, in the
// style that Playwright's documentation recommends (role and label locators, auto-waiting, no sleeps), no model.
//
//   node testdata/bench/playwright.mjs --playwright DIR --chromium PATH --url URL [--runs N | --interactive]
//
// With --interactive it makes one run for every line on its standard input, so that a caller can alternate.
// DIR is a playwright-core package, such as package/ in the driver folder of playwright-go. Every run has a fresh
// context and page. Its clock starts when the page is open and loaded and stops when the confirmation is shown. Prints one
// JSON line per run; whether the bookings are right is for the caller to read from the site's /api/bookings.
import path from 'node:path';
import readline from 'node:readline';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';

const { values: args } = parseArgs({
  options: {
    playwright: { type: 'string' },
    chromium: { type: 'string' },
    url: { type: 'string' },
    runs: { type: 'string', default: '1' },
    interactive: { type: 'boolean', default: false },
    from: { type: 'string', default: 'Prague' },
    to: { type: 'string', default: 'Lisbon' },
    date: { type: 'string', default: '2027-03-14' },
    passengers: { type: 'string', default: '2' },
    name: { type: 'string', default: 'Ada Lindqvist' },
    email: { type: 'string', default: 'ada.lindqvist@example.com' },
    phone: { type: 'string', default: '+420 601 555 010' },
  },
});
for (const name of ['playwright', 'chromium', 'url']) {
  if (!args[name]) {
    console.error(`playwright.mjs: --${name} is missing`);
    process.exit(2);
  }
}

const { chromium } = await import(pathToFileURL(path.resolve(args.playwright, 'index.mjs')).href);

const SITE_TODAY = { year: 2027, month: 1 }; // the site's calendar opens on this month
const [year, month, day] = args.date.split('-').map(Number);
const monthsAhead = (year - SITE_TODAY.year) * 12 + month - SITE_TODAY.month;
const dayName = new Date(Date.UTC(year, month - 1, day))
  .toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Books the cheapest nonstop flight on an open search page. Gives the reference that the page shows. */
async function book(page) {
  const button = (name) => page.getByRole('button', { name, exact: true });
  // Waits for the answer and not only for what it shows: a locator that waits looks again only every 500 ms in the end.
  const answered = (api, action) => Promise.all([page.waitForResponse(`**/api/${api}*`), action]);
  const city = async (field, name) => {
    await answered('cities', page.getByRole('combobox', { name: field, exact: true }).fill(name));
    await page.getByRole('option', { name: `${name} (` }).click();
  };
  await button('Accept all').click();
  await city('From', args.from);
  await city('To', args.to);
  await button('Departure date').click();
  for (let i = 0; i < monthsAhead; i++) await button('Next month').click();
  await button(dayName).click();
  for (let i = 1; i < Number(args.passengers); i++) await button('Add passenger').click();
  await answered('flights', button('Search flights').click());
  await page.getByRole('checkbox', { name: 'Nonstop only' }).check();
  await page.getByLabel('Sort by').selectOption('Price: low to high');
  await page.getByRole('button', { name: 'Select flight' }).first().click();
  await page.getByLabel('Full name').fill(args.name);
  await page.getByLabel('E-mail').fill(args.email);
  await page.getByLabel('Phone').fill(args.phone);
  await button('Continue to review').click();
  await button('Confirm booking').click();
  return page.locator('[data-booking-reference]').textContent();
}

const browser = await chromium.launch({
  executablePath: args.chromium,
  headless: true,
  chromiumSandbox: process.getuid?.() !== 0, // Chromium refuses to run sandboxed as root
  args: ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
});

async function run() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(args.url);
  const reference = await book(page);
  console.log(JSON.stringify({ wall_ms: Math.round((performance.now() - start) * 10) / 10, reference }));
  await context.close();
}

try {
  if (args.interactive) for await (const _ of readline.createInterface({ input: process.stdin })) await run();
  else for (let i = 0; i < Number(args.runs); i++) await run();
} finally {
  await browser.close();
}
