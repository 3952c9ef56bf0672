import { useState } from 'react'
import css from './avatar.module.css'
import { channelLook } from './channels.ts'
import { hueOf, hueStyle, initials } from './hue.ts'

/** Presence of a person. */
export type Presence = 'online' | 'away' | 'offline'

/**
 * Avatar of a person, contact or company: the picture when it loads, else initials on the hue of `id`. `channel` puts the
 * channel's badge at the lower right, `status` a presence dot (10 px).
 */
export function Avatar(props: {
  id: string | number
  name: string
  src?: string | null
  size?: number
  channel?: string | null
  status?: Presence
  square?: boolean
}) {
  const { id, name, src, size = 42, channel, status, square } = props
  const [broken, setBroken] = useState<string>()
  const look = channel ? channelLook(channel) : undefined
  const badge = size >= 38 ? 17 : 14
  return (
    <span
      className={css.avatar}
      data-square={square || undefined}
      style={{ ...hueStyle(hueOf(id)), width: size, height: size, fontSize: Math.max(9, Math.round(size * 0.37)) }}
    >
      {src && src !== broken ? (
        <img src={src} alt="" width={size} height={size} loading="lazy" onError={() => setBroken(src)} />
      ) : (
        <span aria-hidden="true">{initials(name)}</span>
      )}
      {look && (
        <span
          className={css.badge}
          style={{ width: badge + 3, height: badge + 3, color: look.color }}
          role="img"
          aria-label={look.name}
        >
          <look.Icon size={badge - 4} />
        </span>
      )}
      {status && <span className={css.dot} data-status={status} role="img" aria-label={statusName[status]} />}
    </span>
  )
}

const statusName: Record<Presence, string> = { online: 'online', away: 'ausente', offline: 'offline' }
