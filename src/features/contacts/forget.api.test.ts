import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { lab } from '#features/lab/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { evaluations } from '#features/ratings/contract.ts'
import { schedules } from '#features/schedules/contract.ts'
import { postForm } from '#test/channels/post-form.ts'
import { importsBy } from '#test/contact-imports.ts'
import { make, type Person } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { contacts } from './contract.ts'

let atCheckpoint: ((name: string) => unknown) | null = null
const product = withProduct({ checkpoint: async (name) => void (await atCheckpoint?.(name)) })
let tenantId: number
let admin: Person
let lead: Person

/** Marker in every text about the forgotten contact. */
const MARK = 'Segredíssimo'
const EMAIL = 'segredo.9988@x.dev'

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  admin = await m.person(tenantId, { profile: 'admin', name: 'Dona' })
  lead = await m.person(tenantId, { profile: 'super' })
})

/** Returns the tables and columns of the company that contain a text, except the audit log. */
async function placesOf(words: readonly string[]): Promise<string[]> {
  return product().platform.db.asPlatform(async (db) => {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.relname as table, a.attname as column from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'lab\\_%' and c.relname <> 'audit_log'
        and format_type(a.atttypid, null) in ('text', 'jsonb', 'bytea')
        and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')`.execute(db)
    const found: string[] = []
    for (const { table, column } of rows)
      for (const word of words) {
        const text = sql`convert_from(convert_to(${sql.ref(column)}::text, 'UTF8'), 'UTF8')`
        const hits = await sql`select from ${sql.table(table)}
          where tenant_id = ${tenantId} and position(${word.toLowerCase()} in lower(${text})) > 0 limit 1`.execute(db)
        if (hits.rows.length > 0) found.push(`${table}.${column}: ${word}`)
      }
    return found
  })
}

