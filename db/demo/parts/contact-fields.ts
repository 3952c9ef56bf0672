import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

const fields = [
  ['Origem', 'choice', 'Indicação\nSite\nInstagram\nLoja'],
  ['Última compra', 'date', ''],
  ['Limite de crédito', 'number', ''],
  ['Aceita ofertas', 'boolean', ''],
] as const

/** Fields of a company's own on its contacts, mostly filled, and a view over them that everybody uses. */
export const part: DemoPart = {
  after: ['contacts'],
  async seed({ platform, db, tenantId, ids }) {
    const m = make(platform, db)
    const now = platform.now()
    const made: number[] = []
    for (const [index, [name, type, options]] of fields.entries())
      made.push(
        await m.insert('contact_fields', tenantId, {
          ...{ name, type, options, in_list: index < 2, position: index + 1 },
          ...{ created_at: now, updated_at: now },
        }),
      )
    const [origin, bought, limit, offers] = made as [number, number, number, number]
    const origins = fields[0][2].split('\n')
    for (const [index, contact_id] of [...ids.contacts.values()].entries()) {
      const day = new Date(now.getTime() - (index + 1) * 9 * 86_400_000).toISOString().slice(0, 10)
      const credit = 500 * (1 + (index % 6))
      const values = [
        { field_id: origin, value: origins[index % origins.length]!, number: null },
        ...(index % 3 === 0 ? [] : [{ field_id: bought, value: day, number: null }]),
        ...(index % 2 === 0 ? [{ field_id: limit, value: String(credit), number: credit }] : []),
        ...(index % 4 === 0 ? [{ field_id: offers, value: 'true', number: null }] : []),
      ]
      await db
        .insertInto('contact_field_values')
        .values(values.map((one) => ({ tenant_id: tenantId, contact_id, ...one })))
        .execute()
    }
    await m.insert('contact_views', tenantId, {
      ...{
        name: 'Vieram por indicação',
        audience: 'company',
        filter: JSON.stringify({ field: [`${origin}:Indicação`] }),
      },
      ...{ created_at: now, updated_at: now },
    })
  },
}
