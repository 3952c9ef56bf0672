import { beforeAll, expect, it } from 'vitest'
import type { Change } from '#domain/funnel/card.ts'
import { companyMail } from '#features/mail/contract.ts'
import { unit } from '#server/context.ts'
import { funnelBy } from '#test/funnel.ts'
import { make, type Person } from '#test/make.ts'
import { withProduct } from '#test/server.ts'
import { opportunities } from './contract.ts'
import { opportunityNotes } from './notes-contract.ts'
import { opportunityFields } from './opportunity-fields.ts'
import { forgetCards } from './server/index.ts'

const product = withProduct()
const m = () => make(product().platform)
let tenantId: number
let boss: Person
let ana: Person
let bia: Person

beforeAll(async () => {
  tenantId = await m().tenant()
  boss = await m().person(tenantId, { profile: 'admin' })
  ana = await m().person(tenantId)
  bia = await m().person(tenantId)
})

const { ask, pipeline, create, board, put, historyOf } = funnelBy(product, () => ({ tenantId, boss }))

it('has notes, read by who sees it, removed by their author and leads, and erased with the person', async () => {
  const { id: pipelineId } = await pipeline()
  const contactId = await m().contact(tenantId)
  const { body: card } = await create(ana, { pipelineId, contactId, responsibleId: ana.id })
  const params = { id: card.id }
  const write = (who: Person, text: string) => ask(who, opportunityNotes.create, { params, body: { text } })
  const page = (who: Person, query: object = {}) => ask(who, opportunityNotes.list, { params, query })
  const remove = (who: Person, noteId: number) => ask(who, opportunityNotes.remove, { params: { noteId } })
  const texts = async (who: Person) => (await page(who)).body.data.map(({ text }: { text: string }) => text)
  const { body: first } = await write(ana, ' Prefere à tarde ')
  expect(first).toMatchObject({ text: 'Prefere à tarde', userId: ana.id, mayRemove: true })
  const { body: second } = await write(boss, 'Dar desconto')
  expect(await texts(ana)).toEqual(['Dar desconto', 'Prefere à tarde'])
  for (const text of ['  ', 'x'.repeat(4001)])
    expect(await write(ana, text)).toMatchObject({ status: 400, body: { details: { text: expect.any(String) } } })
  const stranger = await m().person(await m().tenant(), { profile: 'admin' })
  for (const who of [bia, stranger]) {
    expect([(await page(who)).status, (await write(who, 'x')).status]).toEqual([404, 404])
    expect((await remove(who, first.id)).status).toBe(404)
  }
  expect((await remove(ana, second.id)).status).toBe(403)
  expect((await remove(boss, first.id)).status).toBe(200)
  expect((await remove(boss, first.id)).status).toBe(404)
  expect(await texts(ana)).toEqual(['Dar desconto'])
  for (let at = 0; at < 21; at++) await write(ana, `Nota ${at}`)
  const { body: newest } = await page(ana)
  const { body: rest } = await page(ana, { cursor: newest.nextCursor })
  expect([newest.data.length, rest.data.map(({ text }: { text: string }) => text), rest.nextCursor]).toEqual([
    20,
    ['Nota 0', 'Dar desconto'],
    null,
  ])
  expect((await page(ana, { cursor: 'nada' })).status).toBe(400)
  await unit(product().platform, { tenantId, user: null }, (ctx) =>
    forgetCards(ctx, { contactIds: [contactId] } as never),
  )
  expect(await texts(ana)).toEqual([])
})

