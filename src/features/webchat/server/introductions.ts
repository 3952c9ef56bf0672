import { isCpf } from '#domain/documents/documents.ts'
import { fail } from '#kit/errors.ts'
import type { VisitAnswers, WebchatConfig } from '../contract.ts'
import { VISIT_FIELDS, type VisitField } from '../forms.ts'
import type { findVisitor, Introduction } from './queries.ts'

type Visitor = NonNullable<Awaited<ReturnType<typeof findVisitor>>>

const EMPTY: VisitAnswers = { name: '', email: '', phone: '', cpf: '', isAgreed: false }

const MISSING: Readonly<Record<VisitField, string>> = {
  name: 'Informe seu nome.',
  email: 'Informe seu e-mail.',
  phone: 'Informe seu telefone.',
  cpf: 'Informe seu CPF.',
}

/** Validates a visitor's form; null if the channel has none. Throws an error by field for missing or invalid values. */
export function introductionOf(
  { form, absent }: Pick<WebchatConfig, 'form' | 'absent'>,
  given: VisitAnswers = EMPTY,
): Introduction | null {
  if (!form && absent === null) return null
  const { isAgreed, ...answers } = given
  const consent = form?.consent ?? ''
  // A visitor who leaves a message can be answered by mail only.
  const isRequired = (field: VisitField) => form?.[field] === 'required' || (absent !== null && field === 'email')
  const missing = VISIT_FIELDS.filter((field) => isRequired(field) && answers[field] === '')
  const isPhone = answers.phone === '' || /^\d{10,15}$/.test(answers.phone.replace(/\D/g, ''))
  const problems = {
    ...Object.fromEntries(missing.map((field) => [`form.${field}`, MISSING[field]])),
    ...(isPhone ? {} : { 'form.phone': 'Informe o telefone com DDD.' }),
    ...(answers.cpf === '' || isCpf(answers.cpf) ? {} : { 'form.cpf': 'Este CPF não existe. Confira os números.' }),
    ...(consent === '' || isAgreed ? {} : { 'form.isAgreed': 'Marque para continuar.' }),
  }
  if (Object.keys(problems).length > 0) fail('ERR_VALIDATION', problems)
  return { answers, consent }
}

/** Whether a visitor filled in anything. */
export const hasIntroduced = ({ form, consent }: Visitor): boolean =>
  consent !== '' || Object.values(form).some((value) => value !== '')

/**
 * Returns a visitor's phone and CPF as extra contact fields, since a phone number that no channel confirmed is not an
 * address.
 */
export const detailsOf = ({ phone = '', cpf = '' }: Partial<Record<VisitField, string>>): Record<string, string> => ({
  ...(phone ? { Telefone: phone } : {}),
  ...(cpf ? { CPF: cpf } : {}),
})

/** Returns the consent text and its time as an extra contact field. */
export function agreedTo({ consent, consentedAt }: Visitor, timeZone: string): Record<string, string> {
  const at = consentedAt?.toLocaleString('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return consent && at ? { Consentimento: `${at}: ${consent}`.slice(0, 500) } : {}
}
