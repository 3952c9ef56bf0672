import { type RawBuilder, sql } from 'kysely'
import { CONTACT_FIELD, type TemplateValues } from '#domain/messages/template.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import type { Queryable } from './db/db.ts'

type Row = {
  readonly name: string
  readonly contactId: number | null
  readonly type: 'constant' | 'text' | 'choice' | 'number' | 'date' | 'boolean'
  readonly value: string | null
}

/** Formats a stored value for a customer. */
function shown({ type, value }: Row): string {
  if (value === null) return ''
  if (type === 'boolean' || type === 'date' || type === 'number') {
    const typed = type === 'boolean' ? value === 'true' : type === 'number' ? Number(value) : value
    return kindOf({ kind: type }).toText(typed, { kind: type, label: '' }, { zone: 'UTC' })
  }
  return value
}

async function read(db: Queryable, isContact: RawBuilder<unknown>): Promise<(contactId: number) => TemplateValues> {
  const { rows } = await sql<Row>`
    select name, null::bigint as "contactId", 'constant' as type, value from template_constants where tenant_id = app.tenant()
    union all
    select ${CONTACT_FIELD} || f.variable, v.contact_id, f.type, v.value from contact_fields f
      left join contact_field_values v on v.tenant_id = f.tenant_id and v.field_id = f.id and v.contact_id ${isContact}
      where f.tenant_id = app.tenant()`.execute(db)
  const constants = rows.filter(({ type }) => type === 'constant').map((row) => [row.name, shown(row)])
  const empty = rows.filter(({ type }) => type !== 'constant').map(({ name }) => [name, ''])
  const byContact = Map.groupBy(rows, ({ contactId }) => contactId)
  return (contactId) => {
    const filled = (byContact.get(contactId) ?? []).map((row) => [row.name, shown(row)])
    return Object.fromEntries([...empty, ...constants, ...filled])
  }
}

/** Returns the values of a company's variables (its constants, its custom fields on contacts), for each of some contacts. */
export const ownVariablesOf = (db: Queryable, contactIds: readonly number[]) =>
  read(db, sql`= any(${[...contactIds]}::bigint[])`)

/** Returns the values of a company's variables for the contacts of some tickets. */
export const ownVariablesIn = async (db: Queryable, ticketIds: readonly number[]) =>
  read(
    db,
    sql`= any(array(select contact_id from tickets where tenant_id = app.tenant() and id = any(${[...ticketIds]}::bigint[])))`,
  )
