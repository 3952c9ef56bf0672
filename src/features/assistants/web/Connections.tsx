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
const which = { every: t('todo atendimento'), first: t('só o primeiro do cliente') }

type Chosen = Pick<ConnectionRow, 'assistantId' | 'when' | 'firstTicketOnly'>

/** Table of connections with their accounts and conditions. */
export function Connections({ accounts }: { accounts: readonly AssistantAccount[] }) {
  const { data, refetch } = useQuery(query(assistants.connections))
  if (!data || data.connections.length === 0) return null
  const answering = accounts.filter(({ isActive, answersTickets }) => isActive && answersTickets)
  const nameOf = (id: number | null) => answering.find((one) => one.id === id)?.name ?? t('ninguém')
  const labels: { readonly [K in keyof Chosen]: (value: Chosen[K]) => string } = {
    assistantId: nameOf,
    when: (value) => whens[value],
    firstTicketOnly: (value) => which[value ? 'first' : 'every'],
  }
  const change = <K extends keyof Chosen>(row: ConnectionRow, key: K, next: Chosen[K]) =>
    void saveChoice({
      ...{ label: row.name, before: row[key] as Chosen[K], next, labelOf: labels[key] },
      save: async (value: Chosen[K]) => {
        const body: Partial<Chosen> = { [key]: value }
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
            {row.assistantId !== null && (
              <>
                <Select
                  aria-label={t('Quando responde em {name}', { name: row.name })}
                  data={Object.entries(whens).map(([value, label]) => ({ value, label }))}
                  allowDeselect={false}
                  value={row.when}
                  onChange={(value) => value && change(row, 'when', value as ConnectionRow['when'])}
                />
                <Select
                  aria-label={t('Em quais atendimentos responde em {name}', { name: row.name })}
                  data={Object.entries(which).map(([value, label]) => ({ value, label }))}
                  allowDeselect={false}
                  value={row.firstTicketOnly ? 'first' : 'every'}
                  onChange={(value) => change(row, 'firstTicketOnly', value === 'first')}
                />
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
