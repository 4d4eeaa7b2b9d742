// The words that generated posts are made of.

export const PRODUCTS = [
  'Airtable',
  'Caddy',
  'ClickHouse',
  'Datadog',
  'Figma',
  'Grafana',
  'Home Assistant',
  'Jellyfin',
  'Kubernetes',
  'Linear',
  'Mailchimp',
  'Nextcloud',
  'Notion',
  'Obsidian',
  'Paperless-ngx',
  'Plausible',
  'PostgreSQL',
  'Sentry',
  'SQLite',
  'Stripe',
  'Supabase',
  'Tailscale',
  'Vaultwarden',
  'Zapier',
] as const

export const NEEDS = [
  'backing up a small fleet of servers',
  'collecting customer feedback',
  'feature flags',
  'full-text search over PDFs',
  'invoicing freelancers',
  'keeping a changelog',
  'log aggregation',
  'monitoring mentions of our product',
  'on-call rotation',
  'product analytics without cookies',
  'scheduling social media posts',
  'sending transactional e-mail',
  'sharing passwords in a team',
  'status pages',
  'syncing calendars',
  'time tracking',
] as const

export const AUDIENCES = [
  'a bootstrapped SaaS',
  'a café with two branches',
  'a family of five',
  'a team of 12',
  'a university lab',
  'my homelab',
  'small agencies',
  'solo founders',
] as const

export const COMPLAINTS = [
  'keeps losing my settings',
  'doubled its price overnight',
  'is down again',
  'silently drops webhooks',
  'takes 40 seconds to load',
  'wants an e-mail address for everything',
] as const

export const FEELINGS = [
  '🎉',
  '🙏',
  '🤔',
  '🚀',
  '😅',
  '☕',
  'ありがとう',
  'merci à tous',
  'größer ≠ besser',
] as const

export const FIRST_NAMES = [
  'amber',
  'boris',
  'chiara',
  'dmitri',
  'elif',
  'femi',
  'greta',
  'hiro',
  'ines',
  'jonas',
  'kavya',
  'luca',
  'mei',
  'noor',
  'olga',
  'pablo',
] as const

export const LAST_NAMES = [
  '_dev',
  '_ops',
  'codes',
  'builds',
  'writes',
  '42',
  '_at_home',
  'x',
] as const

export const HOSTS = [
  'blog.example.com',
  'docs.example.org',
  'github.com/example',
  'news.example.net',
  'status.example.com',
] as const

export const IMAGES = ['https://i.redd.it/', 'https://i.imgur.com/'] as const
