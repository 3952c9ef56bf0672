import { buttonsOf } from '#domain/messages/data.ts'
import { t } from '#web/t.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { actOn } from './act.ts'
import css from './thread.module.css'

/** The buttons of a message, for the person to press. */
export function PhoneButtons({ phone, message }: { phone: LabPhone; message: LabMessage }) {
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
