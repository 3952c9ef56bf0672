import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { fieldIn, ownMember } from '#domain/keys.ts'

const onOff = z.stringbool().default(false)
const list = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
const roles = list.pipe(z.array(z.enum(['web', 'worker', 'channels'])))
const MAIL_SERVERS = /^[\w.-]+:\d{1,5},[\w.-]+:\d{1,5}$/
const databaseUrl = z.string().refine(isDatabaseUrl).optional()

/** Schema of the environment variables, with defaults; described in docs/settings.md. */
export const environment = z.object({
  PORT: z.coerce.number<string | number>().int().min(0).max(65535).default(3000).describe('HTTP port'),
  HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('folder of the embedded database, the files and the master key'),
  DATABASE_URL: databaseUrl.describe('external PostgreSQL 15–18, as its owner; without it the embedded one is used'),
  APP_DATABASE_URL: databaseUrl.describe('role of the application, where the product may not create roles'),
  PLATFORM_DATABASE_URL: databaseUrl.describe('role of the platform, likewise'),
  WORKER_DATABASE_URL: databaseUrl.describe('role of the job queue, likewise'),
  DB_ROLE_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/)
    .default('guiche')
    .describe('prefix of the database roles: one per installation on the same server'),
  DB_POOL: z.coerce
    .number<string | number>()
    .int()
    .min(2)
    .max(200)
    .default(16)
    .describe('database connections of the application'),
  ROLES: roles.describe('what this process does: web, worker, channels (comma-separated); empty = everything'),
  CONNECTIONS_PER_PROCESS: z.coerce
    .number<string | number>()
    .int()
    .min(1)
    .max(500)
    .default(50)
    .describe('connections to channels that one process keeps open; `npm start` starts as many of them as are needed'),
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i)
    .optional()
    .describe('master key, 64 hexadecimal digits; without it DATA_DIR/secret.key'),
  SECRET_KEY_FILE: z.string().optional().describe('file that holds the master key'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('public address, for links that leave the product'),
  TRUST_PROXY: onOff.describe('believe X-Forwarded-* of a proxy in front'),
  OUTBOUND_ALLOW: list
    .refine((all) => all.every((one) => ipaddr.isValid(one) || ipaddr.isValidCIDR(one)))
    .describe('private networks that outgoing calls may reach (CIDR, comma-separated)'),
  DEMO: onOff.describe('fill the demo when the installation is empty'),
  DEMO_PUBLIC: onOff.describe('permit the demo on an address that is not local'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('warn')
    .describe('level of the log on standard output'),
  WHATSAPP_WEB_URL: z
    .url({ protocol: /^wss?$/ })
    .optional()
    .describe('another server for linked WhatsApp devices (ws:// or wss://), for tests'),
  WHATSAPP_WEB_ROOT: z
    .string()
    .regex(/^[0-9a-f]{64}$/i)
    .optional()
    .describe('root key of its handshake, 64 hexadecimal digits; only with `WHATSAPP_WEB_URL`'),
  WHATSAPP_WEB_CA: z
    .string()
    .optional()
    .describe('PEM file that vouches for its hosts of files; only with `WHATSAPP_WEB_URL`'),
  META_GRAPH_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://graph.facebook.com')
    .describe('another server in place of Meta’s Graph API, for tests'),
  META_LOGIN_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://www.facebook.com')
    .describe('another server in place of Meta’s login, for tests'),
  META_INSTAGRAM_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://graph.instagram.com')
    .describe('another server in place of Meta’s Graph API for Instagram, for tests'),
  TELEGRAM_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.telegram.org')
    .describe('another server in place of Telegram’s Bot API: a local one, or one for tests'),
  GOOGLE_LOGIN_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://accounts.google.com/o/oauth2/v2/auth')
    .describe('another page in place of Google’s login for mailboxes and calendars, for tests'),
  GOOGLE_TOKEN_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://oauth2.googleapis.com/token')
    .describe('another address in place of the one that gives Google’s tokens, for tests'),
  GOOGLE_CALENDAR_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://www.googleapis.com/calendar/v3')
    .describe('another address in place of Google’s Calendar API, for tests'),
  ASAAS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('another address in place of Asaas’s API, for tests'),
  WAVOIP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('another address in place of Wavoip’s server of devices, for tests'),
  MICROSOFT_LOGIN_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://login.microsoftonline.com')
    .describe('another server in place of Microsoft’s login for mailboxes, for tests or another cloud'),
  GMAIL_SERVERS: z
    .string()
    .regex(MAIL_SERVERS)
    .default('imap.gmail.com:993,smtp.gmail.com:465')
    .describe('servers of Gmail’s mailboxes, IMAP and SMTP; 993 and 465 by TLS, 143 and 587 by STARTTLS'),
  OUTLOOK_SERVERS: z
    .string()
    .regex(MAIL_SERVERS)
    .default('outlook.office365.com:993,smtp.office365.com:587')
    .describe('servers of Microsoft 365’s mailboxes, likewise'),
  FFMPEG_PATH: z
    .string()
    .optional()
    .describe('program ffmpeg, for recordings and films that are not read without it; else the one on the path'),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('bearer token that opens /metrics, 16 characters at least; without it only this machine may read it'),
  LOOP_LIMIT_MS: z.coerce
    .number<string | number>()
    .int()
    .min(100)
    .default(10_000)
    .describe(
      'CPU, in ms, that a process may take without its event loop turning before it is ended; less only in tests',
    ),
  RATE_LIMITS: onOff.default(true).describe('limits on attempts and requests'),
  WEB_DIST: z.string().default('dist').describe('folder of the built interface'),
})

