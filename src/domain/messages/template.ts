import { localTime } from '../calendar/local-time.ts'
import { itemAt } from '../present.ts'
import { protocolOf } from '../tickets/protocol.ts'

/** Variables available in every text, with the picker's descriptions. */
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

/** Values by variable name; flows add their own variables. */
export type TemplateValues = Readonly<Record<string, string>>

/** Prefix of variables for custom contact fields. */
export const CONTACT_FIELD = 'campo.'

/** Empties the custom contact field values, for users who may not read contact data. */
export const withoutContacts = (values: TemplateValues): TemplateValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, name.startsWith(CONTACT_FIELD) ? '' : value]))

/** Data that a text's variables refer to; missing parts give empty values. */
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
  /** Company's own variables; standard ones take precedence. */
  readonly own?: TemplateValues
  /** Present time in epoch ms, and the offset of the tenant's zone from UTC. */
  readonly now: number
  readonly offsetMinutes: number
}

/** Returns "bom dia" from 5:00, "boa tarde" from 12:00, "boa noite" from 18:00 to 5:00, by the zone's local time. */
export function greeting(now: number, offsetMinutes: number): string {
  const { hour } = localTime(now, offsetMinutes)
  if (hour >= 5 && hour < 12) return 'bom dia'
  return hour >= 12 && hour < 18 ? 'boa tarde' : 'boa noite'
}

/** Returns the values of all standard variables; first and last name default to the parts of the full name. */
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
 * Replaces `{{variables}}` in a text, once; empty or unknown ones by their default after `|`. Unknown names without default
 * remain as written; a greeting that begins a sentence is capitalized.
 */
export function renderTemplate(text: string, values: TemplateValues): string {
  return text.replace(VARIABLE, (written, name: string, otherwise: string | undefined, index: number) => {
    const value = (Object.hasOwn(values, name) ? values[name] : undefined) || otherwise?.trim()
    if (value === undefined) return Object.hasOwn(values, name) ? '' : written
    if (name !== 'greeting') return value
    return startsSentence(text, index) ? value.charAt(0).toUpperCase() + value.slice(1) : value
  })
}

/** Whether a sentence begins at a position, ignoring spaces and marks; searches backwards for the previous relevant character. */
function startsSentence(text: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && text[before] !== '\n' && /[\s*_~]/.test(itemAt(text, before))) before -= 1
  return before < 0 || /[.!?\n]/.test(itemAt(text, before))
}

/** Removes the spaces that withheld names leave before a comma or the end of a sentence. */
export const withoutGaps = (text: string): string => text.replace(/ +([,.!?])?/g, (gap, mark?: string) => mark ?? gap)

/** Returns the variable names in a text, each once. */
export const namesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(VARIABLE), ([, name = '']) => name)),
]

/** Returns the variable names without a default in a text. */
const variablesIn = (text: string): string[] =>
  Array.from(text.matchAll(VARIABLE), ([, name = '', otherwise]) => (otherwise === undefined ? name : '')).filter(
    (name) => name !== '',
  )

/** Returns the known variables of a text without value and default, each once. */
export const emptyVariables = (text: string, values: TemplateValues): string[] =>
  [...new Set(variablesIn(text))].filter((name) => Object.hasOwn(values, name) && !values[name]?.trim())

/**
 * Returns the variable names in a text that are not in `known`: typing errors, or unavailable here (`order.` covers all of
 * `order`).
 */
export function unknownVariables(text: string, known: Iterable<string>): string[] {
  const offered = new Set(known)
  const isKnown = (name: string) => offered.has(name) || offered.has(name.slice(0, name.indexOf('.') + 1))
  return [...new Set(variablesIn(text))].filter((name) => !isKnown(name))
}
