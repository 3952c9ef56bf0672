import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import type { Asked, Question } from './question.ts'

let asked: Asked | undefined
const readers = new Set<() => void>()
const set = (next: Asked | undefined) => {
  asked = next
  for (const tell of readers) tell()
}

/** Asks and waits: true when the person confirms, false for cancel, Esc and click outside. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) =>
    set({
      ...question,
      answer: (yes) => {
        set(undefined)
        resolve(yes)
      },
    }),
  )
}

/** Asks before unsaved work is lost: true when the person gives it up. To go on editing is the main answer. */
export const confirmDiscard = (question: { text: string; title?: string; action?: string }): Promise<boolean> =>
  confirm({
    title: 'Descartar as alterações?',
    action: 'Descartar',
    cancel: 'Continuar editando',
    ...question,
    isDiscard: true,
  })

const Dialog = lazy(async () => ({ default: (await import('./ConfirmDialog.tsx')).ConfirmDialog }))

/** Where questions appear; mounted once per page. The dialog's code comes with the first question. */
export function Confirms() {
  const question = useSyncExternalStore(
    (reader) => {
      readers.add(reader)
      return () => readers.delete(reader)
    },
    () => asked,
  )
  const [everAsked, setEverAsked] = useState(false)
  if (question && !everAsked) setEverAsked(true)
  return everAsked ? (
    <Suspense>
      <Dialog question={question} />
    </Suspense>
  ) : null
}
