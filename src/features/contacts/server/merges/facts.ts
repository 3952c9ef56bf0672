import type { Facts } from '#domain/contacts/person.ts'
import type { StagePosition } from '#features/ledger/server/ports/index.ts'
import type { Member } from './queries.ts'

const TEXTS = {
  name: 'name',
  email: 'email',
  cpf: 'cpf',
  firstName: 'first_name',
  lastName: 'last_name',
  businessName: 'business_name',
  birthdayDate: 'birthday_date',
} as const
const SWITCHES = { blocked: 'blocked', chatbotBlocked: 'chatbot_blocked' } as const

const of = (facts: Facts, kind: string): string[] =>
  Object.keys(facts).filter((key) => key.startsWith(kind) && facts[key] !== '')

/** Converts a contact to facts by key, the form that `shownOf` combines. */
export function factsOf(row: Member): Facts {
  const all: Record<string, string> = {
    ...Object.fromEntries(Object.entries(TEXTS).map(([key, column]) => [key, row[column]])),
    ...Object.fromEntries(Object.entries(SWITCHES).map(([key, column]) => [key, String(row[column])])),
    number: row.number ?? '',
    picture: row.profile_pic_file ?? '',
    kanban: row.kanban === null ? '' : `${row.kanban} ${row.kanban_order}`,
    ...Object.fromEntries(row.extra_info.map((one) => [`extra:${one.name}`, JSON.stringify(one)])),
    ...Object.fromEntries(Object.entries(row.own_fields).map(([id, value]) => [`field:${id}`, value])),
    ...Object.fromEntries(row.tags.map((id) => [`tag:${id}`, 'true'])),
    ...Object.fromEntries(row.wallets.map((id) => [`wallet:${id}`, 'true'])),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** Converts facts to columns, custom fields, tags and wallets; number and stage are written separately. */
export function columnsOf(facts: Facts) {
  const ids = (kind: string) => of(facts, kind).map((key) => Number(key.slice(kind.length)))
  return {
    columns: {
      ...Object.fromEntries(Object.entries(TEXTS).map(([key, column]) => [column, facts[key] ?? ''])),
      ...Object.fromEntries(Object.entries(SWITCHES).map(([key, column]) => [column, facts[key] === 'true'])),
      profile_pic_file: facts['picture'] ?? null,
      extra_info: `[${of(facts, 'extra:')
        .map((key) => facts[key])
        .join()}]`,
    },
    fields: Object.fromEntries(ids('field:').map((id) => [id, facts[`field:${id}`] ?? ''])),
    tags: ids('tag:'),
    wallets: ids('wallet:'),
  }
}

/** Returns the board position in the facts. */
export function positionOf({ kanban }: Facts): StagePosition {
  if (!kanban) return { kanban: null, order: null }
  const [id, order] = kanban.split(' ')
  return { kanban: Number(id), order: order! }
}
