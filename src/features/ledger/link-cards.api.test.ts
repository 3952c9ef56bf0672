import { randomUUID } from 'node:crypto'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lab } from '#features/lab/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { settings } from '#features/settings/contract.ts'
import type { VisitorSession } from '#features/webchat/contract.ts'
import { startWebPages } from '#test/peers/web-pages.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { webchatOn } from '#test/webchat.ts'
import type { MessageRow } from './message-rows.ts'
import { ingestIdle } from './server/ingest/ingest.ts'
import { removeCards } from './server/links/queries.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const { company, visit, write, accept } = webchatOn(product)
let pages: Awaited<ReturnType<typeof startWebPages>>
let inside: Awaited<ReturnType<typeof startWebPages>>
let shop: Awaited<ReturnType<typeof company>>
let slow: typeof shop
let visitor: VisitorSession['visitorToken']
let ticketId: number
let picture: Buffer
let owner: pg.Client

beforeAll(async () => {
  owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  pages = await startWebPages()
  inside = await startWebPages('127.0.0.2')
  picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#1C5D99' } })
    .png()
    .toBuffer()
  pages.show('/foto.png', { body: picture, type: 'image/png' })
  slow = await company()
  const endless = pages.show('/lenta', (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const timer = setInterval(() => response.write('<!-- -->'), 100)
    response.on('close', () => clearInterval(timer))
  })
  await write(await visit(slow.channel), `Veja ${endless}`)
  shop = await company()
  visitor = await visit(shop.channel)
  await write(visitor, 'Olá')
  await ingestIdle(product().platform)
  ticketId = await accept(shop.token, shop.admin.id)
})
afterAll(() => Promise.all([pages.close(), inside.close(), owner.end()]))

const html = (title: string, more = '') => `<head><title>${title}</title>${more}</head>`
const thread = async (id = ticketId): Promise<MessageRow[]> =>
  (await call(product(), messages.list, shop.token, { params: { ticketId: id } })).body.messages
const found = async (body: string, id = ticketId) => (await thread(id)).find((one) => one.body === body)!
const send = async (body: string, isNote = false) => {
  const idFront = randomUUID()
  return call(product(), messages.send, shop.token, { params: { ticketId }, body: { idFront, body, isNote } })
}
const jobsLeft = async (tenantId = shop.tenantId): Promise<number> => {
  const { rows } = await owner.query(
    `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'conversations:link-cards' and j.payload ->> 'tenantId' = $1::text`,
    [tenantId],
  )
  return rows.length
}
const idle = (tenantId?: number) => until(async () => (await jobsLeft(tenantId)) === 0)
/** Sends a text and waits until all of its work is done. */
async function settled(body: string): Promise<MessageRow> {
  await send(body)
  await idle()
  return found(body)
}

