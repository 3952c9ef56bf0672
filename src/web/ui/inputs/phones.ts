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

/** Country with its Portuguese name. */
export type NamedCountry = PhoneCountry & { readonly name: string }

const names = new Intl.DisplayNames('pt-BR', { type: 'region' })

/** Every country by its Portuguese name. */
export const countries: readonly NamedCountry[] = phoneCountries(metadata)
  .map((one) => ({ ...one, name: names.of(one.country) ?? one.country }))
  .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))

/** Formats an unfinished number for display. */
export const shownPhone = (number: string): string => formatTyped(number, metadata)

/** Returns the country of an unfinished number: by its digits, else the likely one. */
export const countryOf = (number: string, likely: string): string => typedCountry(number, metadata, likely) ?? likely

/** Converts an unfinished text to an international number; without a plus sign it belongs to the likely country. */
export const readPhone = (text: string, likely: string): string =>
  typedNumber(text, countries.find(({ country }) => country === likely)?.code ?? '55')

/** Moves the same digits to another country. */
export const inCountry = (number: string, code: string): string => movedTo(number, code, metadata)

/**
 * Returns the E.164 number, a Brazilian mobile with its ninth digit; '' for a mere country code, and the text unchanged if
 * it is no number.
 */
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
