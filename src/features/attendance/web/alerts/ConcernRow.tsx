import { formatListTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import css from './concern-row.module.css'

type Contact = {
  readonly contactId: number
  readonly name: string
  readonly profilePicUrl: string | null
  readonly channel: string
}

/** Row of a notification: contact, time, event and text; marked as new until seen. */
export function ConcernRow(props: {
  of: Contact
  at: string | number
  what: readonly string[]
  text: string
  isNew: boolean
  isCurrent?: boolean
  onOpen: () => void
}) {
  const { of, at, what, text, isNew, isCurrent, onOpen } = props
  return (
    <li>
      <button
        type="button"
        className={css.row}
        data-new={isNew || undefined}
        aria-current={isCurrent || undefined}
        onClick={onOpen}
      >
        <Avatar id={of.contactId} name={of.name} src={of.profilePicUrl} channel={of.channel} size={42} />
        <span className={css.content}>
          <span className={css.top}>
            <b className="g-cut">{of.name}</b>
            <time>{formatListTime(at)}</time>
          </span>
          <span className={css.what}>
            {what.map((part) => (
              <span key={part}>{part}</span>
            ))}
          </span>
          <span className={css.text}>{text}</span>
        </span>
        <i className={css.dot}>{isNew && <span className="g-hidden">{t('não vista')}</span>}</i>
      </button>
    </li>
  )
}
