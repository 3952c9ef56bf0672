import type { Queryable, Tx } from '#server/db/db.ts'
import { listFields as listOwnFields, type OwnFieldTables, writeValues as writeOwnValues } from '#server/own-fields.ts'

/** Where the company's own fields on contacts are stored. */
export const contactFieldTables: OwnFieldTables = {
  fields: 'contact_fields',
  values: 'contact_field_values',
  owner: 'contact_id',
}

/** The company's own fields on contacts in their order. */
export const listFields = (db: Queryable) => listOwnFields(db, contactFieldTables)

/** Gives a contact values as texts by the ids of fields; an empty one removes the value. */
export const writeFieldValues = (db: Tx, contactId: number, values: Readonly<Record<number, string>>): Promise<void> =>
  writeValues(
    db,
    Object.entries(values).map(([id, value]) => ({ contactId, id: Number(id), value })),
  )

/** Gives contacts values of fields; an empty one removes the value. */
export const writeValues = (
  db: Tx,
  values: readonly { readonly contactId: number; readonly id: number; readonly value: string }[],
): Promise<void> =>
  writeOwnValues(
    db,
    contactFieldTables,
    values.map(({ contactId, ...value }) => ({ ownerId: contactId, ...value })),
  )
