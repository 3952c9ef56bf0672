import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { sumsOf, tablesOf } from '#test/isolation/rows.ts'
import { make } from '#test/make.ts'
import { fillInApp, metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { call, withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { until } from '#test/until.ts'

/**
 * Connection types of Meta. The tests post webhook bodies of every kind, each with every id of a company in every place:
 * signed by a foreign app, and by the app that both companies share, for another account of it. No row of the attacked
 * company may change.
 */
const TYPES = ['waba', 'messenger', 'instagram'] as const
const NAMES = [
  ...(['phone', 'page', 'instagram'] as const), // whose event it is
  ...(['business', 'template'] as const),
  ...(['wamid', 'mid', 'igMid', 'ours'] as const), // messages, and our own id of one
  ...(['number', 'userId', 'psid', 'igsid', 'media', 'comment'] as const),
]
type Name = (typeof NAMES)[number]
type Ids = Readonly<Record<Name, string>>

let at = 1_790_000_000
let count = 0
/** Returns a new id each time, since a repeated one is ignored. */
const fresh = (of: string) => `${of}.${++count}`

const change = (ids: Ids, field: string, value: object) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: ids.business, time: ++at, changes: [{ field, value }] }],
})
const ofNumber = (ids: Ids, value: object, field = 'messages') =>
  change(ids, field, { metadata: { phone_number_id: ids.phone }, ...value })
const by = (ids: Ids) => ({ from: ids.number, from_user_id: ids.userId, timestamp: String(++at) })
const direct = (object: 'page' | 'instagram', ids: Ids, what: object, isOurs = false) => {
  const [account, person] = object === 'page' ? [ids.page, ids.psid] : [ids.instagram, ids.igsid]
  const [sender, recipient] = isOurs ? [account, person] : [person, account]
  const happened = { sender: { id: sender }, recipient: { id: recipient }, timestamp: ++at * 1000, ...what }
  return { object, entry: [{ id: account, time: at * 1000, messaging: [happened] }] }
}
const errors = [{ code: 190, title: 'Title' }]

/** Bodies about one account, by kind of event. */
const ofAccounts: Readonly<Record<string, (ids: Ids) => object>> = {
  text: (ids) => ofNumber(ids, { messages: [{ ...by(ids), id: fresh('wamid'), type: 'text', text: { body: 'Oi' } }] }),
  'an answer': (ids) =>
    ofNumber(ids, {
      messages: [{ ...by(ids), id: fresh('wamid'), type: 'text', text: { body: 'Oi' }, context: { id: ids.wamid } }],
    }),
  'the same message': (ids) =>
    ofNumber(ids, { messages: [{ ...by(ids), id: ids.wamid, type: 'text', text: { body: 'Oi' } }] }),
  'a file': (ids) =>
    ofNumber(ids, { messages: [{ ...by(ids), id: fresh('wamid'), type: 'image', image: { id: ids.media } }] }),
  'a reaction': (ids) =>
    ofNumber(ids, {
      messages: [
        { ...by(ids), id: fresh('wamid'), type: 'reaction', reaction: { message_id: ids.wamid, emoji: '👍' } },
      ],
    }),
  'a changed number': (ids) =>
    ofNumber(ids, {
      messages: [
        {
          ...{ ...by(ids), id: fresh('wamid'), type: 'system' },
          system: {
            type: 'user_changed_number',
            wa_id: '5511900000001',
            user_id: ids.userId,
            previous_user_id: ids.userId,
          },
        },
      ],
    }),
  'what was sent elsewhere': (ids) =>
    ofNumber(
      ids,
      { message_echoes: [{ ...by(ids), to: ids.number, id: fresh('wamid'), type: 'text', text: { body: 'Oi' } }] },
      'smb_message_echoes',
    ),
  ...Object.fromEntries(
    ['sent', 'delivered', 'read', 'played', 'failed'].map((status) => [
      `the status ${status}`,
      (ids: Ids) =>
        ofNumber(ids, {
          statuses: [
            {
              ...{ id: ids.wamid, status, timestamp: String(++at), recipient_id: ids.number },
              ...{ biz_opaque_callback_data: ids.ours, ...(status === 'failed' ? { errors } : {}) },
            },
          ],
        }),
    ]),
  ),
  ...Object.fromEntries(
    (['page', 'instagram'] as const).flatMap((object) => {
      const mid = (ids: Ids) => (object === 'page' ? ids.mid : ids.igMid)
      const bodies: Readonly<Record<string, (ids: Ids) => object>> = {
        text: (ids) => direct(object, ids, { message: { mid: fresh('m'), text: 'Oi', reply_to: { mid: mid(ids) } } }),
        unsent: (ids) => direct(object, ids, { message: { mid: mid(ids), is_deleted: true } }),
        edited: (ids) => direct(object, ids, { message_edit: { mid: mid(ids), text: 'Outra', num_edit: 9 } }),
        reacted: (ids) => direct(object, ids, { reaction: { mid: mid(ids), action: 'react', emoji: '👍' } }),
        read: (ids) => direct(object, ids, { read: { mid: mid(ids), watermark: ++at * 1000 } }),
        delivered: (ids) => direct(object, ids, { delivery: { mids: [mid(ids)], watermark: ++at * 1000 } }),
        pressed: (ids) => direct(object, ids, { postback: { mid: fresh('m'), title: 'Sim', payload: 'x' } }),
        echo: (ids) =>
          direct(object, ids, { message: { mid: mid(ids), is_echo: true, text: 'Oi', metadata: ids.ours } }, true),
      }
      return Object.entries(bodies).map(([what, body]) => [`${object}: ${what}`, body] as const)
    }),
  ),
  'a comment': (ids) => ({
    object: 'instagram',
    entry: [
      {
        ...{ id: ids.instagram, time: ++at },
        changes: [{ field: 'comments', value: { id: ids.comment, text: 'Oi', from: { id: ids.igsid } } }],
      },
    ],
  }),
}

