import { Button, Modal } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../t.ts'
import css from './confirm.module.css'
import type { Asked } from './question.ts'

const guard = 300

/**
 * Dialog of a question; the main answer has the focus, but Enter acts only after 300 ms (decision A23): a key's click has no
 * detail. Where work would be lost, the main answer is to keep it.
 */
export function ConfirmDialog({ question }: { question: Asked | undefined }) {
  const [last, setLast] = useState(question)
  const since = useRef(0)
  useEffect(() => {
    if (!question) return
    since.current = Date.now()
    setLast(question)
  }, [question])
  const isOpen = question !== undefined
  const from = useRef<Element>(null)
  useEffect(() => {
    if (isOpen) from.current = document.activeElement
  }, [isOpen])
  // A dialog that closes before its answer got the focus takes the focus on its way out, and then it is nowhere.
  const giveBack = () => {
    if (document.activeElement === document.body && from.current instanceof HTMLElement) from.current.focus()
  }
  const shown = question ?? last
  const isDiscard = shown?.isDiscard === true
  const look = (isMain: boolean) => (isMain ? { variant: 'filled', 'data-autofocus': true } : { variant: 'default' })
  const stay = (
    <Button key="stay" {...look(isDiscard)} onClick={() => question?.answer(false)}>
      {shown?.cancel ?? t('Cancelar')}
    </Button>
  )
  const go = (
    <Button
      key="go"
      {...look(!isDiscard)}
      color={shown?.tone ?? 'neg'}
      {...(isDiscard ? { className: css.discard } : {})}
      onClick={({ detail }) => (detail > 0 || Date.now() - since.current >= guard) && question?.answer(true)}
    >
      {shown?.action}
    </Button>
  )
  return (
    <Modal
      opened={isOpen}
      onExitTransitionEnd={giveBack}
      onClose={() => question?.answer(false)}
      size={420}
      zIndex={52}
      withCloseButton={false}
      closeOnEscape={false}
      padding={24}
      title={shown?.title}
    >
      {shown && (
        <>
          <div className={css.text}>{shown.text}</div>
          <div className={css.footer}>{isDiscard ? [go, stay] : [stay, go]}</div>
        </>
      )}
    </Modal>
  )
}
