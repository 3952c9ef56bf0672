import pg from 'pg'
import { firstOf } from '#domain/present.ts'
import type { Env } from '../env.ts'

const CONNECT_MS = 5000
const QUERY_MS = 3000
const OLDEST = 150_000
const VARIABLES = ['DATABASE_URL', 'APP_DATABASE_URL', 'PLATFORM_DATABASE_URL', 'WORKER_DATABASE_URL'] as const

type Variable = (typeof VARIABLES)[number]

/**
 * Checks on the external server, within 10 s, that every given address works and the owner has the rights that a start
 * needs. Throws one Portuguese sentence that says what to do.
 */
export async function checkServer(env: Env): Promise<void> {
  const checks = await Promise.allSettled(
    VARIABLES.map(async (variable) => {
      const address = env[variable]
      if (address) await check(variable, address, env)
    }),
  )
  // Of several problems, the first in their order, not the first that was found.
  const refused = checks.find((one) => one.status === 'rejected')
  if (refused) throw refused.reason
}

async function check(variable: Variable, address: string, env: Env): Promise<void> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
  })
  client.on('error', () => {}) // the query that it breaks rejects
  try {
    const version = await readVersion(client).catch((error: Error) => {
      throw new Error(refusal(variable, address, client, error))
    })
    if (version < OLDEST)
      throw new Error(
        `O servidor de ${variable} é o PostgreSQL ${Math.floor(version / 10_000)}: o Guichê precisa do 15 ou mais novo.`,
      )
    await (variable === 'DATABASE_URL' ? checkOwner(client, env, version) : checkRole(client, variable))
  } finally {
    void client.end().catch(() => {}) // a connection that swallows packets would never end
  }
}

async function readVersion(client: pg.Client): Promise<number> {
  await client.connect()
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  return Number(rows[0]?.server_version_num)
}

type Owner = {
  name: string
  database: string
  encoding: string
  owns: boolean
  super: boolean
  creates: boolean
  begun: boolean
  roles: { name: string; administers: boolean }[]
}

async function checkOwner(client: pg.Client, env: Env, version: number): Promise<void> {
  const ownRoles = (['app', 'platform', 'worker', 'search'] as const).map((role) => `${env.DB_ROLE_PREFIX}_${role}`)
  const { rows } = await client.query<Owner>(
    `select current_user as name, current_database() as database, pg_encoding_to_char(d.encoding) as encoding,
       pg_has_role(d.datdba, 'usage') as owns, r.rolsuper as super, r.rolcreaterole as creates,
       to_regclass('public.schema_migrations') is not null as begun,
       (select coalesce(json_agg(json_build_object('name', rolname,
         'administers', pg_has_role(current_user, oid, 'member with admin option'))), '[]')
        from pg_roles where rolname = any($1)) as roles
     from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = current_user`,
    [ownRoles],
  )
  const owner = firstOf(rows)
  const who = `O usuário "${owner.name}" de DATABASE_URL`
  if (!owner.owns)
    throw new Error(
      `${who} não é o dono do banco "${owner.database}": indique o dono, ou mude-o com alter database "${owner.database}" owner to "${owner.name}".`,
    )
  if (owner.encoding !== 'UTF8')
    throw new Error(
      `O banco "${owner.database}" de DATABASE_URL guarda texto em ${owner.encoding}: crie-o com encoding 'UTF8'.`,
    )
  if (owner.super) return
  const has = (name: string) => owner.roles.some((role) => role.name === name)
  // Since version 16 a role with CREATEROLE administers only roles that it created or was granted.
  const governs = (name: string) =>
    owner.roles.some((role) => role.name === name && (role.administers || (owner.creates && version < 160_000)))
  const given = ownRoles.filter((_, i) => env[VARIABLES[i + 1] ?? 'DATABASE_URL'] && i < 3)
  const missing = ownRoles.filter((name) => !has(name))
  if (missing.length > 0 && !owner.creates)
    throw new Error(
      `${who} não pode criar papéis, e ${listed(missing)} não existe${missing.length > 1 ? 'm' : ''}: dê-lhe esse direito com alter role "${owner.name}" createrole, ` +
        'ou peça os papéis ao administrador e indique APP_DATABASE_URL, PLATFORM_DATABASE_URL e WORKER_DATABASE_URL.',
    )
  // The first migration makes the owner a member of these two.
  const granted = owner.begun ? [] : ownRoles.slice(2)
  // Roles without an address of their own get their password from the product at every start.
  const opened = ownRoles.slice(0, 3).filter((name) => !given.includes(name))
  const foreign = [...new Set([...granted, ...opened])].filter(
    (name) => has(name) && !(governs(name) && (owner.creates || !opened.includes(name))),
  )
  if (foreign.length > 0)
    throw new Error(
      `${who} não administra ${listed(foreign)}: se são de outra instalação neste servidor, escolha outro nome com DB_ROLE_PREFIX; ` +
        `se são desta, dê-lhe createrole e grant ${foreign.map((name) => `"${name}"`).join(', ')} to "${owner.name}" with admin option.`,
    )
}

// A role that bypasses row policies would show every company to every other.
async function checkRole(client: pg.Client, variable: Variable): Promise<void> {
  const { rows } = await client.query<{ name: string; above: boolean }>(
    `select current_user as name, rolsuper or rolbypassrls or pg_has_role(datdba, 'usage') as above
     from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
  )
  if (rows[0]?.above)
    throw new Error(
      `O usuário "${rows[0].name}" de ${variable} é dono do banco, superusuário ou tem BYPASSRLS: indique um papel comum, que as políticas de linha alcancem.`,
    )
}

function refusal(variable: Variable, address: string, client: pg.Client, error: Error & { code?: string }): string {
  const server = `O servidor de ${variable} (${client.host}:${client.port})`
  const { code = '' } = error
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `O servidor "${client.host}" de ${variable} não foi encontrado: confira o nome e a rede.`
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `${server} não atende: confira endereço e porta, e se o PostgreSQL está no ar.`
    case '28P01':
    case '28000':
      return `${server} recusou o usuário "${client.user}": confira usuário e senha, e o pg_hba.conf do servidor.`
    case '3D000':
      return `O banco "${client.database}" de ${variable} não existe: crie-o com create database "${client.database}" owner "${client.user}" encoding 'UTF8'.`
    case '53300':
      return `${server} não tem mais conexões livres: feche outras ou aumente max_connections.`
    case '57P03':
      return `${server} ainda está iniciando ou parando: tente de novo em instantes.`
  }
  if (/timeout|timed out/i.test(error.message) || /^E(TIMEDOUT|HOSTUNREACH|NETUNREACH)$/.test(code))
    return `${server} não respondeu em ${CONNECT_MS / 1000} s: confira o endereço, a rede e o firewall.`
  if (/\bSSL\b|certificate|^ERR_TLS|^DEPTH_ZERO|SIGNED_CERT/i.test(`${code} ${error.message}`))
    return `A conexão cifrada com o servidor de ${variable} falhou (${error.message}): confira sslmode e certificado.`
  if (/password must be a string/.test(error.message)) return `${server} pede uma senha: ponha-a em ${variable}.`
  return `${server} não respondeu como um PostgreSQL (${error.message || code || new URL(address).protocol}): confira endereço e porta.`
}

const listed = (names: readonly string[]): string => names.join(', ').replace(/, ([^,]+)$/, ' e $1')
