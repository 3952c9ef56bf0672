import { fail } from '#kit/errors.ts'
import { readPhone } from '#server/phone.ts'

/** Returns the form if its phone is empty or exists in its country (default: Brazil); otherwise it is refused at its field. */
export async function withKnownPhone<F extends { phone?: string | undefined }>(form: F): Promise<F> {
  if (form.phone && !(await readPhone(form.phone)))
    fail('ERR_VALIDATION', { phone: 'Informe um número com DDD, como (19) 99812-4407.' })
  return form
}
