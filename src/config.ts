// The only reader of the environment. One schema says what each setting is called, what it accepts
// and what it means; the reference in docs/configuration.md is made from it.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { OperatorError } from './errors.ts'
import { days, hours } from './lib/duration.ts'
import { VERSION } from './version.ts'

interface SettingMeta {
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

export type Config = ReturnType<typeof readConfig>

type Environment = Record<string, string | undefined>

/** Reads `.env` of the current directory below the real environment, which wins. */
export function environment(): Environment {
  return { ...dotEnv(), ...process.env }
}

/** Reports every mistake at once, so that one restart fixes all. */
export function readConfig(variables: Environment) {
  const given = withoutEmpty(variables)
  const parsed = SETTINGS.safeParse(given)
  const names = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])))
  const mistakes = [...names]
    .map((name) => mistakeIn(name, given))
    .concat(missingSecret(given), halfCredentials(given))
  if (!parsed.success || mistakes.length > 0) {
    const list = mistakes.map((mistake) => `  ${mistake}`)
    throw new OperatorError(`The configuration has mistakes:\n${list.join('\n')}`)
  }
  return nested(parsed.data, unknownSettings(variables))
}

function nested(env: z.infer<typeof SETTINGS>, unknown: string[]) {
  const dataDirectory = resolve(env.EARSHOT_DATA_DIR)
  return {
    production: env.NODE_ENV === 'production',
    dataDirectory,
    secret: env.EARSHOT_SECRET,
    database: {
      url: env.DATABASE_URL,
      connections: env.EARSHOT_DATABASE_CONNECTIONS,
      path: resolve(dataDirectory, 'earshot.db'),
      readers: env.EARSHOT_DATABASE_READERS,
    },
    http: {
      host: env.HOST,
      port: env.PORT,
      publicUrl: env.EARSHOT_PUBLIC_URL,
      trustProxy: env.EARSHOT_TRUST_PROXY === 'true',
      ratePerMinute: env.EARSHOT_RATE_LIMIT,
      maxEventLoopDelayMs: env.EARSHOT_MAX_EVENT_LOOP_DELAY_MS,
      metricsToken: env.EARSHOT_METRICS_TOKEN,
    },
    accounts: {
      loginAttempts: env.EARSHOT_LOGIN_RATE_LIMIT,
      sessionMs: days(30),
      invitationMs: days(7),
    },
    sources: {
      userAgent: env.EARSHOT_USER_AGENT ?? `Earshot/${VERSION} (self-hosted)`,
      forum: {
        apiUrl: env.EARSHOT_FORUM_API_URL,
        webUrl: env.EARSHOT_FORUM_WEB_URL,
        credentials: credentialsOf(env),
        perMinute: env.EARSHOT_FORUM_PACE,
      },
      newsboard: {
        itemsUrl: env.EARSHOT_NEWSBOARD_ITEMS_URL,
        searchUrl: env.EARSHOT_NEWSBOARD_SEARCH_URL,
        perMinute: env.EARSHOT_NEWSBOARD_PACE,
      },
    },
    watchers: { minIntervalSeconds: env.EARSHOT_MIN_INTERVAL_SECONDS },
    records: { retentionMs: days(env.EARSHOT_RETENTION_DAYS) },
    jobs: { purgeEveryMs: hours(1) },
    shutdownMs: env.EARSHOT_SHUTDOWN_TIMEOUT_MS,
    log: { level: env.LOG_LEVEL, format: env.LOG_FORMAT },
    unknownSettings: unknown,
  }
}

function credentialsOf(env: z.infer<typeof SETTINGS>) {
  const { EARSHOT_FORUM_CLIENT_ID: id, EARSHOT_FORUM_CLIENT_SECRET: secret } = env
  return id === undefined || secret === undefined ? null : { id, secret }
}

/** Half of the credentials would silently be the same as none. */
function halfCredentials({
  EARSHOT_FORUM_CLIENT_ID: id,
  EARSHOT_FORUM_CLIENT_SECRET: secret,
}: Environment): string[] {
  if ((id === undefined) === (secret === undefined)) return []
  return [
    'EARSHOT_FORUM_CLIENT_ID and EARSHOT_FORUM_CLIENT_SECRET go together: set both or neither.',
  ]
}

function missingSecret({ NODE_ENV, DATABASE_URL, EARSHOT_SECRET }: Environment): string[] {
  const needsSecret = NODE_ENV === 'production' && DATABASE_URL !== undefined
  if (!needsSecret || EARSHOT_SECRET !== undefined) return []
  return [
    'EARSHOT_SECRET is required in production with PostgreSQL, the same on every process: ' +
      'at least 32 characters, from `openssl rand -hex 32` for example.',
  ]
}

function mistakeIn(name: string, variables: Environment): string {
  const { accepts, secret } = metaOf(name)
  const value = secret ? 'what was given' : JSON.stringify(variables[name])
  return `${name} cannot be ${value}: it takes ${accepts}.`
}

function metaOf(name: string): SettingMeta {
  const schema = SETTINGS.shape[name as keyof typeof SETTINGS.shape]
  return schema.meta() as unknown as SettingMeta
}

/** A misspelt setting would otherwise be ignored in silence. */
function unknownSettings(variables: Environment): string[] {
  const names = Object.keys(variables).filter((name) => name.startsWith('EARSHOT_'))
  return names.filter((name) => !Object.hasOwn(SETTINGS.shape, name)).sort()
}

/** Compose files and shells write an unset variable as an empty one. */
function withoutEmpty(variables: Environment): Environment {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
}

function dotEnv(): Environment {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {} // most installations have none
    throw new OperatorError(`The file .env cannot be read (${message}). Mend or remove it.`)
  }
}
