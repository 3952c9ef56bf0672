import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

const HOUR = 3_600_000

const messages = [
  'Oi, *{{firstName}}*! A mesa *Jatobá* voltou ao estoque.\n\nAté domingo ela sai por *R$ 4.890,00* em 10x sem juros, com entrega grátis em Campinas.\n\nQuer que eu separe uma para você?',
  '{{firstName}}, lembra da mesa Jatobá? Ela voltou, em poucas unidades.\n\nR$ 4.890,00 em 10x sem juros até domingo. Reservo uma?',
  'Boa notícia, {{firstName}}: a Jatobá está de volta, com entrega grátis em Campinas até domingo. Posso mandar as fotos?',
]

const hours = {
  ...{ window_start: '08:00', window_end: '20:00', weekdays: '[1,2,3,4,5,6]', skips_holidays: true },
  ...{ purpose: 'marketing', per_week: 2, skips_open: true, delay: 20 },
}

/** A campaign that was paused on its way, and one that is still being written. */
export const part: DemoPart = {
  after: ['contacts', 'connections', 'users'],
  async seed({ platform, db, tenantId, ids }) {
    const connection = await db.selectFrom('connections').select('id').orderBy('id').executeTakeFirst()
    const contacts = [...ids.contacts.values()].slice(0, 60)
    if (!connection || contacts.length < 20) return
    const now = platform.now().getTime()
    const m = make(platform, db)
    const user_id = [...ids.users.values()][0] ?? null
    const made = { ...hours, kind: 'campaign', connection_id: connection.id, user_id, created_at: new Date(now) }
    const texts = JSON.stringify(messages.map((body) => ({ body, weight: 1 })))
    const stateAt = (n: number): string =>
      n > contacts.length * 0.7
        ? 'waiting'
        : n % 11 === 10
          ? 'failed'
          : n % 3 === 0
            ? 'delivered'
            : n % 7 === 5
              ? 'sent'
              : 'read'
    const states = contacts.map((_, n) => stateAt(n))
    const replied = states.map((state, n) => state === 'read' && n % 4 === 1)
    const counts: Record<string, number> = { replied: replied.filter(Boolean).length }
    for (const state of states) counts[state] = (counts[state] ?? 0) + 1
    const dispatch_id = await m.insert('dispatches', tenantId, {
      ...{ ...made, name: 'Volta do estoque: mesas Jatobá', status: 'paused', messages: texts },
      ...{ start_at: new Date(now - 5 * HOUR), started_at: new Date(now - 5 * HOUR), updated_at: new Date(now) },
      counts: JSON.stringify(counts),
    })
    for (const [n, contact_id] of contacts.entries()) {
      const sent_at = states[n] === 'waiting' ? null : new Date(now - 5 * HOUR + n * 400_000)
      await m.insert('dispatch_items', tenantId, {
        ...{ dispatch_id, contact_id, connection_id: connection.id, line: `demo${contact_id}` },
        ...{ message_id: crypto.randomUUID(), variant: n % 3, state: states[n], sent_at, state_at: sent_at },
        reason: states[n] === 'failed' ? 'ERR_WAPP_INVALID_CONTACT' : '',
        replied_at: replied[n] ? sent_at : null,
      })
    }
    await m.insert('dispatches', tenantId, {
      ...{ ...made, name: 'Pesquisa de satisfação', status: 'pending', updated_at: new Date(now) },
      messages: JSON.stringify([{ body: 'Oi, {{firstName}}! De 0 a 10, quanto você indicaria a loja?', weight: 1 }]),
      start_at: new Date(now + 48 * HOUR),
    })
  },
}