it('writes an e-mail to the contact, of which a note stays, or says why it cannot', async () => {
  const { id: pipelineId } = await pipeline()
  const { body: mute } = await create(ana, { pipelineId, contactId: await m().contact(tenantId, { email: '' }) })
  const contactId = await m().contact(tenantId, { email: 'marlene@fora.test' })
  const { body: card } = await create(ana, { pipelineId, contactId })
  const mail = (id: number) =>
    ask(ana, opportunityNotes.mail, { params: { id }, body: { subject: 'Proposta', text: 'Segue.' } })
  const notes = async () => (await ask(ana, opportunityNotes.list, { params: { id: card.id }, query: {} })).body.data
  expect((await mail(mute.id)).body.error).toBe('ERR_NO_CONTACT_EMAIL')
  expect((await mail(card.id)).body.error).toBe('ERR_MAIL_NOT_CONFIGURED')
  expect(await notes()).toEqual([])
  const settings = {
    ...{ smtp: 'enabled', emailHost: 'correio.invalid', emailPort: 25, emailSecure: 'none', emailUser: '' },
    ...{ emailPass: '', emailName: 'Loja', emailFrom: 'loja@fora.test' },
  }
  expect((await ask(boss, companyMail.save, { body: settings })).status).toBe(200)
  expect((await mail(card.id)).status).toBe(200)
  expect(await notes()).toMatchObject([{ text: 'E-mail enviado: Proposta\nSegue.', userId: ana.id }])
})

it('has the company’s own fields: checked, listed, filtered, exported, recorded before and after, and erased', async () => {
  const field = async (body: object) => {
    const answer = await ask(boss, opportunityFields.ops.create, { body: { options: '', ...body } })
    expect(answer.status).toBe(200)
    return answer.body.id as number
  }
  const origin = await field({ name: 'Origem do negócio', type: 'choice', options: 'Feira\nSite', required: true })
  const area = await field({ name: 'Área em m²', type: 'number' })
  const theirs = { name: 'Meu', type: 'text' }
  expect((await ask(ana, opportunityFields.ops.create, { body: theirs })).status).toBe(403)
  const { id: pipelineId } = await pipeline()
  const refused = await create(ana, { pipelineId, fields: { [origin]: 'Feira', [area]: 'muito' } })
  expect([refused.status, Object.keys(refused.body.details)]).toEqual([400, [`fields.${area}`]])
  expect((await create(ana, { pipelineId, fields: {} })).body.details).toEqual({
    [`fields.${origin}`]: expect.any(String),
  })
  const contactId = await m().contact(tenantId)
  const { body: card } = await create(ana, { pipelineId, contactId, fields: { [origin]: 'Feira', [area]: 12.5 } })
  expect(card.fields).toEqual({ [origin]: 'Feira', [area]: 12.5 })
  // Clients without custom fields work as before.
  const { body: plain } = await create(ana, { pipelineId })
  expect(plain.fields).toEqual({})
  expect((await put(ana, card.id, { fields: { [area]: null, [origin]: 'Site' } })).body.fields).toEqual({
    [origin]: 'Site',
  })
  expect((await put(ana, card.id, { fields: { [origin]: null } })).status).toBe(400)
  const lines = (await historyOf(card.id)).filter(({ kind }: Change) => kind === 'field')
  expect(lines.slice(0, 2).map((line: Change & { field: string }) => [line.field, line.before, line.after])).toEqual(
    expect.arrayContaining([
      ['Origem do negócio', 'Feira', 'Site'],
      ['Área em m²', '12.5', null],
    ]),
  )
  const found = async (...asked: string[]) => {
    const [stage] = await board(ana, pipelineId, { field: asked })
    return { ids: stage!.cards.map(({ id }) => id), count: stage!.count }
  }
  expect(await found(`${origin}:Site`)).toEqual({ ids: [card.id], count: 1 })
  expect(await found(`${origin}:Feira`)).toEqual({ ids: [], count: 0 })
  expect(await found('999999:x')).toEqual({ ids: [], count: 0 })
  const { body: csv } = await ask(boss, opportunities.export, { body: { pipelineId, format: 'csv' } })
  expect(String(csv)).toContain('Origem do negócio')
  expect((await ask(boss, opportunityFields.ops.remove, { params: { id: origin } })).body.error).toBe(
    'ERR_OPPORTUNITY_FIELD_USED',
  )
  await unit(product().platform, { tenantId, user: null }, (ctx) =>
    forgetCards(ctx, { contactIds: [contactId] } as never),
  )
  const after = (await historyOf(card.id)).filter(({ kind }: Change) => kind === 'field')
  expect(after.every((line: Change) => line.before === null && line.after === null)).toBe(true)
  expect((await ask(boss, opportunities.get, { params: { id: card.id } })).body.fields).toEqual({})
  expect((await ask(boss, opportunityFields.ops.remove, { params: { id: origin } })).status).toBe(200)
})
