import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { saveChoice } from '#web/ui/feedback/save-choice.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { assistants, connectionAssistants } from '../addresses.ts'
import type { AssistantAccount, ConnectionRow } from '../contract.ts'
import css from './assistants.module.css'

const whens = {
  always: t('sempre'),
  closed: t('fora do horário'),
  away: t('quando ninguém está online'),
}

/** On which connections which account answers, and when. */
export function Connections({ accounts }: { accounts: readonly AssistantAccount[] }) {
  const { data, refetch } = useQuery(query(assistants.connections))
  if (!data || data.connections.length === 0) return null
  const answering = accounts.filter(({ isActive, answersTickets }) => isActive && answersTickets)
  const nameOf = (id: number | null) => answering.find((one) => one.id === id)?.name ?? t('ninguém')
  const change = <K extends 'assistantId' | 'when'>(row: ConnectionRow, key: K, next: ConnectionRow[K]) =>
    void saveChoice({
      label: row.name,
      before: row[key],
      next,
      labelOf: (value) => (key === 'when' ? whens[value as ConnectionRow['when']] : nameOf(value as number | null)),
      save: async (value) => {
        const body = { [key]: value }
        await call(connectionAssistants.set, { params: { id: row.whatsappId }, body }, { quiet: true })
        await refetch()
      },
    })
  return (
    <Card title={t('Onde responde')}>
      <ul className={css.connections}>
        {data.connections.map((row) => (
          <li key={row.whatsappId}>
            <b className="g-cut">{row.name}</b>
            <Select
              aria-label={t('Quem responde em {name}', { name: row.name })}
              data={[
                { value: '', label: t('Ninguém: as pessoas atendem') },
                ...answering.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              allowDeselect={false}
              value={row.assistantId === null ? '' : String(row.assistantId)}
              onChange={(value) => change(row, 'assistantId', value ? Number(value) : null)}
            />
            <Select
              aria-label={t('Quando responde em {name}', { name: row.name })}
              data={Object.entries(whens).map(([value, label]) => ({ value, label }))}
              allowDeselect={false}
              disabled={row.assistantId === null}
              value={row.when}
              onChange={(value) => value && change(row, 'when', value as ConnectionRow['when'])}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
