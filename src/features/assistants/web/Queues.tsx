import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { saveChoice } from '#web/ui/feedback/save-choice.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { queueAssistants } from '../addresses.ts'
import type { AssistantAccount, QueueRow } from '../contract.ts'
import css from './assistants.module.css'

/** Table of queues with the account that replaces the connection's. */
export function Queues({ accounts }: { accounts: readonly AssistantAccount[] }) {
  const { data, refetch } = useQuery(query(queueAssistants.list))
  if (!data || data.queues.length === 0) return null
  const answering = accounts.filter(({ isActive, answersTickets }) => isActive && answersTickets)
  const nameOf = (id: number | null) => answering.find((one) => one.id === id)?.name ?? t('o do canal')
  const change = ({ queueId, name, assistantId }: QueueRow, next: number | null) =>
    void saveChoice({
      ...{ label: name, before: assistantId, next, labelOf: nameOf },
      save: async (value: number | null) => {
        await call(queueAssistants.set, { params: { id: queueId }, body: { assistantId: value } }, { quiet: true })
        await refetch()
      },
    })
  return (
    <Card title={t('Filas com outro assistente')}>
      <ul className={css.connections}>
        {data.queues.map((row) => (
          <li key={row.queueId}>
            <b className="g-cut">{row.name}</b>
            <Select
              aria-label={t('Quem responde pela fila {name}', { name: row.name })}
              data={[
                { value: '', label: t('O do canal') },
                ...answering.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              allowDeselect={false}
              value={row.assistantId === null ? '' : String(row.assistantId)}
              onChange={(value) => change(row, value ? Number(value) : null)}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
