import { Modal, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTicketRow } from '#features/messages/web/ticket/store.ts'
import { folded } from '#web/fold.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import choices from '#web/ui/inputs/choices.module.css'
import type { Doors } from '../actions/doors.ts'
import acts from '../asked/ticket-acts.module.css'
import { useColleagues } from '../choices/choices.ts'
import { movesOf } from './moves.ts'
import css from './moving.module.css'

/** “Mover para” dialog: the moves of dragging, by keyboard and touch; typing filters, Enter takes the first. */
export function MoveTo({ id, doors, onClose }: { id: number; doors: Doors; onClose: () => void }) {
  const row = useTicketRow(id)
  const people = useColleagues(row?.queueId)
  const [search, setSearch] = useState('')
  if (!row) return null
  const found = movesOf(row, people ?? [], doors).filter(({ label }) => folded(label).includes(folded(search)))
  const pick = (move: (typeof found)[number] | undefined) => {
    if (!move) return
    onClose()
    move.run()
  }
  return (
    <Modal opened onClose={onClose} size={420} title={t('Mover {name}', { name: row.name })}>
      <form
        className={css.form}
        onKeyDown={step}
        onSubmit={(event) => {
          event.preventDefault()
          pick(found[0])
        }}
      >
        <TextInput
          data-autofocus
          type="search"
          aria-label={t('Aba ou colega')}
          placeholder={t('Aba ou colega')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <div className={`${choices.choices} ${css.moves}`}>
          {found.map((move) => (
            <button key={move.key} type="button" onClick={() => pick(move)}>
              <span className={css.who}>
                {move.person && <Avatar id={move.person.id} name={move.person.name} size={22} />}
                <span className="g-cut">{move.label}</span>
              </span>
              <span>{move.hint}</span>
            </button>
          ))}
        </div>
        {people && found.length === 0 && <p className={acts.hint}>{t('Nenhuma aba nem colega com esse nome.')}</p>}
      </form>
    </Modal>
  )
}

function step(event: KeyboardEvent<HTMLFormElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined) return
  event.preventDefault()
  const stops = [...event.currentTarget.elements] as HTMLElement[]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops[Math.min(Math.max(0, at + by), stops.length - 1)]?.focus()
}