test('a link from either side of a webchat, and in a note, gets the card of its page; the page is asked once', async () => {
  const more = '<meta name="description" content="Direto da fábrica"><meta property="og:image" content="/foto.png">'
  const url = pages.show('/cama', { body: html('Cama box', more) })
  const mine = await settled(`Veja *aqui*: ${url}.`)
  const card = { url, title: 'Cama box', description: 'Direto da fábrica', site: '127.0.0.1' }
  expect(mine.linkCard).toMatchObject(card)
  await write(visitor, `Esta? ${url}`)
  await send(`O cliente olha ${url}`, true)
  await ingestIdle(product().platform)
  await idle()
  expect((await found(`Esta? ${url}`)).linkCard).toEqual(mine.linkCard)
  expect((await found(`O cliente olha ${url}`)).linkCard).toEqual(mine.linkCard)
  expect([pages.times('/cama'), pages.times('/foto.png')]).toEqual([1, 1])
  // The request contains no data of ours.
  expect(Object.keys(pages.asked[0]!.headers).sort()).toEqual(
    ['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'user-agent'].sort(),
  )
  // The picture is a stored copy: small, and behind a signed link.
  expect(mine.linkCard?.picture).toMatch(/^\/api\/files\//)
  const kept = await fetch(product().address + mine.linkCard!.picture)
  expect(await sharp(Buffer.from(await kept.arrayBuffer())).metadata()).toMatchObject({ format: 'webp', width: 192 })
})

test('twenty messages with one link, at once and on a lab phone, ask for its page once, and are told to whoever looks', async () => {
  const url = pages.show('/vinte', { body: html('Vinte') })
  const name = 'Nádia'
  const body = { name, number: '(19) 99812-7001' }
  const phone = (await call(product(), lab.create, shop.token, { body })).body
  const { lastSeq } = (await call(product(), messages.changes, shop.token, {})).body
  const say = (n: number) =>
    call(product(), lab.send, shop.token, {
      params: { id: phone.id },
      body: { id: randomUUID(), body: `${n} ${url}` } as never,
    })
  await Promise.all(Array.from({ length: 20 }, (_, n) => say(n)))
  await ingestIdle(product().platform)
  await idle()
  expect(pages.times('/vinte')).toBe(1)
  const { changes } = (await call(product(), messages.changes, shop.token, { query: { after: lastSeq } })).body as {
    changes: { type: string; payload: { message: MessageRow } }[]
  }
  const published = changes.filter(({ type }) => type === 'chat:update').map(({ payload }) => payload.message)
  expect(published).toHaveLength(20)
  expect(new Set(published.map(({ linkCard }) => linkCard?.title))).toEqual(new Set(['Vinte']))
})

describe('what a page may do', () => {
  test.each<[string, () => string]>([
    ['nothing there', () => pages.show('/404', { body: html('Erro'), status: 404 })],
    ['no page', () => pages.show('/zip', { body: html('Cama'), type: 'application/zip' })],
    ['no title', () => pages.show('/vazia', { body: '<p>Oi' })],
    [
      'redirects inwards',
      () => pages.show('/dentro', { body: '', status: 302, headers: { location: `${inside.origin}/` } }),
    ],
    [
      'redirects in a circle',
      () => pages.show('/circulo', { body: '', status: 302, headers: { location: '/circulo' } }),
    ],
    ['is inside itself', () => `${inside.origin}/segredo`],
    ['is packed', () => pages.show('/gzip', { body: html('Cama'), headers: { 'content-encoding': 'gzip' } })],
    ['hangs up', () => pages.show('/corta', (response) => void response.destroy())],
    ['is nowhere', () => 'http://nenhum.invalid/'],
  ])('%s: the link stays a link', async (_, show) => {
    const { linkCard } = await settled(`${_} ${show()}`)
    expect(linkCard).toBeNull()
    expect(inside.asked).toEqual([])
  })

  test('ten megabytes are read as far as the title needs', async () => {
    const url = pages.show('/grande', { body: html('Grande') + 'x'.repeat(10_000_000) })
    expect((await settled(`Grande ${url}`)).linkCard).toMatchObject({ title: 'Grande' })
  })

  test.each<[string, () => string]>([
    ['inside', () => `${inside.origin}/foto.png`],
    [
      'a drawing',
      () =>
        pages.show('/a.svg', {
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>',
          type: 'image/svg+xml',
        }),
    ],
    [
      'a drawing that calls itself a photo',
      () =>
        pages.show('/b.png', {
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>',
          type: 'image/png',
        }),
    ],
    ['a page', () => pages.show('/c.png', { body: html('Foto'), type: 'image/png' })],
    ['a broken photo', () => pages.show('/d.png', { body: picture.subarray(0, 60), type: 'image/png' })],
  ])('its picture is %s: a card without one', async (what, show) => {
    const url = pages.show(`/com/${encodeURIComponent(what)}`, {
      body: html(what, `<meta property="og:image" content="${show()}">`),
    })
    expect((await settled(`Foto ${url}`)).linkCard).toMatchObject({ title: what, picture: null })
    expect(inside.asked).toEqual([])
  })
})

test('a changed text shows the card of its new link, and none without a link; what is taken back has none', async () => {
  const [one, two] = [pages.show('/um', { body: html('Um') }), pages.show('/dois', { body: html('Dois') })]
  const body = `nota ${one}`
  await send(body, true)
  await idle()
  const { id } = await found(body)
  const title = async () => (await thread()).find((row) => row.id === id)?.linkCard?.title
  const edit = async (text: string) => {
    expect((await call(product(), messages.change, shop.token, { params: { id }, body: { body: text } })).status).toBe(
      200,
    )
    await idle()
    return title()
  }
  expect(await title()).toBe('Um')
  expect(await edit(`nota ${two}`)).toBe('Dois')
  expect(await edit('nota sem link')).toBeUndefined()
  expect(await edit(`de novo ${one}`)).toBe('Um')
  await call(product(), messages.remove, shop.token, { body: { id } })
  await idle()
  expect(await title()).toBeUndefined()
  expect(pages.times('/um')).toBe(1)
})

test('a page is asked again when its card ran out, and what it said stays while it does not answer', async () => {
  const url = pages.show('/muda', { body: html('Antes') })
  const { id } = await settled(`muda 1 ${url}`)
  const title = async () => (await thread()).find((row) => row.id === id)?.linkCard?.title
  const expire = () =>
    owner.query("update link_cards set expires_at = now() - interval '1 minute' where url = $1", [url])
  pages.show('/muda', { body: '', status: 500 })
  await expire()
  expect((await settled(`muda 2 ${url}`)).linkCard?.title).toBe('Antes')
  pages.show('/muda', { body: html('Depois') })
  await expire()
  expect((await settled(`muda 3 ${url}`)).linkCard?.title).toBe('Depois')
  expect(await title()).toBe('Depois')
  expect(pages.times('/muda')).toBe(3)
})

test('cards that no message shows are removed with time, those that one shows stay', async () => {
  await settled(`fica ${pages.show('/fica', { body: html('Fica') })}`)
  await owner.query("update link_cards set expires_at = now() - interval '60 days'")
  const before = new Date(product().platform.now().getTime() - 30 * 86_400_000)
  await product().platform.db.asPlatform((db) => removeCards(db, before, 1000, shop.tenantId))
  const { rows } = await owner.query('select title from link_cards where tenant_id = $1', [shop.tenantId])
  expect(rows.map(({ title }) => title)).toContain('Fica')
  expect(rows.map(({ title }) => title)).not.toContain(null)
})

test('who waits for a page that never ends waits for nothing else, and after seconds for that neither', async () => {
  const reply = await write(await visit(slow.channel), 'depois')
  expect(reply.status).toBe(200)
  await ingestIdle(product().platform)
  await idle(slow.tenantId)
  const card = await owner.query('select title from link_cards where tenant_id = $1', [slow.tenantId])
  expect(card.rows).toEqual([{ title: null }])
})

test('a company that wants no cards asks nobody', async () => {
  const set = (value: string) =>
    call(product(), settings.set, shop.token, { params: { key: 'linkCards' }, body: { value } })
  expect((await set('disabled')).status).toBe(200)
  const url = pages.show('/quieta', { body: html('Quieta') })
  expect((await settled(`quieta ${url}`)).linkCard).toBeNull()
  expect(pages.times('/quieta')).toBe(0)
})
