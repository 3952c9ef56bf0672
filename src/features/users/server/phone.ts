import metadata from 'libphonenumber-js/min/metadata'
import { parsePhone } from '#domain/phone/phone.ts'
import { fail } from '#kit/errors.ts'

/** The form with a phone that exists in its country (Brazil where none is named), or none; else it is refused at its field. */
export function withKnownPhone<F extends { phone?: string | undefined }>(form: F): F {
  if (form.phone && !parsePhone(form.phone, metadata))
    fail('ERR_VALIDATION', { phone: 'Informe um número com DDD, como (19) 99812-4407.' })
  return form
}
