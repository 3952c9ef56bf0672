import type { ContactField } from '#domain/contacts/columns.ts'
import type { Encoding } from '#domain/contacts/letters.ts'
import type { ExtraEntry } from '#domain/contacts/person.ts'
import { foldText } from '#domain/flow/fold.ts'
import { entriesIn } from '#domain/keys.ts'
import { phoneKey } from '#domain/phone/brazil.ts'
import { OWN_FIELD } from '../../forms.ts'
import type { Known } from './queries-known.ts'
import type { Image, RowContent, RowKey } from './rows.ts'

/** Options of an import. */
export type ImportOptions = {
  readonly onDuplicate: 'update' | 'skip'
  readonly tags: readonly number[]
  readonly wallets: readonly number[]
  readonly addTags: boolean
  /** Text encoding of the file; defaults to the most likely one. */
  readonly encoding?: Encoding
  /** How the people of the list agreed to marketing; empty or missing: not declared. */
  readonly source?: string
  /** User whose visibility the import has (`OnlyFor`). */
  readonly onlyFor: number | null
}

/** Returns the key that identifies a line's contact. */
export function keyOf(content: RowContent): RowKey {
  for (const kind of ['number', 'email', 'cpf'] as const) {
    const value = content[kind]
    if (value !== undefined) return { kind, value }
  }
  return { kind: 'name', value: content.name ?? '' }
}

type Mark = readonly [kind: RowKey['kind'] | 'id', value: string]

/** Returns all keys under which a later line would match the same contact. */
function marksOf(content: RowContent): Mark[] {
  const { number, email, cpf, name } = content
  return [
    ...(number ? [['number', phoneKey(number)] as const] : []),
    ...(email ? [['email', email] as const] : []),
    ...(cpf ? [['cpf', cpf] as const] : []),
    ...(number || !name ? [] : [['name', fold(name)] as const]),
  ]
}

/** Returns the key of `marksOf` that detects a repeated line. */
function markOf(content: RowContent): Mark {
  const { kind, value } = keyOf(content)
  return [kind, kind === 'number' ? phoneKey(value) : kind === 'name' ? fold(value) : value]
}

/** Creates an index of the file's lines by their keys. */
export function createSeen() {
  // One map per kind: prefixed keys would take three times the memory.
  const seen: Record<Mark[0], Map<string, number>> = {
    number: new Map(),
    email: new Map(),
    cpf: new Map(),
    name: new Map(),
    id: new Map(),
  }
  const lineOf = ([kind, value]: Mark) => seen[kind].get(value)
  return {
    /** Returns the line that this one repeats. */
    repeatedBy: (content: RowContent) => lineOf(markOf(content)),
    /** Returns the line that matched the same contact. */
    ledTo: (contactId: number) => lineOf(['id', String(contactId)]),
    remember(line: number, content: RowContent, contactId: number | undefined) {
      const marks: Mark[] = [
        ...marksOf(content),
        ...(contactId === undefined ? [] : [['id', String(contactId)] as const]),
      ]
      for (const [kind, value] of marks) if (!seen[kind].has(value)) seen[kind].set(value, line)
    },
  }
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Column of each field that a line can change; the number identifies the contact and does not change. */
export const COLUMN_OF = {
  name: 'name',
  email: 'email',
  cpf: 'cpf',
  firstName: 'first_name',
  lastName: 'last_name',
  businessName: 'business_name',
  birthdayDate: 'birthday_date',
} as const satisfies Record<Exclude<ContactField, 'number'>, keyof Known>

/** Tag ids by folded name (`foldText`). */
export type TagIds = ReadonlyMap<string, number>

/** Returns the tag ids of a line; 0 for a tag that does not exist yet. */
export const tagIdsOf = ({ tags = [] }: RowContent, ids: TagIds): number[] =>
  setOf(tags.map((name) => ids.get(foldText(name)) ?? 0))

/** Returns the changes that a line makes to a contact, as images before and after; null if none. */
export function changeOf(
  known: Known,
  content: RowContent,
  options: ImportOptions,
  tagIds: TagIds,
): { before: Image; after: Image } | null {
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  const set = (column: string, was: unknown, becomes: unknown) => {
    if (JSON.stringify(was) === JSON.stringify(becomes)) return
    before[column] = was
    after[column] = becomes
  }
  for (const [field, column] of entriesIn(COLUMN_OF)) {
    const value = content[field]
    if (value !== undefined) set(column, known[column], value)
  }
  set('extra_info', known.extra_info, extraOf(known.extra_info, content.extra))
  for (const [column, value] of Object.entries(ownImage(content))) set(column, known.own[column] ?? '', value)
  const given = { tags: tagIdsOf(content, tagIds), wallets: [] }
  for (const list of ['tags', 'wallets'] as const) {
    const base = options[list].length > 0 && !options.addTags ? [] : known[list]
    const all = setOf([...base, ...options[list], ...given[list]])
    if (options[list].length + given[list].length > 0) set(list, known[list], all)
  }
  return Object.keys(after).length > 0 ? { before, after } : null
}

/** Returns the custom field values of a line as stored. */
export const ownImage = ({ own = {} }: RowContent): Record<string, string> =>
  Object.fromEntries(Object.entries(own).map(([id, value]) => [OWN_FIELD + id, String(value)]))

/** Merges a line's additional info into the known one; entries of the same name are replaced. */
export function extraOf(known: readonly ExtraEntry[], given: RowContent['extra']): readonly ExtraEntry[] {
  const replaced = known.map((one) => (one.name in given ? { ...one, value: given[one.name]! } : one))
  const names = new Set(known.map(({ name }) => name))
  const added = Object.entries(given).filter(([name]) => !names.has(name))
  return [...replaced, ...added.map(([name, value]) => ({ id: `import:${name}`, name, value }))]
}

const setOf = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
