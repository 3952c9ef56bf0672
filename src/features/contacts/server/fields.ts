import { kindOf } from '#kit/fields/kinds.ts'
import { fieldOf } from '#kit/own-fields.ts'
import type { Ctx } from '#server/context.ts'
import { checkedValues, checkField } from '#server/own-fields.ts'
import { mountResource } from '#server/resource.ts'
import { contactFields } from '../contact-fields.ts'
import { OWN_FIELD } from '../forms.ts'
import { contactFieldTables, listFields } from './queries-fields.ts'

/** Route handlers of custom contact fields. */
export const fieldRoutes = mountResource(contactFields, {
  beforeWrite: (ctx, write) =>
    checkField(ctx, write, {
      tables: contactFieldTables,
      tooMany: 'ERR_MAX_CONTACT_FIELDS',
      typeInUse: 'Há contatos com este campo preenchido: o tipo fica como está.',
    }),
})

type Given = {
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  readonly extraInfo?: readonly { readonly id?: string | number | undefined; readonly value: string }[] | undefined
}

/**
 * Returns the form's values of custom fields as stored, by field id, including entries of `extraInfo` that name a field. A
 * new contact's form with custom fields needs all required ones. Throws 400 at `fields.N`.
 */
export async function valuesToStore(
  ctx: Pick<Ctx, 'db' | 'settings'>,
  { fields, extraInfo = [] }: Given,
  isNew: boolean,
): Promise<Record<number, string>> {
  const written = extraInfo.flatMap(({ id, value }) =>
    typeof id === 'string' && id.startsWith(OWN_FIELD) ? [[id.slice(OWN_FIELD.length), value] as const] : [],
  )
  if (fields === undefined && written.length === 0) return {}
  const known = await listFields(ctx.db)
  const zone = { zone: ctx.settings.timezone }
  const asText = written.map(([id, value]) => {
    const field = known.find((one) => String(one.id) === id)
    return [id, field ? kindOf(fieldOf(field)).fromText(value, fieldOf(field), zone) : value] as const
  })
  return checkedValues(known, { ...Object.fromEntries(asText), ...fields }, isNew && fields !== undefined)
}
