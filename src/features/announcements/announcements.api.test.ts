import { expect, it } from 'vitest'
import { make, type Person } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { announcements } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they have.
const ask = (who: Person, op: any, input: object = {}): Promise<any> => call(product(), op, who.token, input as never)

it('the superadmin tells the active people of some companies, and each reads it for themselves', async () => {
  const root = await m().person(await m().tenant('Instalação'), { profile: 'superadmin', name: 'Sônia' })
  const tenantId = await m().tenant('Padaria')
  const ana = await m().person(tenantId, { name: 'Ana' })
  const bia = await m().person(tenantId, { name: 'Bia' })
  const gone = await m().user(tenantId)
  await product().platform.db.asPlatform((db) =>
    db.updateTable('users').set({ is_active: false }).where('id', '=', gone.id).execute(),
  )
  const stranger = await m().person(await m().tenant('Outra'))
  const message = `Manutenção hoje às 22h ${tenantId}`
  expect((await ask(ana, announcements.create, { body: { message } })).status).toBe(403)
  expect((await ask(root, announcements.create, { body: { message: '  ' } })).status).toBe(400)
  expect((await ask(root, announcements.create, { body: { message, tenantIds: [2 ** 40] } })).status).toBe(409)
  expect((await ask(root, announcements.create, { body: { message, tenantIds: [tenantId] } })).body).toEqual({
    count: 2,
  })

  const unread = async (who: Person) => (await ask(who, announcements.mine)).body.notifications as { id: number }[]
  expect(await unread(ana)).toMatchObject([{ message, authorName: 'Sônia' }])
  expect(await unread(stranger)).toEqual([])
  const [{ id } = { id: 0 }] = await unread(ana)
  const read = { params: { noticeId: id }, body: { isRead: true, userId: ana.id } }
  expect((await ask(bia, announcements.read, read)).status).toBe(404)
  expect((await ask(stranger, announcements.read, read)).status).toBe(404)
  for (const _ of [1, 2]) expect((await ask(ana, announcements.read, read)).status).toBe(200)
  expect(await unread(ana)).toEqual([])
  expect(await unread(bia)).toHaveLength(1)

  const listed = async (searchParam: string) =>
    (await ask(root, announcements.list, { query: { searchParam } })).body as {
      notifications: { id: number; userName: string; isRead: boolean }[]
      count: number
    }
  const { notifications, count } = await listed(message)
  expect(count).toBe(2)
  expect(notifications.map(({ userName, isRead }) => [userName, isRead])).toEqual([
    ['Bia', false],
    ['Ana', true],
  ])
  expect((await ask(ana, announcements.list)).status).toBe(403)
  expect((await ask(root, announcements.remove, { params: { noticeId: notifications[0]!.id } })).status).toBe(200)
  expect((await ask(root, announcements.remove, { params: { noticeId: notifications[0]!.id } })).status).toBe(404)
  expect(await unread(bia)).toEqual([])
  expect((await ask(ana, announcements.removeAll)).status).toBe(403)
  expect((await ask(root, announcements.removeAll)).body.count).toBeGreaterThan(0)
  expect((await listed(message)).notifications).toEqual([])
})
