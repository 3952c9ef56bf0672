import { z } from 'zod'

const onOff = z.stringbool().default(false)
const list = z
  .string()
  .default('')
  .transform((v) =>
    v
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )

const roles = list.pipe(
  z.array(z.enum(['web', 'worker', 'channels'], { error: 'use web, worker ou channels, separados por vírgula' })),
)

/** Every variable that the product reads, with its default and one sentence for the README's table. */
export const environment = z.object({
  PORT: z.coerce.number<string | number>().int().min(0).max(65535).default(3000).describe('porta HTTP'),
  HOST: z.string().min(1).default('127.0.0.1').describe('endereço em que o servidor escuta'),
  DATA_DIR: z.string().min(1).default('./data').describe('pasta do banco embutido, dos arquivos e da chave mestra'),
  DATABASE_URL: z
    .string()
    .startsWith('postgres')
    .optional()
    .describe('PostgreSQL 15–18 externo, com o dono do banco; sem ela, o banco embutido'),
  APP_DATABASE_URL: z
    .string()
    .startsWith('postgres')
    .optional()
    .describe('papel da aplicação, onde papéis não podem ser criados'),
  PLATFORM_DATABASE_URL: z.string().startsWith('postgres').optional().describe('papel da plataforma, idem'),
  WORKER_DATABASE_URL: z.string().startsWith('postgres').optional().describe('papel dos trabalhos, idem'),
  DB_ROLE_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/)
    .default('guiche')
    .describe('prefixo dos papéis do banco, um por instalação no mesmo servidor'),
  DB_POOL: z.coerce
    .number<string | number>()
    .int()
    .min(2)
    .max(200)
    .default(16)
    .describe('conexões da aplicação com o banco'),
  ROLES: roles.describe('papéis deste processo: web, worker, channels; vazio = todos'),
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i)
    .optional()
    .describe('chave mestra, 64 dígitos hexadecimais; sem ela, DATA_DIR/secret.key'),
  SECRET_KEY_FILE: z.string().optional().describe('arquivo com a chave mestra'),
  PUBLIC_URL: z.url().optional().describe('endereço público, para links em e-mails e webhooks'),
  TRUST_PROXY: onOff.describe('confiar em X-Forwarded-* de um proxy à frente'),
  OUTBOUND_ALLOW: list.describe('redes privadas que chamadas de saída podem alcançar (CIDR, separadas por vírgula)'),
  DEMO: onOff.describe('preenche a demonstração quando a instalação está vazia'),
  DEMO_PUBLIC: onOff.describe('permite a demonstração fora do endereço local'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('warn')
    .describe('nível do registro'),
  RATE_LIMITS: onOff.default(true).describe('limites de tentativas e pedidos'),
  WEB_DIST: z.string().default('dist').describe('pasta da interface construída'),
})

/** The checked environment. */
export type Env = z.output<typeof environment>

/** Reads the environment, or throws an Error that names each wrong variable in Portuguese. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const known = Object.fromEntries(
    Object.keys(environment.shape).flatMap((key) => (source[key] ? [[key, source[key]]] : [])),
  )
  const parsed = environment.safeParse(known)
  if (parsed.success) {
    if (parsed.data.DEMO && !parsed.data.DEMO_PUBLIC && !['127.0.0.1', 'localhost', '::1'].includes(parsed.data.HOST)) {
      throw new Error(
        'DEMO=1 só funciona no endereço local. Use DEMO_PUBLIC=1 se quer mesmo mostrar a demonstração à rede.',
      )
    }
    return parsed.data
  }
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`Variáveis de ambiente com problema:\n${lines.join('\n')}`)
}

/** Whether this process plays a role; with none named it plays all. */
export const plays = (env: Env, role: 'web' | 'worker' | 'channels'): boolean =>
  env.ROLES.length === 0 || env.ROLES.includes(role)
