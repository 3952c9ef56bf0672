import { Button, Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { viewer } from '#web/session.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/notify.tsx'
import { transfer } from './actions.ts'
import { useColleagues, useQueues } from './choices.ts'
import css from './dialogs.module.css'
import { ticketRow } from './store.ts'

/** “Transferir”: to a queue, and to a person in it when one is chosen. */
export function Transfer({ id, onDone, onClose }: { id: number; onDone: () => void; onClose: () => void }) {
  const row = ticketRow(id)
  const queues = useQueues().data ?? []
  const [queueId, setQueue] = useState<string | null>(row?.queueId ? String(row.queueId) : null)
  const people = useColleagues(queueId ? Number(queueId) : null).data ?? []
  const [userId, setUser] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [missing, setMissing] = useState(false)
  const needsQueue = queues.length > 0
  const submit = async () => {
    if (needsQueue && !queueId) return setMissing(true)
    setBusy(true)
    const done = await transfer(id, {
      queueId: queueId ? Number(queueId) : null,
      userId: userId ? Number(userId) : null,
    })
    setBusy(false)
    if (!done) return
    const to =
      people.find((one) => String(one.id) === userId)?.name ?? queues.find((one) => String(one.id) === queueId)?.queue
    notify({ tone: 'pos', title: t('Atendimento transferido para {to}', { to: to ?? t('a fila') }) })
    onClose()
    onDone()
  }
  return (
    <Modal
      opened
      onClose={onClose}
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
          placeholder={t('Escolha a fila')}
          withAsterisk={needsQueue}
          searchable
          data={queues.map(({ id: value, queue }) => ({ value: String(value), label: queue }))}
          value={queueId}
          error={missing && !queueId ? t('Escolha a fila de destino.') : undefined}
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
        <div className={css.foot}>
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
