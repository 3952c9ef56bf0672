import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { MoveDialog } from '#web/ui/feedback/MoveDialog.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { queues } from '../addresses.ts'
import type { QueueRow } from '../contract.ts'

/** Dialog that moves all tickets of a queue to another one and removes the queue, in one step. */
export function MoveTickets({ queue, onClose }: { queue: QueueRow; onClose: () => void }) {
  const others = useChoices('queues').filter((one) => one.id !== queue.id && one.isActive)
  const move = async (to: string) => {
    const body = { queueId: Number(to) }
    const { moved } = await call(queues.replace, { params: { id: queue.id }, body }, { quiet: true })
    notify({
      tone: 'pos',
      title: t('Fila “{queue}” excluída', { queue: queue.queue }),
      text: t('{count} para a outra fila.', {
        count: plural(moved, 'atendimento em andamento foi', 'atendimentos em andamento foram'),
      }),
    })
  }
  return (
    <MoveDialog
      title={t('Mover os atendimentos de “{queue}”', { queue: queue.queue })}
      hint={t(
        'Todos os atendimentos desta fila, abertos, pendentes e resolvidos, passam para a fila escolhida, junto com os canais que enviam para ela. Depois a fila é excluída.',
      )}
      placeholder={t('Escolha uma fila')}
      nothingFound={t('Nenhuma outra fila ativa')}
      missing={t('Escolha a fila que recebe os atendimentos.')}
      options={others.map((one) => ({ value: String(one.id), label: one.queue }))}
      action={t('Mover e excluir')}
      isFinal
      onPick={move}
      onClose={onClose}
    />
  )
}
