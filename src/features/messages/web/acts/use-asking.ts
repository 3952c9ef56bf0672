import { useState } from 'react'
import { isApiError, sentence, sentencesIn } from '#web/api.ts'

const OF_FIELDS: readonly string[] = ['ERR_VALIDATION', 'ERR_INTERACTIVE_REFUSED']

/** Runs one request of a dialog: `busy` while it runs, `problems` by field (`''`: of no field); calls `onDone` on success. */
export function useAsking(onDone: () => void) {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const ask = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setProblems({})
    try {
      await work()
      onDone()
    } catch (error) {
      const isOfFields = isApiError(error) && OF_FIELDS.includes(error.code)
      setProblems(isOfFields ? sentencesIn(error.details) : { '': sentence(error) })
      setBusy(false)
    }
  }
  return { busy, problems, ask }
}