/** Parsed environment. */
export type Env = z.output<typeof environment>

const postgresUrl = 'um endereço como postgres://usuário:senha@servidor:5432/banco (sinais na senha como %XX)'
const oneOrZero = '1 ou 0'

/** Accepted values of each variable, in Portuguese. */
const takes: Record<keyof typeof environment.shape, string> = {
  PORT: 'um número de 0 a 65535',
  HOST: 'um endereço desta máquina',
  DATA_DIR: 'uma pasta',
  DATABASE_URL: postgresUrl,
  APP_DATABASE_URL: postgresUrl,
  PLATFORM_DATABASE_URL: postgresUrl,
  WORKER_DATABASE_URL: postgresUrl,
  DB_ROLE_PREFIX: 'até 31 letras minúsculas, algarismos e _, com uma letra no início',
  DB_POOL: 'um número de 2 a 200',
  ROLES: 'web, worker ou channels, separados por vírgula',
  CONNECTIONS_PER_PROCESS: 'um número de 1 a 500',
  SECRET_KEY: '64 dígitos hexadecimais',
  SECRET_KEY_FILE: 'um arquivo',
  PUBLIC_URL: 'um endereço que começa com http:// ou https://',
  TRUST_PROXY: oneOrZero,
  OUTBOUND_ALLOW: 'redes como 10.0.0.0/8, separadas por vírgula',
  DEMO: oneOrZero,
  DEMO_PUBLIC: oneOrZero,
  LOG_LEVEL: 'fatal, error, warn, info, debug ou silent',
  WHATSAPP_WEB_URL: 'um endereço que começa com ws:// ou wss://',
  WHATSAPP_WEB_ROOT: '64 dígitos hexadecimais',
  WHATSAPP_WEB_CA: 'um arquivo',
  META_GRAPH_URL: 'um endereço que começa com http:// ou https://',
  META_LOGIN_URL: 'um endereço que começa com http:// ou https://',
  META_INSTAGRAM_URL: 'um endereço que começa com http:// ou https://',
  TELEGRAM_API_URL: 'um endereço que começa com http:// ou https://',
  GOOGLE_LOGIN_URL: 'um endereço que começa com http:// ou https://',
  GOOGLE_TOKEN_URL: 'um endereço que começa com http:// ou https://',
  GOOGLE_CALENDAR_URL: 'um endereço que começa com http:// ou https://',
  ASAAS_URL: 'um endereço que começa com http:// ou https://',
  WAVOIP_URL: 'um endereço que começa com http:// ou https://',
  MICROSOFT_LOGIN_URL: 'um endereço que começa com http:// ou https://',
  GMAIL_SERVERS: 'dois servidores com porta, como imap.exemplo.com:993,smtp.exemplo.com:465',
  OUTLOOK_SERVERS: 'dois servidores com porta, como imap.exemplo.com:993,smtp.exemplo.com:587',
  FFMPEG_PATH: 'um programa',
  METRICS_TOKEN: 'um texto de 16 letras ou mais',
  LOOP_LIMIT_MS: 'um número a partir de 100',
  RATE_LIMITS: oneOrZero,
  WEB_DIST: 'uma pasta',
}

/** Parses the environment; throws an Error with one Portuguese sentence that lists the accepted values of each wrong variable. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const known = Object.fromEntries(
    Object.keys(environment.shape).flatMap((key) => (source[key] ? [[key, source[key]]] : [])),
  )
  const parsed = environment.safeParse(known)
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map(({ path }) => String(path[0])))
    const wrong = [...names].map((name) => `${name} deve ser ${ownMember(takes, name)}`)
    throw new Error(`Corrija as variáveis de ambiente: ${wrong.join('; ')}.`)
  }
  const { WHATSAPP_WEB_URL: web, WHATSAPP_WEB_ROOT: root, WHATSAPP_WEB_CA: ca } = parsed.data
  if (!web && (root || ca))
    throw new Error('WHATSAPP_WEB_ROOT e WHATSAPP_WEB_CA só valem com WHATSAPP_WEB_URL: diga também o endereço.')
  const isLocal = ['127.0.0.1', 'localhost', '::1'].includes(parsed.data.HOST)
  if (parsed.data.DEMO && !parsed.data.DEMO_PUBLIC && !isLocal) {
    throw new Error(
      'DEMO=1 só funciona no endereço local. Use DEMO_PUBLIC=1 se quer mesmo mostrar a demonstração à rede.',
    )
  }
  return parsed.data
}

/** Whether this process plays a role; with none named it plays all. */
export const plays = (env: Env, role: 'web' | 'worker' | 'channels'): boolean =>
  env.ROLES.length === 0 || env.ROLES.includes(role)

function isDatabaseUrl(value: string): boolean {
  try {
    const { protocol, username, password } = new URL(value)
    decodeURIComponent(username + password)
    return protocol === 'postgres:' || protocol === 'postgresql:'
  } catch {
    return false
  }
}

/** Returns the named variables that are texts, for a provider's adapter. */
export const textsOfEnv = (env: Env, names: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(
    names.map((name) => {
      const value = fieldIn(env, name)
      return [name, typeof value === 'string' ? value : undefined]
    }),
  )
