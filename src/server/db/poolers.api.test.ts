import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startTransactionPooler } from '#test/peers/transaction-pooler.ts'
import { createDatabase, startProduct, testSecrets } from '#test/server.ts'
import { until } from '#test/until.ts'
import { refuseTransactionPooler } from './poolers.ts'
import { databaseUrls } from './roles.ts'

const SENTENCE = /pooler em modo de transação.*pool_mode = session/
const direct = async () => databaseUrls(await createDatabase(), { DB_ROLE_PREFIX: 'guiche' }, testSecrets)

test('the server itself is no pooler', async () => {
  await expect(refuseTransactionPooler(await direct())).resolves.toBeUndefined()
})

test.each(['app', 'platform', 'worker'] as const)('a pooler in front of the role %s alone is found', async (role) => {
  const urls = await direct()
  const pooler = await startTransactionPooler(inject('postgresUrl'))
  onTestFinished(() => pooler.close())
  await expect(refuseTransactionPooler({ ...urls, [role]: pooler.through(urls[role]) })).rejects.toThrow(SENTENCE)
})

test.each([{ size: 1 }, { takesTurns: true }])('one with %o is found, too', async (behaviour) => {
  const urls = await direct()
  const pooler = await startTransactionPooler(inject('postgresUrl'), behaviour)
  onTestFinished(() => pooler.close())
  await expect(refuseTransactionPooler({ ...urls, app: pooler.through(urls.app) })).rejects.toThrow(SENTENCE)
})

test('the stand-in does what such poolers do: a setting is left to whoever comes next', async () => {
  const urls = await direct()
  const pooler = await startTransactionPooler(inject('postgresUrl'))
  onTestFinished(() => pooler.close())
  const [one, other] = [0, 1].map(() => new pg.Client(pooler.through(urls.app))) as [pg.Client, pg.Client]
  await Promise.all([one.connect(), other.connect()])
  onTestFinished(async () => void (await Promise.all([one.end(), other.end()])))
  await one.query("select set_config('app.tenant_id', '7', false)")
  const seen = []
  for (let time = 0; time < 2; time++)
    seen.push((await other.query("select current_setting('app.tenant_id', true) as tenant")).rows[0].tenant)
  expect(seen).toContain('7')
})

test('the product does not start behind one', async () => {
  const pooler = await startTransactionPooler(inject('postgresUrl'))
  onTestFinished(() => pooler.close())
  await expect(startProduct({}, pooler.through(await createDatabase()))).rejects.toThrow(SENTENCE)
})

const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0

test.skipIf(!hasPgBouncer).each([
  ['transaction', true],
  ['session', false],
] as const)('PgBouncer with pool_mode = %s', async (mode, isRefused) => {
  const urls = await direct()
  const through = await startPgBouncer(mode, Object.values(urls))
  const asked = refuseTransactionPooler({
    owner: urls.owner,
    app: through(urls.app),
    platform: through(urls.platform),
    worker: through(urls.worker),
  })
  if (isRefused) await expect(asked).rejects.toThrow(SENTENCE)
  else await expect(asked).resolves.toBeUndefined()
})

/**
 * Starts PgBouncer itself, in front of the run's server, as an ordinary user; returns a function that routes a URL through
 * it.
 */
async function startPgBouncer(mode: string, urls: readonly string[]): Promise<(url: string) => string> {
  const folder = mkdtempSync(join(tmpdir(), 'guiche-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const accounts = urls.map((url) => new URL(url))
  const { hostname, port: target } = accounts[0]!
  const users = accounts.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"`)
  writeFileSync(join(folder, 'users'), `${users.join('\n')}\n`)
  writeFileSync(
    join(folder, 'config'),
    `[databases]\n* = host=${hostname} port=${target}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `unix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${join(folder, 'users')}\npool_mode = ${mode}\n`,
  )
  const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const child = spawn('pgbouncer', ['-q', join(folder, 'config')], { ...account, stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })
  const through = (url: string) => {
    const made = new URL(url)
    made.searchParams.delete('host')
    made.host = `127.0.0.1:${port}`
    return made.href
  }
  await until(async () => {
    const client = new pg.Client(through(urls[1]!))
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  })
  return through
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
