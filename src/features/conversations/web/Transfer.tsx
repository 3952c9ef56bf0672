import { Button, Modal, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { uuid } from '#web/api.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { confirmDiscard } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { useUnsaved } from '#web/unsaved.ts'
import css from './dialogs.module.css'
import { useColleagues, useQueues } from './list/choices.ts'
import { ticketRow } from './live/store.ts'
import { transfer } from './transfer.ts'

/** “Transferir”: to a queue, and to a person in it when one is chosen, with a note for whoever takes it. */
export function Transfer({ id, onDone, onClose }: { id: number; onDone: () => void; onClose: () => void }) {
  const row = ticketRow(id)
  const queues = useQueues() ?? []
  const [queueId, setQueue] = useState<string | null>(null)
  const people = useColleagues(queueId ? Number(queueId) : null) ?? []
  const [userId, setUser] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [idFront] = useState(uuid)
  const [busy, setBusy] = useState(false)
  const [missing, setMissing] = useState(false)
  // Whoever is chosen without a queue gets the ticket in the queue where it is.
  const needsQueue = queues.length > 0 && !userId
  const submit = async () => {
    if (needsQueue && !queueId) return setMissing(true)
    setBusy(true)
    const present = userId ? (row?.queueId ?? null) : null
    const to = { queueId: queueId ? Number(queueId) : present, userId: userId ? Number(userId) : null }
    const done = await transfer(id, to, { body: note, idFront })
    setBusy(false)
    if (!done) return
    const name =
      people.find((one) => String(one.id) === userId)?.name ?? queues.find((one) => String(one.id) === queueId)?.queue
    notify({ tone: 'pos', title: t('Atendimento transferido para {to}', { to: name ?? t('a fila') }) })
    onClose()
    onDone()
  }
  useUnsaved(note.trim() !== '')
  const close = async () => {
    if (note.trim() === '' || (await confirmDiscard({ text: t('A nota para quem recebe ainda não foi enviada.') })))
      onClose()
  }
  return (
    <Modal
      opened
      onClose={() => void close()}
      size={420}
      padding={20}
      title={row ? t('Transferir {name}', { name: row.name }) : t('Transferir')}
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Select
          data-autofocus
          openOnFocus={false}
          allowDeselect={false}
          label={t('Fila de destino')}
          placeholder={userId ? t('A fila de agora') : t('Escolha a fila')}
          withAsterisk={needsQueue}
          searchable
          data={queues.map(({ id: value, queue }) => ({ value: String(value), label: queue }))}
          value={queueId}
          error={missing && needsQueue && !queueId ? t('Escolha a fila de destino.') : undefined}
          onChange={(next) => {
            setQueue(next)
            setUser(null)
          }}
        />
        <Select
          label={t('Pessoa')}
          description={t('Sem uma pessoa, o atendimento espera na fila.')}
          placeholder={t('Quem estiver livre')}
          searchable
          clearable
          data={people
            .filter((one) => one.id !== viewer().userId)
            .map((one) => ({
              value: String(one.id),
              label: one.isOnline ? one.name : t('{name} (offline)', { name: one.name }),
            }))}
          value={userId}
          onChange={setUser}
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
        <div className={css.footer}>
          <Button variant="default" onClick={() => void close()}>
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
