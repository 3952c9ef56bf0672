import type { DemoPart } from '#db/demo/part.ts'
import { keysBetween } from '#domain/kanban/order.ts'
import { make } from '#test/make.ts'

const stages = [
  ['Primeiro contato', '#2ba38f'],
  ['Orçamento', '#3874b6'],
  ['Negociação', '#8c5d04'],
  ['Pedido fechado', '#7e22ce'],
  ['Pós-venda', '#15803d'],
] as const

/** Board: most contacts are in a stage, and their tickets in the same one. */
export const part: DemoPart = {
  after: ['contacts', 'conversations'],
  async seed({ platform, db, tenantId, ids }) {
    const contacts = [...ids.contacts.values()].filter((_, index) => index % 4 > 0)
    for (const [index, [name, color]] of stages.entries()) {
      const kanban = await make(platform, db).insert('stages', tenantId, { name, color, position: index + 1 })
      // Fewer and fewer come as far as the next one.
      const own = contacts.splice(0, Math.ceil(contacts.length * (index < stages.length - 1 ? 0.35 : 1)))
      const keys = keysBetween(null, null, own.length)
      for (const [turn, id] of own.entries()) {
        await db.updateTable('contacts').set({ kanban, kanban_order: keys[turn]! }).where('id', '=', id).execute()
        await db.updateTable('tickets').set({ kanban }).where('contact_id', '=', id).execute()
      }
    }
  },
}
