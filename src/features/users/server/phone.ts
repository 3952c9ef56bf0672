import { fail } from '#kit/errors.ts'
import { readPhone } from '#server/phone.ts'

/** The form with a phone that exists in its country (Brazil where none is named), or none; else it is refused at its field. */
export async function withKnownPhone<F extends { phone?: string | undefined }>(form: F): Promise<F> {
  if (form.phone && !(await readPhone(form.phone)))
    fail('ERR_VALIDATION', { phone: 'Informe um número com DDD, como (19) 99812-4407.' })
  return form
}
