import type { ContactField } from '#domain/contacts/columns.ts'
import type { ExtraEntry } from '#domain/contacts/person.ts'
import { entriesIn } from '#domain/keys.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { required } from '#kit/errors.ts'
import type { ReadCtx } from '#server/context.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import { OWN_FIELD } from '../../forms.ts'
import type { contactImports } from '../../imports-contract.ts'
import { namesOf } from '../queries-changes.ts'
import { COLUMN_OF } from './decide.ts'
import { findImport, listChanged } from './queries.ts'
import type { Image } from './rows.ts'

type Entry = { readonly field: string; readonly key: string; readonly before: string; readonly after: string }

const FIELD_OF = new Map<string, ContactField>(entriesIn(COLUMN_OF).map(([field, column]) => [column, field]))
const SETS = { tags: 'tag', wallets: 'wallet' } as const

/** Returns a page of the contacts that an import changed, by id, with each field before and after. */
export async function changedBy(
  { db }: ReadCtx,
  id: string,
  query: Input<typeof contactImports.changes>['query'],
): Promise<Returned<typeof contactImports.changes>> {
  const { after, offset, limit } = exactPageStartOf<[number]>(query, 1)
  required(await findImport(db, id), 'ERR_NO_IMPORT_FOUND')
  const found = await listChanged(db, id, { after: after?.[0] ?? 0, offset, limit })
  const { rows, paging } = pageOf(found, (row) => [row.contact_id])
  const entries = rows.map((row) => entriesOf(row.before, row.after))
  const keys = (field: string) => entries.flat().flatMap((one) => (one.field === field ? [Number(one.key)] : []))
  const names = await namesOf(db, { tags: keys('tag'), users: keys('wallet'), fields: keys('field'), stages: [] })
  const nameOf = ({ field, key }: Entry): string | null =>
    field === 'extra'
      ? key
      : ({ tag: names.tags, wallet: names.users, field: names.fields }[field]?.get(Number(key)) ?? null)
  return {
    contacts: rows.map(({ contact_id, name }, at) => ({
      id: contact_id,
      name,
      changes: entries[at]!.map((one) => ({
        ...{ field: one.field, name: nameOf(one), before: one.before, after: one.after },
      })),
    })),
    ...paging,
  }
}

/** Returns the changes of a contact, one entry per field, additional info, tag and wallet. */
function entriesOf(before: Image, after: Image): Entry[] {
  return Object.keys(after).flatMap((column): Entry[] => {
    const [was, is] = [before[column], after[column]]
    if (column === 'tags' || column === 'wallets') return setEntries(SETS[column], listOf(was), listOf(is))
    if (column === 'extra_info') return extraEntries(listOf(was), listOf(is))
    const isOwn = column.startsWith(OWN_FIELD)
    const field = isOwn ? 'field' : (FIELD_OF.get(column) ?? column)
    return [{ field, key: isOwn ? column.slice(OWN_FIELD.length) : '', before: textOf(was), after: textOf(is) }]
  })
}

const listOf = <T>(value: unknown): T[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

const setEntries = (field: string, was: readonly number[], is: readonly number[]): Entry[] => [
  ...was.filter((id) => !is.includes(id)).map((id) => ({ field, key: String(id), before: 'true', after: '' })),
  ...is.filter((id) => !was.includes(id)).map((id) => ({ field, key: String(id), before: '', after: 'true' })),
]

type Extra = Pick<ExtraEntry, 'name' | 'value'>
function extraEntries(was: readonly Extra[], is: readonly Extra[]): Entry[] {
  const values = new Map(was.map(({ name, value }) => [name, value]))
  return is.flatMap(({ name, value }) =>
    values.get(name) === value ? [] : [{ field: 'extra', key: name, before: values.get(name) ?? '', after: value }],
  )
}
