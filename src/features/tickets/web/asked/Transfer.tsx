import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { ticketRow } from '#features/messages/web/ticket/store.ts'
import { uuid } from '#web/api.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Destination, useDestination } from './destination.tsx'
import { transfer } from './transfer.ts'

/** “Transferir” dialog: a queue, optionally a person in it, and a note for the receiver. */
export function Transfer({ id, onDone, onClose }: { id: number; onDone: () => void; onClose: () => void }) {
  const row = ticketRow(id)
  const to = useDestination()
  const { queueId, userId, queues, people } = to
  const [note, setNote] = useState('')
  const [idFront] = useState(uuid)
  const [missing, setMissing] = useState(false)
  // A person chosen without a queue gets the ticket in its current queue.
  const needsQueue = queues.length > 0 && !userId
  const submit = async () => {
    if (needsQueue && !queueId) return setMissing(true)
    const present = userId ? (row?.queueId ?? null) : null
    const done = await transfer(id, { queueId: queueId ?? present, userId }, { body: note, idFront })
    if (!done) return
    const name = people.find((one) => one.id === userId)?.name ?? queues.find((one) => one.id === queueId)?.queue
    notify({ tone: 'pos', title: t('Atendimento transferido para {to}', { to: name ?? t('a fila') }) })
    onClose()
    onDone()
  }
  return (
    <FormDialog
      title={row ? t('Transferir {name}', { name: row.name }) : t('Transferir')}
      action={t('Transferir')}
      onSubmit={submit}
      unsaved={note.trim() !== '' && t('A nota para quem recebe ainda não foi enviada.')}
      onClose={onClose}
    >
      <Destination
        of={to}
        placeholder={userId ? t('A fila atual') : t('Escolha a fila')}
        hint={t('Sem uma pessoa, o atendimento espera na fila.')}
        required={needsQueue}
        error={missing && needsQueue && !queueId && t('Escolha a fila de destino.')}
        without={viewer().userId}
      />
      <Textarea
        label={t('Nota para quem recebe')}
        description={t('Só a equipe vê: fica na conversa como nota interna.')}
        placeholder={t('O que já foi combinado, o que falta')}
        autosize
        minRows={2}
        maxRows={6}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