/** Bodies about a whole business, which name no number, page or account as theirs. */
const ofBusinesses: Readonly<Record<string, (ids: Ids) => object>> = {
  'a template’s status': (ids) =>
    change(ids, 'message_template_status_update', { event: 'DISABLED', message_template_id: ids.template }),
  'a template’s quality': (ids) =>
    change(ids, 'message_template_quality_update', { message_template_id: ids.template, new_quality_score: 'RED' }),
  'a template’s category': (ids) =>
    change(ids, 'template_category_update', { message_template_id: ids.template, new_category: 'MARKETING' }),
  'a number’s quality': (ids) =>
    change(ids, 'phone_number_quality_update', { display_phone_number: '551130004000', event: 'FLAGGED' }),
  'a restriction': (ids) =>
    change(ids, 'account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } }),
  'a payment': (ids) =>
    ofNumber(ids, { statuses: [{ id: 'x', status: 'failed', timestamp: String(++at), errors: [{ code: 131_042 }] }] }),
}

const product = withProduct()
const m = () => make(product().platform)
let owner: pg.Pool
let tables: Awaited<ReturnType<typeof tablesOf>>
type Meta = Awaited<ReturnType<typeof startMeta>>
type Body = { readonly about: string; readonly body: object }
type Side = { meta: Meta; company: { tenantId: number; adminId: number; token: string }; ids: Ids }
let ours: Side
let stranger: Side
let neighbour: Side

async function anyCompany(): Promise<Side['company']> {
  const tenantId = await m().tenant()
  const admin = await m().user(tenantId, { profile: 'admin' })
  return { tenantId, adminId: admin.id, token: await m().token(admin) }
}

/** A company with a number, a page and an Instagram account, each with a conversation and something sent in it. */
async function side(meta: Meta, { isAppTheirs }: { isAppTheirs: boolean }): Promise<Side> {
  Object.assign(product().platform.env, { META_GRAPH_URL: meta.address, META_INSTAGRAM_URL: meta.address })
  const company = await anyCompany()
  const { tenantId } = company
  const template = meta.templates.approve({ name: 'volta', components: [{ type: 'BODY', text: 'Oi' }] })
  const us = {} as Record<(typeof TYPES)[number], Awaited<ReturnType<typeof metaCompany>>>
  for (const type of TYPES) {
    us[type] = await metaCompany(product(), meta, company, { isAppTheirs: isAppTheirs && type === 'waba', type })
    expect([type, (await us[type].start()).status]).toEqual([type, 200])
  }
  const { page, instagram } = meta.direct.accounts
  const own = String(tenantId).padStart(6, '0')
  const [number, psid, igsid] = [`55119${own}11`, `77${own}`, `88${own}`]
  await meta.write({ number, userId: `BR.${own}`, name: 'Ana' }, { type: 'text', text: { body: 'Oi' } })
  await meta.direct.write('page', { id: psid, name: 'Ana' }, { text: 'Oi' })
  await meta.direct.write('instagram', { id: igsid, name: 'Ana' }, { text: 'Oi' })
  const sends = async (type: (typeof TYPES)[number], key: string) => {
    const { body } = await us[type].reply(await us[type].accept(key), 'Olá')
    const [{ id }] = body.messages as [{ id: string }]
    await until(async () => (await us[type].messageOf(id)).status === 'sent')
    return { id, providerId: (await us[type].messageOf(id)).provider_id! }
  }
  const [sent, direct, onInstagram] = [
    await sends('waba', number),
    await sends('messenger', psid),
    await sends('instagram', igsid),
  ]
  await until(async () => {
    const [row] = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('number_states').selectAll().execute(),
    )
    return row !== undefined
  })
  return {
    ...{ meta, company },
    ids: {
      ...{ phone: meta.app.phoneId, page: page.id, instagram: instagram.id },
      ...{ business: meta.app.wabaId, template: template.id },
      ...{ wamid: sent.providerId, mid: direct.providerId, igMid: onInstagram.providerId, ours: sent.id },
      ...{ number, userId: `BR.${own}`, psid, igsid },
      ...{ media: meta.store(Buffer.from('x'), 'image/png'), comment: `${own}5` },
    },
  }
}

