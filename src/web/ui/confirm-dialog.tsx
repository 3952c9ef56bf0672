import { Button, Modal } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import css from './confirm.module.css'
import type { Asked } from './question.ts'

const guard = 300

/** The dialog of a question; focus stands on the action, but Enter acts only after 300 ms (decision A23). A key's click has no detail. */
export function ConfirmDialog({ question }: { question: Asked | undefined }) {
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
              onClick={({ detail }) => (detail > 0 || Date.now() - since.current >= guard) && question?.answer(true)}
            >
              {shown.action}
            </Button>
          </div>
        </>
      )}
    </Modal>
  )
}
