import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { SnoozeIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import type { TicketRow } from '../../tickets-contract.ts'
import { accept, giveBack, reopen } from '../actions.ts'
import { runOne } from '../bulk/one.ts'
import type { Doors } from '../doors.ts'
import { useColleagues } from '../list/choices.ts'
import { useTicketRow } from '../live/store.ts'
import { resolve } from '../resolve.ts'
import css from './drag.module.css'

/** What dropping a ticket on a tab does; null where it changes nothing. */
function onTab(tab: string | undefined, row: TicketRow, { open, ask, follow }: Doors): (() => void) | null {
  const { id, status } = row
  const isMine = row.userId === viewer().userId
  if (tab === 'open' && status === 'closed') return () => void reopen(id, open).then((done) => done && follow(id))
  if (tab === 'open' && !(status === 'open' && isMine)) return () => void accept(row)
  if (tab === 'pending' && status === 'open') return () => void giveBack(id)
  if (tab === 'snoozed' && status !== 'closed') return () => ask('snooze', id)
  if (tab === 'closed' && status !== 'closed') return () => void resolve(row)
  return null
}

/** While a row is dragged: the tabs that can take it, and below the list the colleagues to whom it can be given. */
export function DropTargets({ id, doors, onEnd }: { id: number; doors: Doors; onEnd: () => void }) {
  const row = useTicketRow(id)
  const people = useColleagues(row?.queueId) ?? []
  const latest = useRef({ row, doors, onEnd })
  latest.current = { row, doors, onEnd }
  const [hasSnoozed, setHasSnoozed] = useState(true)
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const tabs = [...document.querySelectorAll<HTMLElement>('[data-tab]')]
    setHasSnoozed(tabs.some(({ dataset }) => dataset['tab'] === 'snoozed'))
    for (const tab of tabs) {
      const doing = () => latest.current.row && onTab(tab.dataset['tab'], latest.current.row, latest.current.doors)
      if (!doing()) continue
      const mark = (state: 'possible' | 'over') => {
        tab.dataset['drop'] = state
      }
      mark('possible')
      tab.addEventListener('dragover', (event) => event.preventDefault(), { signal })
      tab.addEventListener('dragenter', () => mark('over'), { signal })
      tab.addEventListener('dragleave', () => mark('possible'), { signal })
      tab.addEventListener(
        'drop',
        (event) => {
          event.preventDefault()
          doing()?.()
          latest.current.onEnd()
        },
        { signal },
      )
    }
    // The row that is dragged may leave the list meanwhile.
    addEventListener('dragend', () => latest.current.onEnd(), { signal })
    return () => {
      ending.abort()
      for (const tab of tabs) delete tab.dataset['drop']
    }
  }, [])
  if (!row || row.status === 'closed') return null
  const snooze = onTab('snoozed', row, doors)
  return (
    <div className={css.targets} role="listbox" aria-label={t('Soltar em')}>
      <p>{t('Solte em uma aba ou dê a um colega')}</p>
      <div>
        {!hasSnoozed && snooze && (
          <Target onDrop={snooze} onEnd={onEnd}>
            <SnoozeIcon size={17} />
            {t('Adiar')}
          </Target>
        )}
        {people
          .filter((one) => one.id !== row.userId)
          .map(({ id: userId, name }) => (
            <Target
              key={userId}
              onEnd={onEnd}
              onDrop={() =>
                void runOne(
                  id,
                  'transfer',
                  { userId, queueId: row.queueId },
                  t('{name} está com {who}', { name: row.name, who: name }),
                )
              }
            >
              <Avatar id={userId} name={name} size={22} />
              <span className="g-cut">{name}</span>
            </Target>
          ))}
      </div>
    </div>
  )
}

function Target(props: { onDrop: () => void; onEnd: () => void; children: ReactNode }) {
  const { onDrop, onEnd, children } = props
  const [isOver, setOver] = useState(false)
  return (
    <span
      className={css.target}
      role="option"
      aria-selected={isOver}
      tabIndex={-1}
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDragEnter={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault()
        onDrop()
        onEnd()
      }}
    >
      {children}
    </span>
  )
}