beforeAll(async () => {
  owner = new pg.Pool({ connectionString: product().ownerUrl, max: 2 })
  tables = await tablesOf(owner)
  const clock = () => product().platform.now().getTime()
  const [shared, other, own] = await Promise.all([startMeta(clock), startMeta(clock), startMeta(clock)])
  const superadmin = await m().token(await m().user(await m().tenant(), { profile: 'superadmin' }))
  await fillInApp(product(), shared, superadmin)
  ours = await side(shared, { isAppTheirs: false })
  Object.assign(other.app, { appId: shared.app.appId, appSecret: shared.app.appSecret })
  other.state.callback = shared.state.callback
  neighbour = await side(other, { isAppTheirs: false })
  stranger = await side(own, { isAppTheirs: true })
  Object.assign(product().platform.env, { META_GRAPH_URL: shared.address, META_INSTAGRAM_URL: shared.address })
  await settles(ours)
})
afterAll(() => Promise.all([ours, stranger, neighbour].map(({ meta }) => meta.close()).concat(owner.end())))

/** The ids that a body has. */
function idsIn(body: (ids: Ids) => object): Name[] {
  const asked = new Set<Name>()
  const get = (_: Ids, name: Name) => {
    asked.add(name)
    return name
  }
  body(new Proxy({} as Ids, { get }))
  return [...asked]
}

/**
 * Yields each body with all of our ids, except those that stay the sender's, and with each of ours alone among the sender's;
 * of the latter a commit tries some.
 */
function* attacks(from: Side, bodies: typeof ofAccounts, theirs: readonly Name[] = []): Iterable<Body> {
  let turn = 0
  for (const [what, body] of Object.entries(bodies)) {
    const named = idsIn(body).filter((name) => !theirs.includes(name))
    const taken = [...named.map((name) => [name]), ...(named.length > 1 ? [named] : [])]
    for (const names of taken) {
      if (names.length < named.length && turn++ % breadth(4, 1) > 0) continue
      const stolen = Object.fromEntries(names.map((name) => [name, ours.ids[name]]))
      yield { about: `${what} with our ${names.join(', ')}`, body: body({ ...from.ids, ...stolen }) }
    }
  }
}

const messagesOf = async (tenantId: number) =>
  (await product().platform.db.read(tenantId, (db) => db.selectFrom('messages').select('body').execute())).length
