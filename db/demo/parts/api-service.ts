import type { DemoPart } from '#db/demo/part.ts'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'

const MINUTE = 60_000
const HOUR = 3_600_000

/** Two API keys with unusable tokens, and the pending approvals of one. */
export const part: DemoPart = {
  after: ['connections', 'users', 'catalog'],
  async seed({ platform, db, tenantId, ids }) {
    const connection = await db
      .selectFrom('connections')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .orderBy('id')
      .executeTakeFirst()
    const tag = await db
      .selectFrom('tags')
      .select(['id', 'tag', 'color'])
      .where('tenant_id', '=', tenantId)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    const userId = ids.users.get('admin@demo.test') ?? [...ids.users.values()][0]
    if (!connection || !tag || userId === undefined) return
    const now = platform.now().getTime()
    const at = (ms: number) => new Date(now - ms)
    const m = make(platform, db)
    const key = (name: string, scopes: string[], hint: string, usedMs: number) => {
      const id = uuidv7()
      const times = { created_at: at(90 * HOUR), updated_at: at(90 * HOUR), last_used_at: at(usedMs) }
      const about = { id, name, scopes, hint, connection_id: connection.id, user_id: userId }
      return m.insert('api_keys', tenantId, { ...about, ...times, last_address: '203.0.113.24' }).then(() => id)
    }
    await key('Loja virtual', ['tickets:read', 'tickets:write', 'tickets:start', 'contacts:read'], 'k7Qe', 12 * MINUTE)
    const assistant = await key('Assistente da gerência', ['tickets:read', 'contacts:read', 'tags:write'], 'x2Lp', HOUR)
    const asked = { key_id: assistant, client: 'Assistente 2.1', operation: 'tags.remove' }
    const shown = JSON.stringify({ id: tag.id, tag: tag.tag, color: tag.color })
    const until = { expires_at: new Date(now + 23 * HOUR), created_at: at(HOUR) }
    await m.insert('mcp_approvals', tenantId, {
      ...{ ...asked, ...until, id: uuidv7(), input: JSON.stringify({ id: tag.id }), before: shown },
      prompt: 'Apague as etiquetas que ninguém usa mais.',
    })
    await m.insert('mcp_approvals', tenantId, {
      ...{ ...asked, id: uuidv7(), operation: 'tags.update', created_at: at(30 * HOUR), expires_at: at(6 * HOUR) },
      ...{ input: JSON.stringify({ id: tag.id, color: '#112233' }), status: 'refused', decided_by: userId },
      ...{ decided_at: at(29 * HOUR), prompt: 'Deixe todas as etiquetas na cor da loja.' },
    })
  },
}
