import { useQuery } from '@tanstack/react-query'
import { tickets } from '#features/ledger/addresses.ts'
import { query } from '#web/client.ts'
import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { type ListFilter, queryOf, wanted } from '../lists/list-filter.ts'
import { whyHidden } from './rules.ts'
import css from './visibility.module.css'

/** Message below a search without tickets: leads see which rule hides which ticket, others that some may be hidden. */
export function NoHits({ filter, onOpen }: { filter: ListFilter; onOpen: (id: number) => void }) {
  const isLead = may('tickets:all')
  const { search, showAll } = filter
  const { data } = useQuery({
    ...query(tickets.hidden, { query: { ...queryOf(filter), searchParam: wanted(search) } }),
    enabled: isLead && !showAll,
  })
  const hidden = data?.tickets ?? []
  return (
    <div className={css.none}>
      <p>{t('Nenhum atendimento com “{search}” no nome, número ou protocolo.', { search })}</p>
      {!isLead && <p>{t('Pode haver atendimentos que você não vê; um supervisor pode procurar por eles.')}</p>}
      {hidden.length > 0 && (
        <section aria-label={t('Por que não vejo?')}>
          <h3>{t('Por que não vejo?')}</h3>
          <ul>
            {hidden.map(({ ticket, rule }) => (
              <li key={ticket.id}>
                <button type="button" onClick={() => onOpen(ticket.id)}>
                  <NameCell
                    picture={
                      <Avatar
                        id={ticket.contactId}
                        name={ticket.name}
                        src={ticket.profilePicUrl}
                        size={30}
                        channel={ticket.channel}
                      />
                    }
                    name={ticket.name}
                    detail={whyHidden(rule)}
                  />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
