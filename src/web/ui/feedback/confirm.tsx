import { Suspense, useState } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { createStore } from '../../store.ts'
import { t } from '../../t.ts'
import type { Asked, Question } from './question.ts'

const asked = createStore<Asked | undefined>(undefined)

// Esc belongs to the question alone: layers below, which listen to keys as well, would ask again.
globalThis.addEventListener?.(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || !asked.get()) return
    event.stopImmediatePropagation()
    asked.get()?.answer(false)
  },
  true,
)

/** Asks a question and waits: true when the user confirms, false for cancel, Esc and click outside. */
export function confirm(question: Question): Promise<boolean> {
  asked.get()?.answer(false)
  return new Promise((resolve) =>
    asked.set({
      ...question,
      answer: (yes) => {
        asked.set(undefined)
        resolve(yes)
      },
    }),
  )
}

/** Asks before unsaved work is lost: true when the user discards it. Continuing to edit is the main answer. */
export const confirmDiscard = (question: Pick<Question, 'text'> & Partial<Question>): Promise<boolean> =>
  confirm({
    title: t('Descartar as alterações?'),
    action: t('Descartar'),
    cancel: t('Continuar editando'),
    ...question,
    isDiscard: true,
  })

const Dialog = lazyPart(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog)

/** Container of questions; mounted once per page. The dialog's code is loaded with the first question. */
export function Confirms() {
  const question = asked.use()
  const [everAsked, setEverAsked] = useState(false)
  if (question && !everAsked) setEverAsked(true)
  return everAsked ? (
    <Suspense>
      <Dialog question={question} />
    </Suspense>
  ) : null
}
