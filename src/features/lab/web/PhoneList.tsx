import { frameOf, listOf } from '#domain/messages/interactive.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { actOn } from './act.ts'
import css from './thread.module.css'

/** List message, which opens for choosing a row. */
export function PhoneList({ phone, message }: { phone: LabPhone; message: LabMessage }) {
  const list = message.mediaType === 'list' ? listOf(message.data) : null
  if (!list) return null
  const { header, footer } = frameOf(message.data)
  return (
    <div className={css.buttons}>
      {header && <b>{header}</b>}
      {footer && <small>{footer}</small>}
      <details className={css.list}>
        <summary>{list.button}</summary>
        {list.sections.map(({ title, rows }, index) => (
          <div key={index} className={css.buttons} role="group" aria-label={title ?? list.button}>
            {title && <small>{title}</small>}
            {rows.map((row) => (
              <button
                key={row.id}
                type="button"
                onClick={() => void actOn(phone, message, { act: 'press', buttonId: row.id })}
              >
                {row.title}
                {row.description && <small>{row.description}</small>}
              </button>
            ))}
          </div>
        ))}
      </details>
    </div>
  )
}
