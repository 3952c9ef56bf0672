import { useState } from 'react'
import { plural, t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { Destination, useDestination } from '../asked/destination.tsx'
import type { Perform } from './run.tsx'

/** Dialog that transfers many tickets to a queue, and optionally to a person in it. */
export function BulkTransfer(props: { count: number; onDone: Perform; onClose: () => void }) {
  const { count, onDone, onClose } = props
  const to = useDestination()
  const { queueId, userId } = to
  const [missing, setMissing] = useState(false)
  const submit = async () => {
    if (!queueId && !userId) return setMissing(true)
    await onDone('transfer', { ...(queueId ? { queueId } : {}), ...(userId ? { userId } : {}) })
  }
  return (
    <FormDialog
      title={t('Transferir {tickets}', { tickets: plural(count, t('atendimento'), t('atendimentos')) })}
      action={t('Transferir')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Destination
        of={to}
        placeholder={t('Cada um na fila atual')}
        hint={t('Sem uma pessoa, os atendimentos esperam na fila.')}
        error={missing && !queueId && !userId && t('Escolha a fila ou a pessoa.')}
      />
    </FormDialog>
  )
}
