import { describe, expect, it } from 'vitest'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { subscription } from './contract.ts'

const product = withProduct()

async function company() {
  const m = make(product().platform)
  const tenantId = await m.tenant('Padaria Sol')
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const read = async () => (await call(product(), subscription.version, token, {})).body
  return { m, tenantId, token, read }
}

describe('version and health', () => {
  it('says what is installed, how its parts are, and how much of the plan is used', async () => {
    const { m, tenantId, read } = await company()
    await m.connection(tenantId)
    await m.connection(tenantId, { is_deleted: true })
    const elsewhere = await m.tenant()
    await m.user(elsewhere)
    expect(await read()).toEqual({
      version: product().platform.version,
      node: process.version,
      database: expect.stringMatching(/^1\d\./),
      uptimeSeconds: expect.any(Number),
      tenantName: 'Padaria Sol',
      checks: [
        { name: 'Banco de dados', ok: true, detail: expect.stringMatching(/^respondeu em \d+ ms$/) },
        { name: 'Fila de entrada', ok: true, detail: 'nada esperando' },
        { name: 'Envios', ok: true, detail: 'nenhum parado' },
      ],
      limits: {
        users: 1,
        maxUsers: 10,
        connections: 1,
        maxConnections: 5,
        assistantAnswers: 0,
        maxAssistantAnswers: 0,
      },
    })
  })

  it('sees a send that hangs, and an entrance that is too full', async () => {
    const { m, tenantId, read } = await company()
    const connectionId = await m.connection(tenantId)
    const ticketId = await m.ticket(tenantId, { connection_id: connectionId })
    const stuck = { from_me: true, status: 'queued' }
    await m.message(tenantId, ticketId, { ...stuck, created_at: new Date(Date.now() - 10 * 60_000) })
    await m.message(tenantId, ticketId, stuck)
    await product().platform.db.write(tenantId, (db) =>
      db
        .insertInto('journal')
        .values(
          Array.from({ length: 1200 }, (_, n) => ({
            tenant_id: tenantId,
            id: uuidv7(),
            connection_id: connectionId,
            dedupe_key: `cheia-${n}`,
            payload: '{}',
            error: 'held back by the test',
            attempts: 99,
          })),
        )
        .execute(),
    )
    const { checks } = (await read()) as { checks: { name: string; ok: boolean; detail: string }[] }
    expect(checks[1]).toMatchObject({ ok: false, detail: 'mais de 1000 mensagens esperando' })
    expect(checks[2]).toEqual({ name: 'Envios', ok: false, detail: '1 parado há mais de 5 minutos' })
  })
})
