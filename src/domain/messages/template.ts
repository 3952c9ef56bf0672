import { localTime } from '../calendar/local-time.ts'
import { itemAt } from '../present.ts'
import { protocolOf } from '../tickets/protocol.ts'

/** The variables that every text may use, with what the picker says about them. */
export const TEMPLATE_VARIABLES = {
  name: 'Nome do contato',
  firstName: 'Primeiro nome do contato',
  lastName: 'Sobrenome do contato',
  businessName: 'Empresa do contato',
  email: 'E-mail do contato',
  phoneNumber: 'Telefone do contato',
  kanban: 'Etapa do kanban',
  user: 'Nome do atendente',
  userEmail: 'E-mail do atendente',
  greeting: 'Bom dia, boa tarde ou boa noite',
  protocol: 'Protocolo do atendimento',
} as const

/** Values by variable name; flows add variables of their own. */
export type TemplateValues = Readonly<Record<string, string>>

/** Prefix of variables for a company's own contact fields. */
export const CONTACT_FIELD = 'campo.'

/** The values as who may not read what is known of contacts uses them. */
export const withoutContacts = (values: TemplateValues): TemplateValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, name.startsWith(CONTACT_FIELD) ? '' : value]))

/** Whom and what a text speaks of; missing parts give empty values. */
export type TemplateSubject = {
  readonly contact?: {
    readonly name: string
    readonly firstName?: string | null
    readonly lastName?: string | null
    readonly businessName?: string | null
    readonly email?: string | null
    readonly phoneNumber?: string | null
    readonly kanban?: string | null
  }
  readonly user?: { readonly name: string; readonly email: string }
  readonly ticket?: { readonly id: number; readonly createdAt: number }
  /** The company's own variables; the standard ones win. */
  readonly own?: TemplateValues
  /** Now in epoch milliseconds, and how far the tenant's zone is ahead of UTC. */
  readonly now: number
  readonly offsetMinutes: number
}

/** "bom dia" from 5, "boa tarde" from 12, "boa noite" from 18 to 5 on the given zone's clock. */
export function greeting(now: number, offsetMinutes: number): string {
  const { hour } = localTime(now, offsetMinutes)
  if (hour >= 5 && hour < 12) return 'bom dia'
  return hour >= 12 && hour < 18 ? 'boa tarde' : 'boa noite'
}

/** The values of all standard variables; first and last name fall back to the parts of the full name. */
export function templateValues({ contact, user, ticket, own, now, offsetMinutes }: TemplateSubject): TemplateValues {
  const [first = '', ...rest] = (contact?.name ?? '').trim().split(/\s+/)
  const standard: Record<keyof typeof TEMPLATE_VARIABLES, string> = {
    name: contact?.name ?? '',
    firstName: contact?.firstName || first,
    lastName: contact?.lastName || rest.join(' '),
    businessName: contact?.businessName ?? '',
    email: contact?.email ?? '',
    phoneNumber: contact?.phoneNumber ?? '',
    kanban: contact?.kanban ?? '',
    user: user?.name ?? '',
    userEmail: user?.email ?? '',
    greeting: greeting(now, offsetMinutes),
    protocol: ticket ? protocolOf(ticket.id, ticket.createdAt, offsetMinutes) : '',
  }
  return { ...own, ...standard }
}

// `{{name}}`, `{{order.total}}`, `{{endereço|none}}`: a name, and the fallback without a value.
const VARIABLE = /\{\{\s*([^\s{}|.:]+(?:\.[^\s{}|.:]+)*)\s*(?:\|([^{}]*))?\}\}/g

/**
 * The text with `{{variables}}` replaced once, by what follows `|` where they are empty or unknown; an unknown name without
 * that stays as written, a greeting begins a sentence in upper case.
 */
export function renderTemplate(text: string, values: TemplateValues): string {
  return text.replace(VARIABLE, (written, name: string, otherwise: string | undefined, index: number) => {
    const value = (Object.hasOwn(values, name) ? values[name] : undefined) || otherwise?.trim()
    if (value === undefined) return Object.hasOwn(values, name) ? '' : written
    if (name !== 'greeting') return value
    return startsSentence(text, index) ? value.charAt(0).toUpperCase() + value.slice(1) : value
  })
}

/** Whether a sentence begins at a position, spaces and marks aside; looks back to the previous character that counts. */
function startsSentence(text: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && text[before] !== '\n' && /[\s*_~]/.test(itemAt(text, before))) before -= 1
  return before < 0 || /[.!?\n]/.test(itemAt(text, before))
}

/** A text in which names were withheld, without the spaces that they leave before a comma or the end of a sentence. */
export const withoutGaps = (text: string): string => text.replace(/ +([,.!?])?/g, (gap, mark?: string) => mark ?? gap)

/** The names in braces, each once. */
export const namesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(VARIABLE), ([, name = '']) => name)),
]

/** Returns the names in braces without a fallback. */
const variablesIn = (text: string): string[] =>
  Array.from(text.matchAll(VARIABLE), ([, name = '', otherwise]) => (otherwise === undefined ? name : '')).filter(
    (name) => name !== '',
  )

/** Returns known names in braces without value and fallback, each once. */
export const emptyVariables = (text: string, values: TemplateValues): string[] =>
  [...new Set(variablesIn(text))].filter((name) => Object.hasOwn(values, name) && !values[name]?.trim())

/** The names in braces that have no value: typing errors, or what the place does not offer (`order.`: all of `order`). */
export function unknownVariables(text: string, known: Iterable<string>): string[] {
  const offered = new Set(known)
  const isKnown = (name: string) => offered.has(name) || offered.has(name.slice(0, name.indexOf('.') + 1))
  return [...new Set(variablesIn(text))].filter((name) => !isKnown(name))
}
