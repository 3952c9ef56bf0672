import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { connections } from '#features/connections/connection-addresses.ts'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { attempt } from '#web/attempt.ts'
import { useChoices } from '#web/choices.ts'
import { call, queryClient } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import type { FlowRow } from './flow-row.ts'
import css from './flows.module.css'

/** Says which connections' new conversations begin with a chat flow. */
export function UsedBy({ row, onClose }: { row: FlowRow; onClose: () => void }) {
  const all = useChoices('connections')
  const before = (row.connections ?? []).map(({ id }) => id)
  const [chosen, setChosen] = useState<number[]>(before)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const changed = [
      ...chosen.filter((id) => !before.includes(id)).map((id) => [id, row.id] as const),
      ...before.filter((id) => !chosen.includes(id)).map((id) => [id, null] as const),
    ]
    const done = await attempt(async () => {
      for (const [id, chatFlowId] of changed)
        await call(connections.update, { params: { id }, body: { chatFlowId } }, { quiet: true })
      return true
    }, t('Canais salvos'))
    void queryClient.invalidateQueries({ queryKey: [ticketCommands.chatFlows.family] })
    setBusy(false)
    if (done) onClose()
  }
  return (
    <Modal opened onClose={onClose} size={480} title={t('Canais que usam “{name}”', { name: row.name })}>
      <ManyChoice
        label={t('Canais')}
        hint={t('As conversas novas destes canais começam com este chatbot, assim que ele estiver publicado e ativo.')}
        none={t('Nenhum canal com esse nome')}
        options={all}
        chosen={chosen}
        onChange={setChosen}
      />
      <div className={css.footer}>
        <Button variant="default" onClick={onClose} disabled={busy}>
          {t('Cancelar')}
        </Button>
        <BusyButton busy={busy} doing={t('Salvando')} onClick={() => void save()}>
          {t('Salvar')}
        </BusyButton>
      </div>
    </Modal>
  )
}
