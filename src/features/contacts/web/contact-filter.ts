import { entriesIn } from '#domain/keys.ts'
import { firstOf } from '#domain/present.ts'
import type { Choices } from '#web/choices.ts'
import { addressOfFields, askedFields, namesOfField } from '#web/fields/own-field-names.ts'
import type { Url } from '#web/url-state.ts'
import type { ContactView } from '../contract.ts'

type Filter = ContactView['filter']
type Fields = readonly Choices['contactFields'][]

const LISTS = {
  etiqueta: 'tag',
  carteira: 'wallet',
  etapa: 'kanban',
  aniversario: 'birthMonth',
  respondeu: 'answered',
  naorespondeu: 'unanswered',
} as const
const DAYS = { criado: 'created', conversa: 'lastTalk' } as const
const SWITCHES = { bloqueado: 'blocked', semchatbot: 'chatbotBlocked', grupo: 'isGroup', anuncio: 'fromAd' } as const

/** Returns the URL parameters that narrow the list, except the search. */
export const namesInAddress = (fields: Fields): string[] => [
  ...Object.keys(LISTS),
  ...Object.keys(SWITCHES),
  ...Object.keys(DAYS),
  'estado',
  ...fields.flatMap(namesOfField),
]

/** Parses ids of the URL. */
export const idsOf = (text: string | undefined): number[] =>
  (text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => id > 0)

/** Serialises ids for the URL; a single one as a number, because a text would get quotes. */
export const textOf = (ids: readonly number[]): number | string => (ids.length === 1 ? firstOf(ids) : ids.join(','))

/** Converts URL parameters to the filter of a request. */
export function filterOf(url: Url, fields: Fields): Filter {
  const lists = Object.entries(LISTS).flatMap(([name, key]) => {
    const ids = idsOf(url[name])
    return ids.length > 0 ? [[key, ids]] : []
  })
  const switches = Object.entries(SWITCHES).flatMap(([name, key]) => (url[name] ? [[key, url[name] === 'true']] : []))
  const days = Object.entries(DAYS).flatMap(([name, key]) => (url[name] ? [[key, url[name]]] : []))
  const states = url['estado'] ? { state: url['estado'].split(',') } : {}
  const own = askedFields(url, fields)
  return {
    ...Object.fromEntries([...lists, ...switches, ...days]),
    ...states,
    ...(own.length > 0 ? { field: own } : {}),
  }
}

/** Converts a filter to URL parameters; unused ones are undefined. */
export function addressOf(filter: Filter, fields: Fields): Record<string, string | number | undefined> {
  const address: Record<string, string | number | undefined> = Object.fromEntries(
    namesInAddress(fields).map((name) => [name, undefined]),
  )
  for (const [name, key] of Object.entries(LISTS)) address[name] = textOf(filter[key] ?? []) || undefined
  for (const [name, key] of Object.entries(SWITCHES)) if (filter[key] !== undefined) address[name] = String(filter[key])
  for (const [name, key] of entriesIn(DAYS)) address[name] = filter[key]
  address['estado'] = filter.state?.join(',') || undefined
  return { ...address, ...addressOfFields(filter.field ?? [], fields) }
}
