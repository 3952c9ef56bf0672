import type { Queryable, Tx } from '#server/db/db.ts'
import { listFields as listOwnFields, type OwnFieldTables, writeValues as writeOwnValues } from '#server/own-fields.ts'

/** Tables of custom contact fields. */
export const contactFieldTables: OwnFieldTables = {
  fields: 'contact_fields',
  values: 'contact_field_values',
  owner: 'contact_id',
}

/** Returns the custom contact fields in their order. */
export const listFields = (db: Queryable) => listOwnFields(db, contactFieldTables)

/** Writes custom field values of a contact as texts by field id; an empty one deletes the value. */
export const writeFieldValues = (db: Tx, contactId: number, values: Readonly<Record<number, string>>): Promise<void> =>
  writeValues(
    db,
    Object.entries(values).map(([id, value]) => ({ contactId, id: Number(id), value })),
  )

/** Writes custom field values of contacts; an empty one deletes the value. */
export const writeValues = (
  db: Tx,
  values: readonly { readonly contactId: number; readonly id: number; readonly value: string }[],
): Promise<void> =>
  writeOwnValues(
    db,
    contactFieldTables,
    values.map(({ contactId, ...value }) => ({ ownerId: contactId, ...value })),
  )
