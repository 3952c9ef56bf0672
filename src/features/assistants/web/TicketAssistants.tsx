import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { switchOf } from '#domain/tickets/assistants.ts'
import { tickets } from '#features/ledger/addresses.ts'
import { sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { onOff, saveChoice } from '#web/ui/feedback/save-choice.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { assistantTurns } from '../addresses.ts'
import css from './assistants.module.css'
import { Turns } from './Turns.tsx'

/** “Por que o assistente respondeu isso?”: dialog with each turn of a ticket: account, model, tokens, cost, time, error. */
export function TicketAssistants({ ticketId, onClose }: { ticketId: number; name: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    ...query(assistantTurns.list, { params: { id: ticketId } }),
    staleTime: 0,
    refetchInterval: 3000,
  })
  return (
    <Modal opened onClose={onClose} size={520} title={t('Por que o assistente respondeu isso?')}>
      <div className={css.column}>
        {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
        {!data && !error && <SkeletonRows kind="table" rows={3} />}
        {data?.turns.length === 0 && <p role="status">{t('Nenhum assistente atendeu esta conversa.')}</p>}
        {data && data.turns.length > 0 && <Turns turns={data.turns} />}
        {data && data.assistants.length > 0 && (
          <section className={css.column} aria-label={t('Quem responde neste atendimento')}>
            <h3 className={css.heading}>{t('Quem responde neste atendimento')}</h3>
            <SwitchGroup>
              {data.assistants.map(({ id, name, isOn }) => (
                <SwitchRow
                  key={id}
                  name={name}
                  checked={isOn}
                  onChange={(next) =>
                    void saveChoice({
                      ...{ label: name, before: isOn, next, labelOf: onOff },
                      save: async (value: boolean) => {
                        const body = switchOf(id, value)
                        await call(tickets.update, { params: { id: ticketId }, body }, { quiet: true })
                        await refetch()
                      },
                    })
                  }
                />
              ))}
            </SwitchGroup>
          </section>
        )}
      </div>
    </Modal>
  )
}
