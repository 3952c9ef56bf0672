import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { connections } from '#features/connections/connection-addresses.ts'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { attempt } from '#web/attempt.ts'
import { useChoices } from '#web/choices.ts'
import { call, query, queryClient } from '#web/client.ts'
import { t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import { Fields } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import type { FlowRow } from './flow-row.ts'

/** Sets the chat flow that starts new conversations of connections; null: none. */
async function assign(changed: readonly (readonly [id: number, chatFlowId: number | null])[]): Promise<true> {
  for (const [id, chatFlowId] of changed)
    await call(connections.update, { params: { id }, body: { chatFlowId } }, { quiet: true })
  return true
}

/** Dialog of the connections whose new conversations start a chat flow; `publish` publishes it first. */
export function UsedBy(props: { row: FlowRow; publish?: () => Promise<boolean>; onClose: () => void }) {
  const { row, publish, onClose } = props
  const all = useChoices('connections')
  const { data } = useQuery(query(ticketCommands.chatFlows))
  const others = (data?.chatFlow ?? []).filter(({ id }) => id !== row.id)
  const nameOf = ({ id, name }: { id: number; name: string }) => {
    const now = others.find(({ connections = [] }) => connections.some((one) => one.id === id))
    return now ? t('{name} (hoje: {flow})', { name, flow: now.name }) : name
  }
  const before = (row.connections ?? []).map(({ id }) => id)
  const [chosen, setChosen] = useState<number[]>(before)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    if (publish && !(await publish())) return onClose()
    const changed = [
      ...chosen.filter((id) => !before.includes(id)).map((id) => [id, row.id] as const),
      ...before.filter((id) => !chosen.includes(id)).map((id) => [id, null] as const),
    ]
    const done = await attempt(() => assign(changed), changed.length > 0 || !publish ? t('Canais salvos') : undefined)
    void queryClient.invalidateQueries({ queryKey: [ticketCommands.chatFlows.family] })
    setBusy(false)
    if (done) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={480}
      title={publish ? t('Publicar “{name}”', { name: row.name }) : t('Canais que usam “{name}”', { name: row.name })}
    >
      <Fields>
        <ManyChoice
          label={t('Canais')}
          hint={
            publish
              ? t('As conversas novas destes canais começam com este chatbot. Você pode escolher depois.')
              : t('As conversas novas destes canais começam com este chatbot, assim que ele estiver publicado e ativo.')
          }
          none={t('Nenhum canal com esse nome')}
          options={all.map((one) => ({ ...one, name: nameOf(one) }))}
          chosen={chosen}
          onChange={setChosen}
        />
        <DialogEnd
          action={publish ? t('Publicar') : t('Salvar')}
          doing={publish ? t('Publicando') : t('Salvando')}
          busy={busy}
          onClose={onClose}
          onRun={() => void save()}
        />
      </Fields>
    </Modal>
  )
}
