// Every setting: what it is called, what it accepts and what it means. The reference in
// docs/configuration.md is made from this.

import { z } from 'zod'

export interface SettingMeta {
  accepts: string
  description: string
  /** Never printed, not even in a complaint about it. */
  secret?: boolean
}

function setting<Schema extends z.ZodType>(schema: Schema, meta: SettingMeta): Schema {
  return schema.meta({ ...meta })
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values)

const urlOf = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol))

const ranges = z
  .string()
  .transform((text) => text.split(',').map((range) => range.trim()))
  .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()])))

/** Every setting, in the order of the reference. */
export const SETTINGS = z.object({
  NODE_ENV: setting(oneOf(['development', 'production', 'test']).default('development'), {
    accepts: '`development`, `production` or `test`',
    description: '`production` turns on secure cookies and HSTS, and refuses unsafe settings.',
  }),
  HOST: setting(z.string().min(1).default('127.0.0.1'), {
    accepts: 'an address of this machine; `0.0.0.0` for all of them',
    description: 'The address to listen on.',
  }),
  PORT: setting(wholeNumber(0, 65_535).default(3_000), {
    accepts: 'a port from 0 to 65535; 0 takes any free one',
    description: 'The port to listen on.',
  }),
  EARSHOT_PUBLIC_URL: setting(urlOf('http:', 'https:').optional(), {
    accepts: 'an http or https URL',
    description:
      'The address people use, when it is not the one listened on: behind a proxy, for example. Session writes must come from its origin.',
  }),
  EARSHOT_TRUST_PROXY: setting(oneOf(['true', 'false']).default('false'), {
    accepts: '`true` or `false`',
    description:
      'Whether to believe `X-Forwarded-*`. Only behind a proxy of your own that sets these headers itself.',
  }),
  EARSHOT_DATA_DIR: setting(z.string().min(1).default('./data'), {
    accepts: 'a directory, made when missing',
    description: 'Where the embedded database and the generated secret are.',
  }),
  DATABASE_URL: setting(urlOf('postgres:', 'postgresql:').optional(), {
    accepts: '`postgres://user:password@host:port/database`',
    description: 'The PostgreSQL (15 or later) to use. Unset: the embedded SQLite database.',
    secret: true,
  }),
  EARSHOT_DATABASE_CONNECTIONS: setting(wholeNumber(2, 1_000).default(10), {
    accepts: 'a number from 2 to 1000',
    description: 'The most PostgreSQL connections this process opens.',
  }),
  EARSHOT_DATABASE_READERS: setting(wholeNumber(1, 64).default(2), {
    accepts: 'a number from 1 to 64',
    description: 'How many threads read the embedded database side by side.',
  }),
  EARSHOT_QUERY_TIMEOUT_MS: setting(wholeNumber(100, 600_000).default(10_000), {
    accepts: 'milliseconds from 100 to 600000',
    description:
      'How long a search may take in the database before it is answered with 503 `OVERLOADED`. On PostgreSQL no statement of the service may take longer.',
  }),
  EARSHOT_SECRET: setting(z.string().min(32).optional(), {
    accepts: 'at least 32 characters',
    description:
      'Signs cursors and encrypts secrets at rest; the same on every process. Unset: generated into the data directory, except in production with PostgreSQL, where it is required.',
    secret: true,
  }),
  EARSHOT_RATE_LIMIT: setting(wholeNumber(0, 1_000_000_000).default(1_200), {
    accepts: 'requests per minute; 0 turns it off',
    description: 'The most API requests a key may make per minute, counted by each process.',
  }),
  EARSHOT_LOGIN_RATE_LIMIT: setting(wholeNumber(0, 1_000_000).default(10), {
    accepts: 'attempts per 15 minutes; 0 turns it off',
    description: 'The most failed sign-ins for one e-mail, and for one address ten times that.',
  }),
  EARSHOT_MAX_EVENT_LOOP_DELAY_MS: setting(wholeNumber(0, 3_600_000).default(1_000), {
    accepts: 'milliseconds; 0 turns it off',
    description: 'Above this delay of its event loop a process answers 503 `OVERLOADED`.',
  }),
  EARSHOT_SHUTDOWN_TIMEOUT_MS: setting(wholeNumber(0, 3_600_000).default(25_000), {
    accepts: 'milliseconds',
    description: 'How long running requests and jobs may take to finish after SIGTERM.',
  }),
  EARSHOT_FORUM_API_URL: setting(urlOf('http:', 'https:').default('https://oauth.reddit.com'), {
    accepts: 'an http or https URL',
    description: 'The forum platform’s OAuth API.',
  }),
  EARSHOT_FORUM_WEB_URL: setting(urlOf('http:', 'https:').default('https://www.reddit.com'), {
    accepts: 'an http or https URL',
    description: 'The forum platform’s site: where tokens are had, and the feeds.',
  }),
  EARSHOT_FORUM_CLIENT_ID: setting(z.string().min(1).optional(), {
    accepts: 'the id of an application registered with the platform',
    description:
      'With the secret below, the forum is read through its API. Unset: through its public feeds, which tell no scores.',
  }),
  EARSHOT_FORUM_CLIENT_SECRET: setting(z.string().min(1).optional(), {
    accepts: 'the secret of that application',
    description: 'Goes with `EARSHOT_FORUM_CLIENT_ID`: set both or neither.',
    secret: true,
  }),
  EARSHOT_NEWSBOARD_ITEMS_URL: setting(
    urlOf('http:', 'https:').default('https://hacker-news.firebaseio.com'),
    {
      accepts: 'an http or https URL',
      description: 'The newsboard’s items API.',
    },
  ),
  EARSHOT_NEWSBOARD_SEARCH_URL: setting(
    urlOf('http:', 'https:').default('https://hn.algolia.com'),
    {
      accepts: 'an http or https URL',
      description: 'The newsboard’s search API, for what its lists no longer hold.',
    },
  ),
  EARSHOT_USER_AGENT: setting(
    z
      .string()
      .min(1)
      .max(200)
      .regex(/^[\x20-\x7e]+$/)
      .optional(),
    {
      accepts: 'up to 200 printable characters',
      description:
        'How the platforms are told who reads them; say how to reach you. Unset: `Earshot/VERSION (self-hosted)`.',
    },
  ),
  EARSHOT_FORUM_PACE: setting(wholeNumber(1, 100_000).default(90), {
    accepts: 'requests per minute',
    description:
      'How fast the forum is read at most, by each process. What the platform says of its own limits is obeyed besides.',
  }),
  EARSHOT_NEWSBOARD_PACE: setting(wholeNumber(1, 100_000).default(3_000), {
    accepts: 'requests per minute',
    description: 'How fast the newsboard is read at most, by each process.',
  }),
  EARSHOT_MIN_INTERVAL_SECONDS: setting(wholeNumber(1, 86_400).default(60), {
    accepts: 'seconds',
    description:
      'The shortest interval a watcher may have. Lower it only against a platform of your own, `earshot simulate` for example.',
  }),
  EARSHOT_RETENTION_DAYS: setting(wholeNumber(0, 36_500).default(0), {
    accepts: 'days; 0 keeps everything',
    description: 'Records of posts older than this are purged, in small steps.',
  }),
  EARSHOT_WEBHOOK_CONCURRENCY: setting(wholeNumber(1, 1_000).default(10), {
    accepts: 'a number from 1 to 1000',
    description: 'How many deliveries to one webhook are under way at a time, in each process.',
  }),
  EARSHOT_WEBHOOK_PACE: setting(wholeNumber(0, 100_000).default(100), {
    accepts: 'deliveries per second; 0 sends as fast as it can',
    description: 'How fast one webhook is sent to at most, by each process.',
  }),
  EARSHOT_WEBHOOK_ALLOW_CIDRS: setting(ranges.default([]), {
    accepts: 'comma-separated ranges like `10.1.0.0/16, fd00::/8`',
    description:
      'In production webhooks lead to public addresses only; these ranges of your own network are open besides.',
  }),
  EARSHOT_DELIVERY_RETENTION_DAYS: setting(wholeNumber(0, 36_500).default(30), {
    accepts: 'days; 0 keeps everything',
    description:
      'Deliveries that are over, delivered or failed, are purged with their log after this. What is held is kept.',
  }),
  EARSHOT_METRICS_TOKEN: setting(z.string().min(16).optional(), {
    accepts: 'at least 16 characters',
    description: 'When set, `GET /metrics` wants it as a bearer token.',
    secret: true,
  }),
  LOG_LEVEL: setting(
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    {
      accepts: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
      description: 'The least important messages to log. Requests are logged at `info`.',
    },
  ),
  LOG_FORMAT: setting(oneOf(['auto', 'json', 'pretty']).default('auto'), {
    accepts: '`auto`, `json` or `pretty`',
    description: '`auto` is pretty in a terminal and one JSON object a line elsewhere.',
  }),
})
