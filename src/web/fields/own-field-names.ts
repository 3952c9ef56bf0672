import { firstOf } from '#domain/present.ts'
import type { OwnField } from '#kit/own-fields.ts'
import { rangeOf } from '#kit/range.ts'
import type { Url } from '../url-state.ts'

const isRange = ({ type }: OwnField): boolean => type === 'number' || type === 'date'

/** Returns the name of a custom field in the address. */
export const nameOfField = ({ id }: Pick<OwnField, 'id'>): string => `campo${id}`

/** Returns the names in the address of the filter by a custom field. */
export const namesOfField = (field: OwnField): readonly string[] =>
  isRange(field) ? rangeOf(nameOfField(field)) : [nameOfField(field)]

/** Returns the custom-field filters of the address in the server's form (`12:value`, `12:from..to`). */
export const askedFields = (url: Url, fields: readonly OwnField[]): string[] =>
  fields.flatMap((field) => askedOf(url, field).map((asked) => `${field.id}:${asked}`))

function askedOf(url: Url, field: OwnField): string[] {
  const [first = '', second] = namesOfField(field).map((one) => url[one])
  if (field.type === 'text') return first ? [first] : []
  if (isRange(field)) return first || second ? [`${first}..${second ?? ''}`] : []
  return first ? first.split(',') : []
}

/** Returns custom-field filters in the address's form. */
export function addressOfFields(asked: readonly string[], fields: readonly OwnField[]): Record<string, string> {
  const address: Record<string, string> = {}
  for (const field of fields) {
    const values = asked.filter((one) => one.startsWith(`${field.id}:`)).map((one) => one.slice(one.indexOf(':') + 1))
    const [first = '', second] = namesOfField(field)
    if (values.length === 0) continue
    if (field.type === 'text') address[first] = firstOf(values)
    else if (second) {
      const [from, to] = firstOf(values).split('..')
      if (from) address[first] = from
      if (to) address[second] = to
    } else address[first] = values.join(',')
  }
  return address
}
