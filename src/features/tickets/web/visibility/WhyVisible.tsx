import { Modal } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { tickets } from '#features/ledger/addresses.ts'
import { ticketRow } from '#features/messages/web/ticket/store.ts'
import { sentence } from '#web/api.ts'
import { pages, query } from '#web/client.ts'
import { may } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { whyDecided } from './rules.ts'
import css from './visibility.module.css'
import { whereIs } from './where.ts'

/** “Por que vejo este atendimento?” dialog: the deciding rule, and for leads the rule that hides it from each colleague. */
export function WhyVisible({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(tickets.explain, { params: { id } }))
  return (
    <Modal opened onClose={onClose} size={480} title={t('Por que vejo {name}?', { name })}>
      <div className={css.about}>
        {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
        {!data && !error && <SkeletonRows kind="table" rows={1} />}
        {data && (
          <p role="status">
            {whyDecided(data)} {whereIs(data.tab, ticketRow(id))}
          </p>
        )}
        {may('tickets:all') ? (
          <Colleagues id={id} />
        ) : (
          <p className={css.hint}>{t('Outras pessoas podem não ver este atendimento; um supervisor sabe por quê.')}</p>
        )}
      </div>
    </Modal>
  )
}

function Colleagues({ id }: { id: number }) {
  const { data, error, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...pages(tickets.viewers, { params: { id } }),
    staleTime: 0,
  })
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  if (!data) return <SkeletonRows kind="table" rows={4} />
  const people = data.pages.flatMap((page) => page.people)
  const parts = [
    { isSeen: false, title: plural(people.filter((one) => !one.visible).length, t('não vê'), t('não veem')) },
    { isSeen: true, title: plural(people.filter((one) => one.visible).length, t('vê'), t('veem')) },
  ]
  return (
    <>
      {parts.map(({ isSeen, title }) => {
        const shown = people.filter(({ visible }) => visible === isSeen)
        if (shown.length === 0) return null
        return (
          <section key={title}>
            <h3>{title}</h3>
            <ul>
              {shown.map((one) => (
                <li key={one.id}>
                  <NameCell
                    picture={<Avatar id={one.id} name={one.name} size={30} />}
                    name={one.name}
                    detail={whyDecided(one)}
                    faded={!isSeen}
                  />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      {hasNextPage && (
        <button type="button" className={css.more} onClick={() => void fetchNextPage()}>
          {t('Mais pessoas')}
        </button>
      )}
    </>
  )
}