/** Waits until all earlier events have been ingested. */
async function settles({ meta, company }: Side) {
  const marker = `fim ${++count}`
  await meta.write({ number: '5511911112222', name: 'Fim' }, { type: 'text', text: { body: marker } })
  await until(async () => {
    const found = await product().platform.db.read(company.tenantId, (db) =>
      db.selectFrom('messages').select('id').where('body', '=', marker).execute(),
    )
    return found.length === 1
  })
}

/** Returns checksums of our tables, without those counted in the background. */
const sums = () => sumsOf(owner, tables, ours.company.tenantId)

/** Posts bodies, several at a time, signed by the sender's app; returns their number. */
async function postAll(from: Side, all: Iterable<Body>, callback: string, expected: number): Promise<number> {
  const waiting = [...all]
  const next = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const text = from.meta.written(one.body)
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': from.meta.signatureOf(text) }
      const { status } = await fetch(callback, { method: 'POST', body: text, headers })
      expect([one.about, status]).toEqual([one.about, expected])
    }
  }
  const { length } = waiting
  await Promise.all(Array.from({ length: 8 }, next))
  return length
}

async function changesNothing(from: Side, all: Iterable<Body>, callback: string) {
  const before = await sums()
  const theirs = await messagesOf(from.company.tenantId)
  const tried = await postAll(from, all, callback, 200)
  await settles(from)
  expect(await sums()).toEqual(before)
  // Events of the sender's own account are accepted.
  expect(await messagesOf(from.company.tenantId)).toBeGreaterThan(theirs + 1)
  return tried
}

describe('an id of ours, wherever a body of Meta’s can name one', () => {
  it('every one of them stands in some body', () => {
    const all = Object.values({ ...ofAccounts, ...ofBusinesses }).flatMap(idsIn)
    expect(new Set(all)).toEqual(new Set(NAMES))
  })

  it('changes nothing of ours where another company’s own app tells it', async () => {
    const all = attacks(stranger, { ...ofAccounts, ...ofBusinesses })
    expect(await changesNothing(stranger, all, stranger.meta.state.callback)).toBeGreaterThan(breadth(50, 120))
  })

  it('nor where the app that we share tells it of another company’s account', async () => {
    const all = attacks(neighbour, ofAccounts, ['phone', 'page', 'instagram'])
    expect(await changesNothing(neighbour, all, neighbour.meta.state.callback)).toBeGreaterThan(breadth(40, 80))
  })

  it('is not believed at the shared address with another app’s signature', async () => {
    const before = await sums()
    const all = attacks(stranger, { ...ofAccounts, ...ofBusinesses })
    await postAll(stranger, all, ours.meta.state.callback, 401)
    expect(await sums()).toEqual(before)
  })

  it('is told by the shared app of ourselves, and heard: it is the ids that are refused, not the bodies', async () => {
    const before = await sumsOf(owner, tables, ours.company.tenantId)
    const text = ours.meta.written(ofAccounts['the status read']!(ours.ids))
    expect((await ours.meta.post(text)).status).toBe(200)
    await until(async () => (await sumsOf(owner, tables, ours.company.tenantId))['messages'] !== before['messages'])
  })
})

describe('an account of ours', () => {
  it.each(TYPES)('is connected by nobody else, of type %s, not even with our token', async (type) => {
    const before = await sums()
    const theirs = await metaCompany(product(), ours.meta, await anyCompany(), { isAppTheirs: false, type })
    expect(await theirs.start()).toMatchObject({ status: 409, body: { error: 'ERR_ACCOUNT_TAKEN' } })
    expect(await theirs.read()).toMatchObject({ status: 'DISCONNECTED' })
    // With the attacker's own token, the account is not even readable.
    const { token } = await anyCompany()
    const { page, instagram } = stranger.meta.direct.accounts
    const tokens = { waba: stranger.meta.app.token, messenger: page.token, instagram: instagram.token }
    const accounts = { waba: ours.ids.phone, messenger: ours.ids.page, instagram: ours.ids.instagram }
    const config = { tokenAPI: accounts[type], wabaId: type === 'waba' ? ours.ids.business : '', bmToken: tokens[type] }
    const body = { type, name: 'Alheia', config }
    const made = await call(product(), connections.create, token, { body } as never)
    const params = { id: (made.body as { id: number }).id }
    expect((await call(product(), connections.start, token, { params })).status).toBe(422)
    expect(await sums()).toEqual(before)
  })
})
