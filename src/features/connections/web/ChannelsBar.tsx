import { Link } from '@tanstack/react-router'
import { useChoices } from '#web/choices.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import type { ConnectionRow } from '../contract.ts'
import css from './channels-bar.module.css'
import { needsAttention, stateOf } from './labels.ts'
import { useLiveConnections } from './live.ts'

/** Bar of the company's channels with their statuses, those that need attention first. */
export function ChannelsBar() {
  useLiveConnections()
  const rows = useChoices('connections').filter(({ wasConnected }) => wasConnected)
  const mayOpen = useMay()('connections:list')
  if (rows.length === 0) return null
  const sorted = rows.toSorted((a, b) => Number(needsAttention(b)) - Number(needsAttention(a)))
  return (
    <section className={css.bar} aria-label={t('Canais')}>
      <ul>
        {sorted.map((row) => (
          <li key={row.id} data-tone={stateOf(row).tone}>
            {mayOpen ? (
              <Link to={'/sessoes'} search={{ busca: row.name }}>
                <Channel row={row} />
              </Link>
            ) : (
              <span>
                <Channel row={row} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Channel({ row }: { row: ConnectionRow }) {
  const { Icon } = channelLook(row.type)
  const { text } = stateOf(row)
  return (
    <>
      <Icon size={15} />
      <b className="g-cut">{row.name}</b>
      <span className={needsAttention(row) ? 'g-cut' : 'g-hidden'}>{text}</span>
    </>
  )
}
