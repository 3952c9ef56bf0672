import type { ContactField } from '#domain/contacts/columns.ts'
import type { Encoding } from '#domain/contacts/letters.ts'
import { foldText } from '#domain/flow/fold.ts'
import { entriesIn, fieldIn } from '#domain/keys.ts'
import { phoneKey } from '#domain/phone/brazil.ts'
import { OWN_FIELD } from '../../forms.ts'
import type { Known } from './queries-known.ts'
import type { Image, RowContent, RowKey } from './rows.ts'

/** What an import does to those who are there already. */
export type ImportOptions = {
  readonly onDuplicate: 'update' | 'skip'
  readonly tags: readonly number[]
  readonly wallets: readonly number[]
  readonly addTags: boolean
  /** How the letters of the file are read; missing: as they are likeliest. */
  readonly encoding?: Encoding
  /** How people of the list agreed to get marketing; empty or missing: not declared. */
  readonly source?: string
  /** Whose view it has (`OnlyFor`). */
  readonly onlyFor: number | null
}

/** The key by which a line's contact is looked for. */
export function keyOf(content: RowContent): RowKey {
  for (const kind of ['number', 'email', 'cpf'] as const) {
    const value = content[kind]
    if (value !== undefined) return { kind, value }
  }
  return { kind: 'name', value: content.name ?? '' }
}

type Mark = readonly [kind: RowKey['kind'] | 'id', value: string]

/** Everything by which a later line would lead to the same contact. */
function marksOf(content: RowContent): Mark[] {
  const { number, email, cpf, name } = content
  return [
    ...(number ? [['number', phoneKey(number)] as const] : []),
    ...(email ? [['email', email] as const] : []),
    ...(cpf ? [['cpf', cpf] as const] : []),
    ...(number || !name ? [] : [['name', fold(name)] as const]),
  ]
}

/** The one of `marksOf` that says that a line repeats an earlier one. */
function markOf(content: RowContent): Mark {
  const { kind, value } = keyOf(content)
  return [kind, kind === 'number' ? phoneKey(value) : kind === 'name' ? fold(value) : value]
}

/** Remembers in which line of a file who was named first. */
export function createSeen() {
  // A map for each kind: a hundred thousand keys that say it themselves would take three times the memory.
  const seen: Record<Mark[0], Map<string, number>> = {
    number: new Map(),
    email: new Map(),
    cpf: new Map(),
    name: new Map(),
    id: new Map(),
  }
  const lineOf = ([kind, value]: Mark) => seen[kind].get(value)
  return {
    /** The line that this one repeats. */
    repeatedBy: (content: RowContent) => lineOf(markOf(content)),
    /** The line that led to the same contact. */
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

/** The column of each field that a line can change; a number is what its contact is found by. */
export const COLUMN_OF: Readonly<Record<Exclude<ContactField, 'number'>, string>> = {
  name: 'name',
  email: 'email',
  cpf: 'cpf',
  firstName: 'first_name',
  lastName: 'last_name',
  businessName: 'business_name',
  birthdayDate: 'birthday_date',
}

type Extra = { readonly id: string | number; readonly name: string; readonly value: string }

/** Ids of tags by their names as `foldText` writes them. */
export type TagIds = ReadonlyMap<string, number>

/** The tags of a line, by id; one that does not exist yet is 0. */
export const tagIdsOf = ({ tags = [] }: RowContent, ids: TagIds): number[] =>
  setOf(tags.map((name) => ids.get(foldText(name)) ?? 0))

/** What of a contact a line changes, in the same form: what it was, and what it becomes; null where nothing is another. */
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
    if (value !== undefined) set(column, fieldIn(known, column), value)
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

/** What a line says of the company's own fields, as it is stored. */
export const ownImage = ({ own = {} }: RowContent): Record<string, string> =>
  Object.fromEntries(Object.entries(own).map(([id, value]) => [OWN_FIELD + id, String(value)]))

/** Further fields with those of a line: one that is called the same is replaced. */
export function extraOf(known: readonly Extra[], given: RowContent['extra']): readonly Extra[] {
  const replaced = known.map((one) => (one.name in given ? { ...one, value: given[one.name]! } : one))
  const names = new Set(known.map(({ name }) => name))
  const added = Object.entries(given).filter(([name]) => !names.has(name))
  return [...replaced, ...added.map(([name, value]) => ({ id: `import:${name}`, name, value }))]
}

const setOf = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
