import { z } from 'zod'
import { formatBrazilian, isBrazilianPhone, withNinthDigit } from '#domain/phone/brazil.ts'
import { byText, type FieldKind, type FieldOf, orEmpty } from './kind.ts'

/** Phone number field. */
export type PhoneField = FieldOf<'phone', string>

const WRONG = 'Informe o telefone com DDD; de outro país, com + e o código.'

/** Converts a number to + and digits; without a plus sign it is Brazilian. Returns anything else unchanged. */
const international = (text: string): string => {
  const digits = text.replace(/\D/g, '')
  if (digits === '' || !/^\+?[\d\s().-]+$/.test(text.trim())) return text.trim()
  if (text.trim().startsWith('+')) return withNinthDigit(`+${digits}`)
  return withNinthDigit(digits.length >= 12 && digits.startsWith('55') ? `+${digits}` : `+55${digits}`)
}

/**
 * Field kind for phone numbers with + and 2 to 17 digits, or ''; a Brazilian one has to exist, and a mobile has its ninth
 * digit.
 */
export const phone: FieldKind<PhoneField, string> = {
  schema: (field) =>
    orEmpty(
      z
        .string({ error: WRONG })
        .regex(/^\+\d{2,17}$/, WRONG)
        .refine(
          (number) => !number.startsWith('+55') || isBrazilianPhone(withNinthDigit(number).slice(1)),
          'Este número não existe no Brasil. Confira o DDD e os dígitos.',
        )
        .transform(withNinthDigit),
      field,
      WRONG,
    ),
  empty: '',
  column: 'text',
  sort: byText,
  samples: () => ({
    good: ['+5519998124407', '+551932518870', '+14155550132'],
    bad: ['19998124407', '+55', '+5520998124407', 'telefone', 5519998124407, null, '+123456789012345678'],
  }),
  toText: (value) => formatBrazilian(value) ?? value,
  fromText: international,
}
