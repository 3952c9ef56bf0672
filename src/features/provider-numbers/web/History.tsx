import { Modal } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { pages } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { useLive } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { providerNumberEvents, providerNumbers } from '../addresses.ts'
import type { NumberRow } from '../contract.ts'
import { changeText } from './labels.ts'
import css from './numbers.module.css'

/** Dialog with a number's changes, newest first. */
export function History({ row: { whatsappId: id, name }, onClose }: { row: NumberRow; onClose: () => void }) {
  const list = useInfiniteQuery(pages(providerNumbers.changes, { params: { id }, query: {} }))
  useLive(providerNumbers.changes.family, [providerNumberEvents.changed])
  const changes = list.data?.pages.flatMap((page) => page.changes)
  return (
    <Modal opened onClose={onClose} size={480} title={t('Histórico de “{name}”', { name })}>
      {!changes && !list.error && <SkeletonRows kind="card" rows={3} />}
      {list.error && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {changes?.length === 0 && <p>{t('Nada mudou desde que o número foi conectado.')}</p>}
      <ul className={css.changes}>
        {changes?.map(({ id: of, what, before, after, at, isFall }) => {
          const { part, text } = changeText(what, before, after)
          return (
            <li key={of}>
              <span className={css.named}>
                <Pill tone={isFall ? 'neg' : 'pos'}>{part}</Pill>
                {text}
              </span>
              <small>{formatDateTime(at)}</small>
            </li>
          )
        })}
      </ul>
      <MoreButton list={list} />
    </Modal>
  )
}
