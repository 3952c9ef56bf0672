import { beforeAll, expect, test } from 'vitest'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { type Tutorial, tutorialExtras, tutorials } from './contract.ts'

const product = withProduct()
let admin: string
let agent: string
let lead: string

beforeAll(async () => {
  const m = make(product().platform)
  const tenantId = await m.tenant()
  admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  lead = await m.token(await m.user(tenantId, { profile: 'super' }))
  agent = await m.token(await m.user(tenantId))
})

const create = (token: string, body: object) => call(product(), tutorials.ops.create, token, { body: body })
const titles = async (token: string) => {
  const { body } = await call(product(), tutorials.ops.list, token, { query: {} })
  return body.items.map(({ title }) => title)
}

test('admins write them, everybody reads those that are on, in their order', async () => {
  expect((await create(lead, { title: 'Não', link: 'https://exemplo.dev' })).status).toBe(403)
  const first = (await create(admin, { title: 'Um', link: 'https://exemplo.dev/1' })).body
  await create(admin, { title: 'Dois', link: 'https://exemplo.dev/2' })
  const off = (await create(admin, { title: 'Rascunho', link: 'https://exemplo.dev/3', isActive: false })).body
  expect(await titles(admin)).toEqual(['Um', 'Dois', 'Rascunho'])
  expect(await titles(agent)).toEqual(['Um', 'Dois'])
  expect((await call(product(), tutorials.ops.get, agent, { params: { id: off.id } })).status).toBe(404)
  const copy = await call(product(), tutorialExtras.duplicate, admin, { params: { id: first.id } })
  expect(copy.body).toMatchObject({ title: 'Um (cópia)', isActive: false, link: 'https://exemplo.dev/1' })
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'exemplo.dev', 'file:///etc/passwd', ''])(
  'a link is an address of the web, not %j',
  async (link) => {
    const refused = await create(admin, { title: 'Ruim', link })
    expect([refused.status, Object.keys((refused.body as { details: object }).details)]).toEqual([400, ['link']])
  },
)

test('a picture is a picture, is seen by who sees the tutorial, and is taken away', async () => {
  const { id } = (await create(admin, { title: 'Com capa', link: 'https://exemplo.dev' })).body
  const send = async (name: string, content: Buffer<ArrayBuffer>) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(content)]), name)
    const answer = await fetch(`${product().address}/api/tutorials/${id}/thumbnail`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${admin}` },
      body: form,
    })
    return { status: answer.status, body: (await answer.json()) as Tutorial }
  }
  expect((await send('nota.txt', Buffer.from('texto'))).status).toBe(415)
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const { body } = await send('capa.png', Buffer.from(png, 'base64'))
  expect((await fetch(product().address + body.thumbnail)).headers.get('content-type')).toBe('image/png')
  const left = await call(product(), tutorialExtras.removeThumbnail, admin, { params: { id } })
  expect(left.body).toMatchObject({ thumbnail: null })
})
