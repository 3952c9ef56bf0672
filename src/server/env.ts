import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const onOff = z.stringbool().default(false)
const list = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
const roles = list.pipe(
  z.array(z.enum(['web', 'worker', 'channels'], { error: 'use web, worker ou channels, separados por vírgula' })),
)

/** Every variable that the product reads, with its default and the sentence that stands in the README's table. */
export const environment = z.object({
  PORT: z.coerce.number<string | number>().int().min(0).max(65535).default(3000).describe('HTTP port'),
  HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('folder of the embedded database, the files and the master key'),
  DATABASE_URL: z
    .string()
    .startsWith('postgres')
    .optional()
    .describe('external PostgreSQL 15–18, as its owner; without it the embedded one is used'),
  APP_DATABASE_URL: z
    .string()
    .startsWith('postgres')
    .optional()
    .describe('role of the application, where the product may not create roles'),
  PLATFORM_DATABASE_URL: z.string().startsWith('postgres').optional().describe('role of the platform, likewise'),
  WORKER_DATABASE_URL: z.string().startsWith('postgres').optional().describe('role of the job queue, likewise'),
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
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i)
    .optional()
    .describe('master key, 64 hexadecimal digits; without it DATA_DIR/secret.key'),
  SECRET_KEY_FILE: z.string().optional().describe('file that holds the master key'),
  PUBLIC_URL: z.url().optional().describe('public address, for links that leave the product'),
  TRUST_PROXY: onOff.describe('believe X-Forwarded-* of a proxy in front'),
  OUTBOUND_ALLOW: list
    .refine(
      (all) => all.every((one) => ipaddr.isValid(one) || ipaddr.isValidCIDR(one)),
      'não é uma lista de redes (CIDR)',
    )
    .describe('private networks that outgoing calls may reach (CIDR, comma-separated)'),
  DEMO: onOff.describe('fill the demo when the installation is empty'),
  DEMO_PUBLIC: onOff.describe('permit the demo on an address that is not local'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('warn')
    .describe('level of the log on standard output'),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('bearer token that opens /metrics, 16 characters at least; without it only this machine may read it'),
  RATE_LIMITS: onOff.default(true).describe('limits on attempts and requests'),
  WEB_DIST: z.string().default('dist').describe('folder of the built interface'),
})

/** The checked environment. */
export type Env = z.output<typeof environment>

/** Reads the environment, or throws an Error that names each wrong variable in Portuguese. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const known = Object.fromEntries(
    Object.keys(environment.shape).flatMap((key) => (source[key] ? [[key, source[key]]] : [])),
  )
  const parsed = environment.safeParse(known)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path[0]?.toString()}: ${issue.message}`)
    throw new Error(`Variáveis de ambiente com problema:\n${lines.join('\n')}`)
  }
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
