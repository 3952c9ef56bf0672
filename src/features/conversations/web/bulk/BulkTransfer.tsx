import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { plural, t } from '#web/t.ts'
import { Destination, useDestination } from '../Destination.tsx'
import css from '../dialogs.module.css'
import type { Perform } from './run.tsx'

/** “Transferir” of many tickets: to a queue, and to a person in it when one is chosen. */
export function BulkTransfer(props: { count: number; onDone: Perform; onClose: () => void }) {
  const { count, onDone, onClose } = props
  const to = useDestination()
  const { queueId, userId } = to
  const [busy, setBusy] = useState(false)
  const [missing, setMissing] = useState(false)
  const submit = async () => {
    if (!queueId && !userId) return setMissing(true)
    setBusy(true)
    await onDone('transfer', { ...(queueId ? { queueId } : {}), ...(userId ? { userId } : {}) })
    setBusy(false)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={420}
      padding={20}
      title={t('Transferir {tickets}', { tickets: plural(count, t('atendimento'), t('atendimentos')) })}
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Destination
          of={to}
          placeholder={t('Cada um na sua fila de agora')}
          hint={t('Sem uma pessoa, os atendimentos esperam na fila.')}
          error={missing && !queueId && !userId && t('Escolha a fila ou a pessoa.')}
        />
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('Transferir')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
