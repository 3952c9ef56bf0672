import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { tags as tagResource } from '#features/catalog/tags.ts'
import { contacts } from '#features/contacts/contract.ts'
import { users } from '#features/users/contract.ts'
import { webchatChannels } from '#features/webchat/contract.ts'
import { allRoutes } from '#server/app.ts'
import { recordAudit, writeAudit } from '#server/audit.ts'
import { describeFaults, verifyAudit } from '#server/audit-verify.ts'
import { make } from '#test/make.ts'
import { call, createDatabase, type Reply, startProduct, withProduct } from '#test/server.ts'
import { type AuditRow, audit } from './contract.ts'
import { maintainAudit } from './server/maintain.ts'

const tags = tagResource.ops
let clock: Date | undefined
const product = withProduct({ now: () => clock ?? new Date() })
const made = () => make(product().platform)
let owner: pg.Client

beforeAll(async () => {
  owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())

/** A company with an admin and an agent. */
async function company() {
  const tenantId = await made().tenant()
  const admin = await made().user(tenantId, { profile: 'admin', name: 'Alice' })
  const agent = await made().user(tenantId, { name: 'Bruno' })
  return { tenantId, admin, agent, token: await made().token(admin), agentToken: await made().token(agent) }
}
const records = async (token: string, query: object = {}): Promise<AuditRow[]> =>
  (await call(product(), audit.list, token, { query })).body['records']
const faults = async (): Promise<string[]> =>
  describeFaults(await product().platform.db.asPlatform((db) => verifyAudit(db, product().platform.secrets)))
const idOf = (reply: { body: { id: number } }): number => reply.body.id

describe('an operation', () => {
  it('is recorded with who, when, from where, on what, and the fields that changed', async () => {
    const { token, admin } = await company()
    const started = Date.now()
    const id = idOf(await call(product(), tags.create, token, { body: { tag: 'Vendas', color: '#112233' } }))
    const headers = { 'user-agent': 'Navegador de teste' }
    await call(product(), tags.update, token, { params: { id }, body: { tag: 'Compras' }, headers })
    const [update, create] = await records(token)
    expect(update).toMatchObject({
      seq: 2,
      action: 'tags.update',
      summary: 'Etiqueta: alterar',
      result: 'ok',
      userId: admin.id,
      userName: 'Alice',
      profile: 'admin',
      isSupport: false,
      method: 'password',
      ip: '127.0.0.1',
      userAgent: 'Navegador de teste',
      target: { id },
      changes: { tag: { before: 'Vendas', after: 'Compras' } },
    })
    expect(update!.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(Date.parse(update!.at)).toBeGreaterThanOrEqual(started)
    expect(create).toMatchObject({ seq: 1, target: { id }, changes: { tag: { after: 'Vendas' } } })
    await call(product(), tags.remove, token, { params: { id } })
    expect((await records(token))[0]).toMatchObject({
      action: 'tags.remove',
      changes: { tag: { before: 'Compras' } },
    })
  })

  it('is said as far as people need it: what readers of the API are told behind a semicolon is left out', async () => {
    const { token, admin } = await company()
    await call(product(), users.update, token, { params: { id: admin.id }, body: { name: 'Alice Prado' } })
    expect((await records(token))[0]).toMatchObject({ action: 'users.update', summary: 'Alterar um usuário' })
  })

  it('that tells nothing of its fields is recorded with their names alone; customers’ data stays out', async () => {
    const { token } = await company()
    const body = { name: 'Carla Souza', number: '5511912345678' }
    await call(product(), contacts.create, token, { body })
    const [record] = await records(token)
    expect(record!.changes).toEqual({ name: {}, number: {} })
    expect(JSON.stringify(record)).not.toMatch(/Carla|12345678/)
  })

  it('shows no secret that it was given or answered', async () => {
    const { tenantId, token } = await company()
    const id = await made().connection(tenantId, {
      type: 'webchat',
      config: '{"token":"abcdefghijklmnopqrst","domains":[]}',
    })
    const reply = await call(product(), webchatChannels.newSecret, token, { params: { id } })
    expect(reply.status).toBe(200)
    const { proofSecret } = reply.body
    const [record] = await records(token)
    expect(record).toMatchObject({ action: 'webchatChannels.newSecret', target: { id } })
    expect(JSON.stringify(record)).not.toContain(proofSecret)
  })

  it('that fails leaves no record; one repeated with its key leaves one', async () => {
    const { token } = await company()
    const create = (tag: string) =>
      call(product(), tags.create, token, { body: { tag }, headers: { 'idempotency-key': tag } })
    await create('Uma')
    expect((await create('Uma')).status).toBe(200)
    expect((await call(product(), tags.create, token, { body: { tag: 'Uma' } })).status).toBe(409)
    expect((await call(product(), tags.create, token, { body: { tag: 7 as never } })).status).toBe(400)
    expect(await records(token)).toHaveLength(1)
  })

  it('that was refused is recorded as refused', async () => {
    const { token, agentToken, agent } = await company()
    expect((await call(product(), tags.remove, agentToken, { params: { id: 12 } })).status).toBe(403)
    expect(await records(token, { result: 'refused' })).toMatchObject([
      { action: 'tags.remove', result: 'ERR_NO_PERMISSION', userId: agent.id, target: { id: '12' } },
    ])
  })

  /**
   * Operations without audit records: traffic with other logs, a person's own preferences and presence, the channel lab,
   * trials and previews.
   */
  const OTHERWISE =
    /^(tickets|ticketCommands|ticketsBulk|bulk|messages|groups|schedules|ticketProtocols|notifications|lab|privateChat|copilot)\.|^users\.(setOnline|setAway|setConfigs)$|^contacts\.(setTags|closeAll)$|^contactsBulk\.|^opportunities\.(move|bulk)$|^(secondFactor\.start|passkeys\.options|companies\.metrics|flows\.(simulate|runCases|presence)|flowReplays\.create|distribution\.tryRules|rules\.try|fastReplyFiles\.use|messageTemplates\.(sync|sample)|providerNumbers\.(read|profile)|providerSignups\.begin|calendarAccounts\.(login|sync)|assistants\.models(For)?|groupTools\.refresh|announcements\.read|pipelineActions\.simulate|dispatches\.(plan|lines)|transcripts\.make|voiceDevices\.state)$|\.test$/

  it('that changes something is recorded, unless it is traffic', () => {
    const silent = allRoutes()
      .map(({ op }) => op)
      .filter((op) => op.method !== 'GET' && op.can !== 'public' && !op.audit && !OTHERWISE.test(op.name))
    expect(silent.map((op) => op.name)).toEqual([])
  })
})

describe('the chain', () => {
  it('is one, however many write at once', async () => {
    const { tenantId, token } = await company()
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) => call(product(), tags.create, token, { body: { tag: `Etiqueta ${n}` } })),
    )
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    const { rows } = await owner.query('select seq::int from audit_log where tenant_id = $1 order by seq', [tenantId])
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
    expect((await call(product(), audit.verify, token)).body).toEqual({ records: 30, faults: [] })
    expect(await faults()).toEqual([])
  })

  it('is added to and nothing else, also by the tables’ owner', async () => {
    const { tenantId, token } = await company()
    await call(product(), tags.create, token, { body: { tag: 'Fica' } })
    await recordAudit(product().platform, 'platform', { action: 'tenant.created', actor: null })
    for (const table of ['audit_log', 'platform_audit_log']) {
      for (const change of [`update ${table} set summary = ''`, `delete from ${table}`, `truncate ${table}`]) {
        await expect(owner.query(change), change).rejects.toThrow(/only added to/)
        const retention = `begin; set local app.audit_retention = 'on'; ${change}`
        await expect(owner.query(retention), retention).rejects.toThrow(/only added to/)
        await owner.query('rollback')
      }
    }
    await owner.query('delete from users where tenant_id = $1', [tenantId])
    expect((await owner.query('select from audit_log where tenant_id = $1', [tenantId])).rowCount).toBe(1)
    await owner.query('delete from tenants where id = $1', [tenantId])
    expect((await owner.query('select from audit_log where tenant_id = $1', [tenantId])).rowCount).toBe(0)
  })

  /** Creates a company with eight records and changes them directly in the database, as its owner could. */
  async function tampered(change: (tenantId: number) => [string, ...unknown[]][]): Promise<string[]> {
    const { tenantId, token } = await company()
    for (let n = 1; n <= 8; n++) await call(product(), tags.create, token, { body: { tag: `Etiqueta ${n}` } })
    expect(await faults()).toEqual([])
    try {
      await owner.query('alter table audit_log disable trigger user')
      for (const [sql, ...values] of change(tenantId)) await owner.query(sql, values)
      return (await faults()).map((line) => line.replace(`Empresa ${tenantId}:`, 'Empresa:'))
    } finally {
      await owner.query('alter table audit_log enable trigger user')
      await owner.query('delete from tenants where id = $1', [tenantId])
    }
  }
  const where = 'where tenant_id = $1'

  it.each<[string, (tenantId: number) => [string, ...unknown[]][], string[]]>([
    [
      'a record is deleted',
      (id) => [[`delete from audit_log ${where} and seq = 5`, id]],
      ['Empresa: falta o registro 5.'],
    ],
    [
      'several are deleted',
      (id) => [[`delete from audit_log ${where} and seq between 2 and 4`, id]],
      ['Empresa: faltam os registros 2 a 4.'],
    ],
    [
      'a name is changed',
      (id) => [[`update audit_log set user_name = 'Outra' ${where} and seq = 3`, id]],
      ['Empresa: o registro 3 foi alterado.'],
    ],
    [
      'a value inside is changed',
      (id) => [[`update audit_log set changes = '{"tag":{"after":"Outra"}}' ${where} and seq = 8`, id]],
      ['Empresa: o registro 8 foi alterado.'],
    ],
    [
      'the first is deleted',
      (id) => [[`delete from audit_log ${where} and seq = 1`, id]],
      ['Empresa: falta o registro 1.'],
    ],
    [
      'the end is cut off',
      (id) => [[`delete from audit_log ${where} and seq > 6`, id]],
      ['Empresa: faltam os registros 7 a 8.'],
    ],
    [
      'the end is cut off and the head set back',
      (id) => [
        [`delete from audit_log ${where} and seq > 6`, id],
        [
          `update audit_heads set last_seq = 6, last_hash = (select hash from audit_log ${where} and seq = 6) ${where}`,
          id,
        ],
      ],
      ['Empresa: a assinatura do fim não confere.'],
    ],
    ['the head is taken away', (id) => [[`delete from audit_heads ${where}`, id]], ['Empresa: falta o fim assinado.']],
    [
      'two change places',
      (id) => [
        [`update audit_log set seq = 100 ${where} and seq = 4`, id],
        [`update audit_log set seq = 4 ${where} and seq = 5`, id],
        [`update audit_log set seq = 5 ${where} and seq = 100`, id],
      ],
      [
        'Empresa: o registro 4 foi alterado.',
        'Empresa: o registro 5 foi alterado.',
        'Empresa: o registro 5 não é o que estava aqui quando o 6 foi escrito.',
      ],
    ],
  ])('names what is wrong when %s', async (_, change, expected) => {
    expect(await tampered(change)).toEqual(expected)
  })

  it('is known to have been longer, when all of it is put back to an earlier state', async () => {
    const { tenantId, token } = await company()
    const head = async () => (await owner.query(`select * from audit_heads ${where}`, [tenantId])).rows[0]
    await call(product(), tags.create, token, { body: { tag: 'Uma' } })
    const early = await head()
    await call(product(), tags.create, token, { body: { tag: 'Duas' } })
    await maintainAudit(product().platform)
    await owner.query('alter table audit_log disable trigger user')
    await owner.query(`delete from audit_log ${where} and seq = 2`, [tenantId])
    await owner.query(`update audit_heads set last_seq = $2, last_hash = $3, signature = $4 ${where}`, [
      tenantId,
      early.last_seq,
      early.last_hash,
      early.signature,
    ])
    expect(await faults()).toEqual([`Empresa ${tenantId}: falta o registro 2.`])
    await owner.query(`delete from audit_log ${where}`, [tenantId])
    await owner.query(`delete from audit_heads ${where}`, [tenantId])
    expect(await faults()).toEqual([`Empresa ${tenantId}: faltam os registros 1 a 2.`])
    await owner.query('alter table audit_log enable trigger user')
    await owner.query('delete from tenants where id = $1', [tenantId])
  })

  it('stays whole when records go by age, and only those', async () => {
    const { tenantId, token, admin } = await company()
    const record = () =>
      recordAudit(product().platform, tenantId, { action: 'session.opened', actor: admin, target: { n: 1 } })
    clock = new Date(Date.now() - 6 * 366 * 86_400_000)
    for (let n = 0; n < 3; n++) await record()
    clock = undefined
    await record()
    await maintainAudit(product().platform)
    await maintainAudit(product().platform)
    expect((await records(token)).map(({ seq, action, target }) => [seq, action, target])).toEqual([
      [5, 'audit.expired', { upTo: 3 }],
      [4, 'session.opened', { n: 1 }],
    ])
    expect(await faults()).toEqual([])
  })
})

