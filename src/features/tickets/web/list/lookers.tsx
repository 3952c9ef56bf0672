import { firstOf } from '#domain/present.ts'
import css from '#features/messages/web/parts/conversation.module.css'
import { Tip } from '#features/messages/web/parts/Tip.tsx'
import type { Looker } from '#features/messages/web/ticket/presence.ts'
import { t } from '#web/t.ts'
import { ShowIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import rowCss from './ticket-row.module.css'

const doingOf = (state: Looker['state']): string =>
  state === 'viewing' ? t('está vendo') : state === 'recording' ? t('está gravando') : t('está digitando')

/** Colleagues who view or type in a row's ticket. */
export function RowLookers({ people }: { people: readonly Looker[] }) {
  const names = people.map(({ name, state }) => `${name} ${doingOf(state)}`).join(', ')
  const writes = people.some(({ state }) => state !== 'viewing')
  return (
    <span className={rowCss.lookers} data-typing={writes || undefined} title={names}>
      <ShowIcon size={13} />
      <span className="g-hidden">{names}</span>
      <span aria-hidden>{people.length > 1 ? people.length : firstOf(people).name.split(' ')[0]}</span>
    </span>
  )
}

/** Colleagues who view or type in the open conversation. */
export function Lookers({ people }: { people: readonly Looker[] }) {
  return (
    <span className={css.lookers}>
      {people.slice(0, 3).map(({ id, name, state }) => {
        const does = doingOf(state)
        return (
          <Tip key={id} label={`${name} ${does}`}>
            <span className={css.looker} data-state={state} role="img" aria-label={`${name} ${does}`}>
              <Avatar id={id} name={name} size={28} />
              <i>
                <ShowIcon size={10} />
              </i>
            </span>
          </Tip>
        )
      })}
    </span>
  )
}
