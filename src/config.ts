// The only reader of the environment. What there is to be set is in settings.ts.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { z } from 'zod'
import { OperatorError } from './errors.ts'
import { days, hours, minutes } from './lib/duration.ts'
import { SETTINGS, type SettingMeta } from './settings.ts'
import { VERSION } from './version.ts'

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
      queryTimeoutMs: env.EARSHOT_QUERY_TIMEOUT_MS,
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
    webhooks: {
      concurrency: env.EARSHOT_WEBHOOK_CONCURRENCY,
      perSecond: env.EARSHOT_WEBHOOK_PACE,
      openRanges: env.EARSHOT_WEBHOOK_ALLOW_CIDRS,
      retentionMs: days(env.EARSHOT_DELIVERY_RETENTION_DAYS),
      userAgent: `Earshot/${VERSION}`,
    },
    jobs: { purgeEveryMs: hours(1), tidyEveryMs: minutes(10) },
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
