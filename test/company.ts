import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeAll, expect } from 'vitest'
import type { Profile } from '#domain/access/profiles.ts'
import { settings } from '#features/settings/contract.ts'
import { users } from '#features/users/contract.ts'
import type { SettingKey } from '#kit/settings.ts'
import { unit } from '#server/context.ts'
import { make } from './make.ts'
import { testChannel } from './peers/channel.ts'
import { call, type Product } from './server.ts'

/** Person of the company, with an access token. */
export type Who = { id: number; tenantId: number; email: string; token: string }

/** Event that a browser's socket received. */
export type Envelope = { channel: string; type: string; payload: Record<string, unknown> }

/** Helpers for a company of a file's product: its administrator, further people, and listening sockets. */
export function withCompany(product: () => Product) {
  const m = () => make(product().platform)
  const open: Socket[] = []
  let tenantId: number
  let connectionId: number
  let admin: Who
  const someone = async (profile: Profile, inQueues: number[] = [], name?: string): Promise<Who> => {
    const person = await m().user(tenantId, { profile, queues: inQueues, ...(name ? { name } : {}) })
    return { ...person, token: await m().token(person) }
  }
  beforeAll(async () => {
    testChannel(product().platform)
    tenantId = await m().tenant()
    connectionId = await m().connection(tenantId, { type: 'test' })
    admin = await someone('admin')
  })
  afterEach(() => {
    for (const socket of open.splice(0)) socket.close()
  })
  return {
    get tenantId() {
      return tenantId
    },
    get connectionId() {
      return connectionId
    },
    get admin() {
      return admin
    },
    someone,
    /** Changes a person as the administrator does. */
    async change(who: Who, body: object) {
      const reply = await call(product(), users.update, admin.token, { params: { id: who.id }, body })
      expect([reply.status, reply.body]).toMatchObject([200, {}])
    },
    async set(key: SettingKey, value: string) {
      const reply = await call(product(), settings.set, admin.token, { params: { key }, body: { value } })
      expect(reply.status).toBe(200)
    },
    /** Hides menu entries in the company, as the superadmin does. */
    hide: (menu: Record<string, boolean>) =>
      unit(product().platform, { tenantId, user: null }, async (ctx) => {
        const row = { tenant_id: tenantId, key: 'menuVisibility', value: JSON.stringify(menu) }
        await ctx.db
          .insertInto('settings')
          .values(row)
          .onConflict((conflict) => conflict.columns(['tenant_id', 'key']).doUpdateSet({ value: row.value }))
          .execute()
        ctx.stale(`settings ${tenantId}`)
      }),
    /** Opens a browser's socket; returns it with the events it receives. */
    async listen(who: Who): Promise<{ heard: Envelope[]; socket: Socket }> {
      const socket = io(product().address, {
        auth: { token: who.token },
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
      })
      open.push(socket)
      const heard: Envelope[] = []
      socket.onAny((name: string, { type, payload }: Envelope) =>
        heard.push({ channel: name.split(':')[1] ?? name, type, payload }),
      )
      await new Promise((resolve) => socket.once('connect', () => resolve(true)))
      return { heard, socket }
    },
  }
}
