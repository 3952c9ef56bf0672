import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

/** Contacts of a company. */
export const part: DemoPart = {
  async seed({ platform, db, tenantId, tenant, ids }) {
    for (const { name, phone, email = '', company = '', city } of tenant.contacts) {
      const id = await make(platform, db).contact(tenantId, {
        name,
        number: phone?.replace(/\D/g, '') ?? null,
        email,
        business_name: company,
        first_name: name.split(' ')[0]!,
        extra_info: JSON.stringify([{ id: 1, name: 'Cidade', value: city }]),
      })
      ids.contacts.set(name, id)
    }
  },
}
