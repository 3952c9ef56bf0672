import { buttonsOf } from '#domain/messages/data.ts'
import { frameOf, listOf } from '#domain/messages/interactive.ts'
import { t } from '#web/t.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { actOn } from './act.ts'
import css from './thread.module.css'

type Props = { phone: LabPhone; message: LabMessage }

/** The buttons of a message, for the person to press. */
export function PhoneButtons({ phone, message }: Props) {
  const set = message.mediaType === 'buttons' ? buttonsOf(message.data) : null
  if (!set) return null
  return (
    <div className={css.buttons} role="group" aria-label={t('Botões')}>
      {set.footer && <small>{set.footer}</small>}
      {set.buttons.map(({ id, text }) => (
        <button key={id} type="button" onClick={() => void actOn(phone, message, { act: 'press', buttonId: id })}>
          {text}
        </button>
      ))}
    </div>
  )
}

/** A list, which the person opens to choose from. */
export function PhoneList({ phone, message }: Props) {
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
