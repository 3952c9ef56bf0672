import { Button, Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { queues } from '../addresses.ts'
import type { QueueRow } from '../contract.ts'
import css from './queues.module.css'

/** Gives everything that is in a queue to another one and removes the queue, in one step. */
export function MoveTickets({ queue, onClose }: { queue: QueueRow; onClose: () => void }) {
  const [to, setTo] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const others = useChoices('queues').filter((one) => one.id !== queue.id && one.isActive)
  const move = async () => {
    if (!to) return setError(t('Escolha a fila que recebe os atendimentos.'))
    setBusy(true)
    try {
      const body = { queueId: Number(to) }
      const { moved } = await call(queues.replace, { params: { id: queue.id }, body }, { quiet: true })
      notify({
        tone: 'pos',
        title: t('Fila “{queue}” excluída', { queue: queue.queue }),
        text: t('{count} para a outra fila.', {
          count: plural(moved, 'atendimento em andamento foi', 'atendimentos em andamento foram'),
        }),
      })
      onClose()
    } catch (refused) {
      setError(sentence(refused))
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} size={480} title={t('Mover os atendimentos de “{queue}”', { queue: queue.queue })}>
      <p className={css.hint}>
        {t(
          'Todos os atendimentos desta fila, abertos, pendentes e resolvidos, passam para a fila escolhida, junto com os canais que enviam para ela. Depois a fila é excluída.',
        )}
      </p>
      <Select
        label={t('Mover para')}
        placeholder={t('Escolha uma fila')}
        required
        searchable
        data-autofocus
        nothingFoundMessage={t('Nenhuma outra fila ativa')}
        data={others.map((one) => ({ value: String(one.id), label: one.queue }))}
        value={to}
        error={error}
        onChange={(next) => {
          setTo(next)
          setError(undefined)
        }}
      />
      <div className={css.footer}>
        <Button variant="default" onClick={onClose} disabled={busy}>
          {t('Cancelar')}
        </Button>
        <BusyButton color="neg" busy={busy} doing={t('Movendo')} onClick={() => void move()}>
          {t('Mover e excluir')}
        </BusyButton>
      </div>
    </Modal>
  )
}
