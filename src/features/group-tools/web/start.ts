import type { Address } from '#kit/addresses.ts'
import { isApiError, sentence, sentencesIn } from '#web/api.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import type { GroupJob } from '../contract.ts'

/** Problems of a form by field; '' for the whole form. */
export type Problems = Readonly<Record<string, string>>

/** Starts a job; resolves to the form's problems, null if started. */
export async function startJob(op: Address, body: object): Promise<Problems | null> {
  try {
    const { total } = (await call(op, { body } as never, { long: true, quiet: true })) as unknown as GroupJob
    notify({
      tone: 'pos',
      title: t('Tarefa a caminho de {count}', { count: plural(total, t('grupo'), t('grupos')) }),
    })
    return null
  } catch (error) {
    const isOfFields = isApiError(error) && error.code === 'ERR_VALIDATION'
    return isOfFields ? sentencesIn(error.details) : { '': sentence(error) }
  }
}

/** Parses pasted numbers: one per line, or separated by commas or semicolons. */
export const numbersIn = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
