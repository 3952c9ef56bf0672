import { fail } from '#kit/errors.ts'
import { kindOf, schemaOf } from '#kit/fields/kinds.ts'
import type { Ctx } from '#server/context.ts'
import { countLocked } from '#server/db/caps.ts'
import { mountResource } from '#server/resource.ts'
import { contactFields } from '../contact-fields.ts'
import { fieldOf, OWN_FIELD, optionsOf } from '../forms.ts'
import { type FieldFilter, type FieldRecord, fieldIsUsed, listFields } from './queries-fields.ts'

/** So many fields of its own a company has on contacts. */
const MOST_FIELDS = 50

/** The operations on the company's own fields. */
export const fieldRoutes = mountResource(contactFields, {
  async beforeWrite(ctx, write) {
    if (write.action === 'delete') return
    if (write.action === 'create' && (await countLocked(ctx.db, 'contact_fields')) >= MOST_FIELDS)
      fail('ERR_MAX_CONTACT_FIELDS')
    const all = await listFields(ctx.db)
    const before = write.action === 'update' ? all.find(({ id }) => id === write.id) : undefined
    const { type = 'text', options = '' } = { ...before, ...write.values } as Partial<FieldRecord>
    if (type === 'choice' && optionsOf(options).length === 0)
      fail('ERR_VALIDATION', { options: 'Escreva as opções, uma por linha.' })
    if (type === 'choice' && options.includes(','))
      fail('ERR_VALIDATION', { options: 'Escreva uma opção por linha, sem vírgulas.' })
    if (before && before.type !== type && (await fieldIsUsed(ctx.db, before.id)))
      fail('ERR_VALIDATION', { type: 'Há contatos com este campo preenchido: o tipo fica como está.' })
  },
})

type Given = {
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  readonly extraInfo?: readonly { readonly id?: string | number | undefined; readonly value: string }[] | undefined
}

/**
 * The values that a form gives to fields of the company's own, as they are stored, by the fields' ids; those that it names as
 * entries of `extraInfo` too. A new contact's form that has such fields has all that are required. 400 at `fields.N`.
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
  const known = new Map((await listFields(ctx.db)).map((one) => [String(one.id), one]))
  const zone = { zone: ctx.settings.timezone }
  const asText = written.map(([id, value]) => {
    const field = known.get(id)
    return [id, field ? kindOf(fieldOf(field)).fromText(value, fieldOf(field), zone) : value] as const
  })
  const given: Record<string, unknown> = { ...Object.fromEntries(asText), ...fields }
  const missing = isNew && fields ? [...known].filter(([id, one]) => one.required && !(id in given)) : []
  for (const [id] of missing) given[id] = null
  return Object.fromEntries(Object.entries(given).map(([id, value]) => [Number(id), stored(known.get(id), id, value)]))
}

function stored(field: FieldRecord | undefined, id: string, value: unknown): string {
  const refuse = (sentence: string) => fail('ERR_VALIDATION', { [`fields.${id}`]: sentence })
  if (!field) return refuse('Este campo não existe mais.')
  const isEmpty = value === null || (typeof value === 'string' && value.trim() === '')
  if (isEmpty) return field.required ? refuse(`${field.name}: preencha este campo.`) : ''
  const { data, error } = schemaOf(fieldOf(field)).safeParse(value)
  return error ? refuse(`${field.name}: ${error.issues[0]?.message}`) : String(data)
}

/** What is asked of fields (`12:value`, `12:from..to`): one filter for each field, null where the field is gone. */
export function fieldFilters(fields: readonly FieldRecord[], asked: readonly string[]): (FieldFilter | null)[] {
  const byId = Map.groupBy(asked, (one) => one.slice(0, one.indexOf(':')))
  return [...byId].flatMap(([key, all]): (FieldFilter | null)[] => {
    const id = Number(key)
    const field = fields.find((one) => one.id === id)
    if (!field) return [null]
    const values = all.map((one) => one.slice(one.indexOf(':') + 1))
    if (field.type === 'text') return values.map((begins) => ({ id, begins }))
    if (field.type === 'choice' || field.type === 'boolean') return [{ id, oneOf: values }]
    return values.map((range) => rangeOf(field, range))
  })
}

function rangeOf(field: FieldRecord, range: string): FieldFilter {
  const [from, to] = range.split('..')
  const isNumber = field.type === 'number'
  const end = (text: string | undefined) => {
    if (!text) return undefined
    const value = isNumber ? Number(text) : text
    const { success } = schemaOf({ ...fieldOf(field), required: true }).safeParse(value)
    return success ? text : fail('ERR_VALIDATION', { field: `${field.name}: escreva de..até.` })
  }
  return { id: field.id, from: end(from), to: end(to), isNumber }
}