it('the command walks all of it, names what is missing, and says so with its exit code', async () => {
  const url = await createDatabase()
  const own = await startProduct({}, url)
  const tenantId = await make(own.platform).tenant()
  for (let n = 0; n < 3; n++) await recordAudit(own.platform, tenantId, { action: 'session.opened', actor: null })
  await own.close()
  const verify = () => {
    const env = { ...process.env, DATABASE_URL: url, SECRET_KEY: '07'.repeat(32) }
    const { status, stdout } = spawnSync(process.execPath, ['scripts/audit-verify.ts'], { env, encoding: 'utf8' })
    return [status, stdout.trim().split('\n')]
  }
  expect(verify()).toEqual([0, ['Auditoria: 3 registros em 2 trilhas, nenhuma falha.']])
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('alter table audit_log disable trigger user; delete from audit_log where seq = 2')
  await client.end()
  expect(verify()).toEqual([
    1,
    [`Empresa ${tenantId}: falta o registro 2.`, 'Auditoria: 2 registros em 2 trilhas, 1 com falha.'],
  ])
})

describe('reading', () => {
  it('narrows by person, action, days, outcome and words, and pages by cursor and number', async () => {
    const { tenantId, token, admin, agent } = await company()
    const by = [admin, agent]
    for (let n = 0; n < 90; n++) {
      clock = new Date(Date.UTC(2026, 2, 1 + Math.floor(n / 10), 3))
      await recordAudit(product().platform, tenantId, {
        action: n % 3 ? 'session.opened' : 'session.refused',
        actor: by[n % 2]!,
        target: { n },
        ...(n % 3 ? {} : { result: 'ERR_INVALID_CREDENTIALS' }),
      })
    }
    clock = undefined
    const seqs = async (query: object) => (await records(token, query)).map(({ seq }) => seq)
    const first = (await call(product(), audit.list, token)).body as {
      records: AuditRow[]
      nextCursor: string
      count: number
    }
    expect([first.count, first.records.length, first.records[0]!.seq]).toEqual([90, 40, 90])
    expect(await seqs({ cursor: first.nextCursor })).toEqual(Array.from({ length: 40 }, (_, n) => 50 - n))
    expect(await seqs({ pageNumber: 3 })).toEqual(Array.from({ length: 10 }, (_, n) => 10 - n))
    expect((await call(product(), audit.list, token, { query: { pageNumber: 51 } })).status).toBe(400)
    expect(await seqs({ from: '2026-03-02', to: '2026-03-02' })).toEqual(Array.from({ length: 10 }, (_, n) => 20 - n))
    expect((await records(token, { user: agent.id })).every(({ userId }) => userId === agent.id)).toBe(true)
    expect(new Set((await records(token, { action: 'session.refused' })).map(({ action }) => action))).toEqual(
      new Set(['session.refused']),
    )
    expect((await records(token, { result: 'ok' })).every(({ result }) => result === 'ok')).toBe(true)
    expect(await seqs({ searchParam: '"n": 41' })).toEqual([42])
    expect((await records(token, { searchParam: 'brúno' })).length).toBe(40)
    expect((await call(product(), audit.options, token)).body).toEqual({
      users: [
        { id: admin.id, name: 'Alice' },
        { id: agent.id, name: 'Bruno' },
      ],
      actions: [
        { action: 'session.opened', summary: 'Entrou' },
        { action: 'session.refused', summary: 'Tentativa de entrada recusada' },
      ],
      nextCursor: null,
    })
  })

  it('offers everybody whom it knows to choose from, however many they are', async () => {
    const { tenantId, token } = await company()
    const people = Array.from({ length: 620 }, (_, n) => ({ id: 1_000_000 + n, name: `Pessoa ${n}`, profile: 'user' }))
    await product().platform.db.write(tenantId, (db) =>
      writeAudit(
        db,
        product().platform,
        tenantId,
        people.map((actor) => ({ action: 'session.opened', actor: { ...actor, isSupport: false } })),
      ),
    )
    const found: number[] = []
    const actions: string[] = []
    let cursor: string | null = null
    do {
      const reply: Reply = await call(product(), audit.options, token, { query: cursor ? { cursor } : {} })
      const page = reply.body as z.output<typeof audit.options.returns>
      found.push(...page.users.map(({ id }) => id))
      actions.push(...page.actions.map(({ action }) => action))
      cursor = page.nextCursor
    } while (cursor)
    expect([found, actions]).toEqual([people.map(({ id }) => id), ['session.opened']])
  })

  it('of the installation is the superadmin’s, who sees there what was done to companies', async () => {
    const { tenantId } = await company()
    const root = await made().user(tenantId, { profile: 'superadmin' })
    await recordAudit(product().platform, 'platform', { action: 'tenant.created', actor: root, target: { tenantId } })
    const reply = await call(product(), audit.platformList, await made().token(root), { query: { user: root.id } })
    expect(reply.body.records).toMatchObject([{ action: 'tenant.created', target: { tenantId } }])
  })
})