describe('a person who asks to be forgotten', () => {
  it('is gone from tables, search, feed, journal and disk, with a signed certificate; the numbers stay', async () => {
    const phone = (await call(product(), lab.create, admin.token, { body: { name: MARK, number: '(19) 99812-4407' } }))
      .body
    const params = { id: phone.id }
    const say = (body: string) =>
      call(product(), lab.send, admin.token, { params, body: { id: crypto.randomUUID(), body } as never })
    await say(`Meu segredo é ${MARK}`)
    const picture = { name: `${MARK}.txt`, mime: 'text/plain', base64: Buffer.from(MARK).toString('base64') }
    await postForm(
      `${product().address}/api/lab/phones/${phone.id}/messages`,
      admin.token,
      { id: crypto.randomUUID(), body: '' },
      ['file', picture],
    )
    const db = product().platform.db
    const stored = () =>
      db.read(tenantId, (tx) =>
        tx.selectFrom('messages').select(['id', 'ticket_id', 'contact_id', 'file_id']).execute(),
      )
    await until(async () => (await stored()).length === 2)
    const [{ ticket_id: ticketId, contact_id: id }] = (await stored()) as never as [
      { ticket_id: number; contact_id: number },
    ]
    const file = await db.read(tenantId, (tx) => tx.selectFrom('files').select('path').executeTakeFirstOrThrow())
    const onDisk = join(product().platform.env.DATA_DIR, 'files', file.path)
    expect(existsSync(onDisk)).toBe(true)
    await call(product(), contacts.update, lead.token, {
      params: { id },
      body: { name: `Dr. ${MARK}`, email: EMAIL, extraInfo: [{ name: 'Cor', value: MARK }] },
    })

    const at = { params: { id } }
    expect((await call(product(), contacts.forget, lead.token, at)).status).toBe(403)
    expect((await call(product(), contacts.forget, admin.token, at)).body).toMatchObject({ error: 'ERR_FORGET_LIVE' })
    await db.write(tenantId, (tx) =>
      tx.updateTable('tickets').set({ status: 'closed', closed_at: new Date() }).where('id', '=', ticketId).execute(),
    )
    const importId = crypto.randomUUID()
    await db.write(tenantId, async (tx) => {
      await tx
        .insertInto('contact_imports')
        .values({
          ...{ tenant_id: tenantId, id: importId, kind: 'csv', name: 'clientes.csv', is_dry_run: false },
          ...{ phase: 'run', status: 'done', created_at: new Date() },
        })
        .execute()
      const content = JSON.stringify({ name: MARK, number: phone.number })
      await tx
        .insertInto('contact_import_blocks')
        .values({
          tenant_id: tenantId,
          import_id: importId,
          line: 2,
          lines: `[{"line":2,"content":${content}},{"line":3}]`,
        })
        .execute()
    })
    // One imported file, and one that was only checked; both name the contact.
    const { imported } = importsBy(product, () => admin.token)
    const line = `nome;numero;Empresa\nDr. ${MARK};${phone.number};Firma`
    const again = `${line}\n${MARK} de novo;(19) 99812-4407;\n;;;Outra`
    expect(await imported(again)).toMatchObject({ status: 'done', updated: 1, rejected: 2 })
    expect(await imported(line, { dryRun: true })).toMatchObject({ status: 'done', unchanged: 1 })
    // Recurring scheduled message.
    const scheduleDate = new Date(Date.now() + 86_400_000).toISOString()
    const scheduled = await call(product(), schedules.create, admin.token, {
      body: { whatsappId: phone.connectionId, contactId: id, body: MARK, scheduleDate, repeat: 'FREQ=DAILY' },
    })
    expect(scheduled).toMatchObject({ status: 200 })
    await db.write(tenantId, async (tx) => {
      const url = `https://fotos.dev/${MARK}`
      const card = await tx
        .insertInto('link_cards')
        .values({ tenant_id: tenantId, key: 'k', url, title: MARK, fetched_at: new Date(), expires_at: new Date() })
        .returning('id')
        .executeTakeFirstOrThrow()
      const others = phone.number.replace(/.$/, '8')
      const sealed = product().platform.secrets.encrypt('x', 'x')
      for (const name of [`session ${phone.number}.0`, `device-list ${phone.number}`, `session ${others}.0`])
        await tx
          .insertInto('connection_state')
          .values({
            tenant_id: tenantId,
            connection_id: phone.connectionId,
            name,
            value: sealed,
            updated_at: new Date(),
          })
          .execute()
      await tx.updateTable('messages').set({ link_card_id: card.id }).where('body', 'like', 'Meu segredo%').execute()
    })
    // Other places that store the contact's texts.
    const [first] = await stored()
    const flow = await make(product().platform).insert('chat_flows', tenantId, { name: 'Recepção' })
    await db.write(tenantId, async (tx) => {
      const [of, now, words] = [{ tenant_id: tenantId }, new Date(), JSON.stringify({ said: MARK })]
      const at = { ...of, ticket_id: ticketId }
      await tx
        .insertInto('drafts')
        .values({ ...at, user_id: admin.id, body: MARK })
        .execute()
      await tx
        .insertInto('assistant_sessions')
        .values({ ...at, assistant: 'dify', memory: words, updated_at: now })
        .execute()
      await tx
        .insertInto('ticket_logs')
        .values({ ...at, type: 'open', data: words })
        .execute()
      await tx
        .insertInto('flow_sessions')
        .values({ ...at, id: crypto.randomUUID(), chat_flow_id: flow, version: 1, state: words, ended_at: now })
        .execute()
      await tx
        .insertInto('flow_cases')
        .values({ ...at, chat_flow_id: flow, name: 'Caso', conversation: words, expect: '{}' })
        .execute()
      await tx
        .insertInto('message_trail')
        .values({ ...of, message_id: first!.id, step: 'accepted', detail: words })
        .execute()
      await tx
        .insertInto('webchat_visitors')
        .values({
          ...of,
          id: crypto.randomUUID(),
          connection_id: phone.connectionId,
          contact_id: id,
          name: MARK,
          token_hash: Buffer.from('x'),
        })
        .execute()
      await tx
        .insertInto('idempotency_keys')
        .values({
          ...{ ...of, user_id: admin.id, key: 'k', operation: 'o', body_hash: 'h' },
          answer: JSON.stringify({ number: phone.number, name: MARK }),
        })
        .execute()
      const asked = { asked_at: now, expires_at: now, closed_at: now }
      await tx
        .insertInto('ticket_evaluations')
        .values({ ...at, ...asked, contact_id: id, connection_id: phone.connectionId, conversation_key: phone.number })
        .execute()
    })
    // Acts in a group on another member's message that has not arrived yet.
    const act = {
      type: 'revoke',
      dedupeKey: 'g',
      conversationKey: '120363@g.us',
      providerId: 'g',
      timestamp: 1,
    } as const
    const { provider_id: providerId } = (await db.read(tenantId, (tx) =>
      tx.selectFrom('messages').select('provider_id').where('file_id', 'is not', null).executeTakeFirstOrThrow(),
    )) as { provider_id: string }
    await receive(product().platform, { tenantId, connectionId: phone.connectionId }, [
      { ...act, author: { identity: '9@lid', number: phone.number } },
      // Edit without a conversation key, as some channels send it.
      { ...act, dedupeKey: 'e', type: 'edit', conversationKey: '', providerId, body: `Corrigido por ${MARK}` },
    ])
    await ingestIdle(product().platform)
    const before = await placesOf([MARK, 'segredissimo', phone.number])
    for (const one of [
      'contacts.name',
      'messages.body',
      'message_texts.text',
      'contact_changes.after',
      'journal_processed.payload',
      'message_acts.author',
      'files.name',
      'drafts.body',
      'assistant_sessions.memory',
      'ticket_logs.data',
      'flow_sessions.state',
      'flow_cases.conversation',
      'message_trail.detail',
      'webchat_visitors.name',
      'idempotency_keys.answer',
      'ticket_evaluations.conversation_key',
      'connection_state.name',
      'contact_import_rows.cells',
      'contact_imports.columns',
      'link_cards.url',
    ])
      expect(before.map((place) => place.split(':')[0])).toContain(one)
    expect((await call(product(), contacts.previewForget, admin.token, at)).body).toMatchObject({
      name: `Dr. ${MARK}`,
      tickets: 1,
      messages: 3,
      files: 1,
      schedules: 1,
      live: 0,
    })

    // The phone's own storage is not ours to erase.
    await db.write(tenantId, (tx) => tx.deleteFrom('lab_messages').execute())
    const reply = await call(product(), contacts.forget, admin.token, at)
    expect(reply.status).toBe(200)
    const certificate = reply.body
    expect(certificate).toMatchObject({
      contactId: id,
      userName: 'Dona',
      counts: { messages: 3, files: 1 },
      isGenuine: true,
    })
    expect(JSON.stringify(certificate)).not.toContain('998124407')
    const { action, changes } = await db.read(tenantId, (tx) =>
      tx.selectFrom('audit_log').select(['action', 'changes']).orderBy('seq', 'desc').executeTakeFirstOrThrow(),
    )
    expect([action, changes]).toMatchObject([
      'contacts.forget',
      { certificateId: { after: certificate.id }, messages: { after: 3 } },
    ])

    const feed = await call(product(), messages.changes, admin.token, { query: { after: 0 } })
    expect(JSON.stringify(feed.body)).not.toMatch(new RegExp(`${MARK}|${phone.number}`))
    const hits = await call(product(), messages.search, admin.token, { query: { searchParam: 'segredo' } })
    expect(hits.body).toMatchObject({ tickets: [] })
    expect(await placesOf([MARK, EMAIL, 'segredissimo', phone.number, phone.number.slice(-8)])).toEqual([])
    expect(existsSync(onDisk)).toBe(false)
    expect(await db.read(tenantId, (tx) => tx.selectFrom('files').select('name').execute())).toEqual([])
    expect(await db.read(tenantId, (tx) => tx.selectFrom('contact_import_rows').select('line').execute())).toEqual([
      { line: 4 },
    ])
    const states = await db.read(tenantId, (tx) => tx.selectFrom('connection_state').select('name').execute())
    expect(states).toHaveLength(1)
    const waiting = await db.read(tenantId, (tx) =>
      tx.selectFrom('messages').select(['status', 'send_at', 'repeat']).where('from_me', '=', true).execute(),
    )
    expect(waiting).toEqual([{ status: 'canceled', send_at: null, repeat: null }])
    expect((await call(product(), contacts.get, admin.token, at)).body).toMatchObject({
      name: 'Pessoa esquecida',
      number: null,
      ticketCount: 1,
      channels: [],
    })
    expect(await stored()).toHaveLength(3)
    expect((await call(product(), evaluations.list, admin.token, {})).status).toBe(200)

    const proven = async () => (await call(product(), contacts.certificates, admin.token, at)).body.certificates
    expect(await proven()).toMatchObject([{ id: certificate.id, isGenuine: true, signature: certificate.signature }])
    await db.write(tenantId, (tx) => tx.updateTable('forgotten_contacts').set({ user_name: 'Outra' }).execute())
    expect(await proven()).toMatchObject([{ isGenuine: false }])

    // After the erasure a new message creates a new contact.
    await say('Oi de novo')
    await until(async () => (await stored()).length === 4)
    const contactIds = (await stored()).map((one) => one.contact_id)
    expect(new Set(contactIds).size).toBe(2)
  })

  it('is no group, whose members each are somebody', async () => {
    const id = await make(product().platform).contact(tenantId, { number: null, is_group: true })
    for (const op of [contacts.previewForget, contacts.forget] as const)
      expect(await call(product(), op, admin.token, { params: { id } })).toMatchObject({
        ...{ status: 409, body: { error: 'ERR_FORGET_GROUP' } },
      })
  })

  it('who writes while they are forgotten has an attendance, which ends before anything that names them goes', async () => {
    const m = make(product().platform)
    tenantId = await m.tenant()
    admin = await m.person(tenantId, { profile: 'admin' })
    const phone = (await call(product(), lab.create, admin.token, { body: { name: MARK, number: '(19) 99812-4408' } }))
      .body
    const say = (body: string) =>
      call(product(), lab.send, admin.token, { params: phone, body: { id: crypto.randomUUID(), body } as never })
    const rows = () =>
      product().platform.db.read(tenantId, (tx) => tx.selectFrom('messages').select(['body', 'contact_id']).execute())
    const close = () =>
      product().platform.db.write(tenantId, (tx) =>
        tx.updateTable('tickets').set({ status: 'closed', closed_at: new Date() }).execute(),
      )
    await say('Antes')
    await until(async () => (await rows()).length === 1)
    await close()
    const [{ contact_id: id }] = (await rows()) as unknown as [{ contact_id: number }]
    atCheckpoint = async (name) => {
      if (name !== 'block of a person forgotten') return
      atCheckpoint = null
      await say(`Durante ${MARK}`)
      await until(async () => (await rows()).length === 2)
    }
    const forget = () => call(product(), contacts.forget, admin.token, { params: { id } })
    expect(await forget()).toMatchObject({ status: 409, body: { error: 'ERR_FORGET_LIVE' } })
    expect((await rows()).map(({ body }) => body)).toContain(`Durante ${MARK}`)
    await close()
    expect((await forget()).status).toBe(200)
    await product().platform.db.write(tenantId, (tx) => tx.deleteFrom('lab_messages').execute())
    expect(await placesOf([MARK, '998124408'])).toEqual([])
  })

  it('of whom several contacts are one, has none of them without a name when they are told apart', async () => {
    const m = make(product().platform)
    const [id, contactId] = [await m.contact(tenantId, { name: MARK }), await m.contact(tenantId, { name: MARK })]
    const merge = await call(product(), contacts.merge, admin.token, { params: { id }, body: { contactId } })
    expect((await call(product(), contacts.forget, admin.token, { params: { id: contactId } })).status).toBe(200)
    const undone = await call(product(), contacts.undoMerge, admin.token, {
      params: { mergeId: merge.body.mergeId },
    })
    const both = undone.body.contacts
    expect(both.map(({ name }) => name)).toEqual(['Pessoa esquecida', 'Pessoa esquecida'])
  })
})
