import { Button, Modal } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import css from './confirm.module.css'

/** A question before something that cannot be undone: the consequence in the text, the verb on the button. */
export type Question = {
  title: string
  text: ReactNode
  action: string
  cancel?: string
  tone?: 'neg' | 'brand'
}

type Asked = Question & { answer: (yes: boolean) => void }

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

const guard = 300

/** Where questions appear; focus stands on the action, but Enter and clicks act only after 300 ms (decision A23). */
export function Confirms() {
  const question = useSyncExternalStore(
    (reader) => {
      readers.add(reader)
      return () => readers.delete(reader)
    },
    () => asked,
  )
  const [last, setLast] = useState(question)
  const since = useRef(0)
  useEffect(() => {
    if (!question) return
    since.current = Date.now()
    setLast(question)
  }, [question])
  const shown = question ?? last
  return (
    <Modal
      opened={question !== undefined}
      onClose={() => question?.answer(false)}
      size={420}
      zIndex={52}
      withCloseButton={false}
      padding={24}
      title={shown?.title}
    >
      {shown && (
        <>
          <div className={css.text}>{shown.text}</div>
          <div className={css.foot}>
            <Button variant="default" onClick={() => question?.answer(false)}>
              {shown.cancel ?? 'Cancelar'}
            </Button>
            <Button
              variant="filled"
              color={shown.tone ?? 'neg'}
              data-autofocus
              onClick={() => Date.now() - since.current >= guard && question?.answer(true)}
            >
              {shown.action}
            </Button>
          </div>
        </>
      )}
    </Modal>
  )
}
