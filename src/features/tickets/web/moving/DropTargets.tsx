import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTicketRow } from '#features/messages/web/ticket/store.ts'
import { t } from '#web/t.ts'
import { SnoozeIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import type { Doors } from '../actions/doors.ts'
import { useColleagues } from '../choices/choices.ts'
import { moveToColleague, moveToTab, receivers } from './moves.ts'
import css from './moving.module.css'

/** Drop targets while a row is dragged: marks the tabs that accept it, and lists receiving colleagues below. */
export function DropTargets({ id, doors, onEnd }: { id: number; doors: Doors; onEnd: () => void }) {
  const row = useTicketRow(id)
  const people = useColleagues(row?.queueId) ?? []
  const latest = useRef({ row, doors })
  latest.current = { row, doors }
  const hasEnded = useRef(false)
  const end = () => {
    if (!hasEnded.current) onEnd()
    hasEnded.current = true
  }
  // The end of the drag must not close what a drop opened.
  const ending = useRef(end)
  ending.current = end
  const { pane, hasSnoozed } = useTabsAsTargets(id, latest, ending)
  const given = row ? receivers(row, people) : []
  const snooze = row && !hasSnoozed ? moveToTab('snoozed', row, doors) : null
  if (!row || !pane || (given.length === 0 && !snooze)) return null
  return createPortal(
    <div className={css.targets}>
      <p>{t('Solte em uma aba ou dê a um colega')}</p>
      <div>
        {snooze && (
          <Target onDrop={snooze} onEnd={end}>
            <SnoozeIcon size={17} />
            {t('Adiar')}
          </Target>
        )}
        {given.map((person) => (
          <Target key={person.id} onDrop={() => void moveToColleague(row, person, doors)} onEnd={end}>
            <Avatar id={person.id} name={person.name} size={22} />
            <span className="g-cut">{person.name}</span>
          </Target>
        ))}
      </div>
    </div>,
    pane,
  )
}

/** Makes the tabs of the list take the dragged ticket; returns the pane of its row, and whether a tab snoozes. */
function useTabsAsTargets(
  id: number,
  latest: RefObject<{ row: ReturnType<typeof useTicketRow>; doors: Doors }>,
  ending: RefObject<() => void>,
) {
  const [pane, setPane] = useState<Element | null>(null)
  const [hasSnoozed, setHasSnoozed] = useState(true)
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const dragged = document.querySelector<HTMLElement>(`[role=list] a[href="/atendimento/${id}"]`)?.parentElement
    dragged?.setAttribute('data-dragged', '')
    setPane(dragged?.closest('section') ?? null)
    const tabs = [...document.querySelectorAll<HTMLElement>('[data-tab]')]
    setHasSnoozed(tabs.some(({ dataset }) => dataset['tab'] === 'snoozed'))
    for (const tab of tabs) {
      const doing = () => {
        const { row: now, doors: at } = latest.current
        return now ? moveToTab(tab.dataset['tab'], now, at) : null
      }
      if (!doing()) continue
      const mark = (state: string) => tab.setAttribute('data-drop', state)
      mark('')
      tab.addEventListener('dragover', (event) => event.preventDefault(), { signal })
      tab.addEventListener('dragenter', () => mark('over'), { signal })
      tab.addEventListener('dragleave', () => mark(''), { signal })
      tab.addEventListener('drop', (event) => dropped(event, doing(), ending.current), { signal })
    }
    // During a drag no pointer moves: if the row was removed meanwhile, a pointer move marks the end.
    for (const type of ['dragend', 'pointermove']) addEventListener(type, () => ending.current(), { signal })
    return () => {
      listening.abort()
      dragged?.removeAttribute('data-dragged')
      for (const tab of tabs) tab.removeAttribute('data-drop')
    }
  }, [id, latest, ending])
  return { pane, hasSnoozed }
}

function Target({ onDrop, onEnd, children }: { onDrop: () => void; onEnd: () => void; children: ReactNode }) {
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; keys have “Mover para”.
    <span
      className={css.target}
      data-drop={isOver ? 'over' : ''}
      onDragOver={(event) => event.preventDefault()}
      onDragEnter={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => dropped(event, onDrop, onEnd)}
    >
      {children}
    </span>
  )
}

// The browser would open a dropped link.
function dropped(event: Pick<Event, 'preventDefault'>, move: (() => void) | null, onEnd: () => void): void {
  event.preventDefault()
  onEnd()
  move?.()
}
