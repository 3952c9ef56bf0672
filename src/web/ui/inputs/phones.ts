import metadata from 'libphonenumber-js/min/metadata'
import { type PhoneProblem, parsePhone, phoneProblem } from '#domain/phone/phone.ts'
import {
  formatTyped,
  movedTo,
  type PhoneCountry,
  phoneCountries,
  typedCountry,
  typedNumber,
} from '#domain/phone/typing.ts'
import { t } from '../../t.ts'

/** A country with the name that people look for. */
export type NamedCountry = PhoneCountry & { readonly name: string }

const names = new Intl.DisplayNames('pt-BR', { type: 'region' })

/** Every country by its Portuguese name. */
export const countries: readonly NamedCountry[] = phoneCountries(metadata)
  .map((one) => ({ ...one, name: names.of(one.country) ?? one.country }))
  .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))

/** A number that is being written as people read it. */
export const shownPhone = (number: string): string => formatTyped(number, metadata)

/** The country of a number that is being written: what its digits tell, else the likely one. */
export const countryOf = (number: string, likely: string): string => typedCountry(number, metadata, likely) ?? likely

/** The international number in what is being written; without a plus sign it is taken as one of the likely country. */
export const readPhone = (text: string, likely: string): string =>
  typedNumber(text, countries.find(({ country }) => country === likely)?.code ?? '55')

/** The same digits in another country. */
export const inCountry = (number: string, code: string): string => movedTo(number, code, metadata)

/** The E.164 number, a Brazilian mobile with its ninth digit; a mere code is nothing, what is no number stays as it was. */
export const wholePhone = (number: string): string =>
  countries.some(({ code }) => number === `+${code}`) ? '' : (parsePhone(number, metadata)?.e164 ?? number)

const sentences: Record<PhoneProblem, string> = {
  characters: t('Use só o sinal + e dígitos.'),
  country: t('Nenhum país tem este código. Escolha o país ao lado do número.'),
  short: t('Faltam dígitos neste número.'),
  long: t('Há dígitos demais neste número.'),
  line: t('Este número não existe neste país. Confira o DDD e os dígitos.'),
}

/** Validates an international number: true, or a sentence on what is wrong. */
export function phoneVerdict(number: string): true | string {
  const problem = phoneProblem(number, metadata)
  return problem === null || sentences[problem]
}
