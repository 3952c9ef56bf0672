import { buttonsOf } from '#domain/messages/data.ts'
import { formOf, frameOf, linkOf } from '#domain/messages/interactive.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import type { LabMessage, LabPhone } from '../contract.ts'
import { actOn } from './act.ts'
import css from './thread.module.css'
import type { Content } from './use-phone.ts'

const LOCATION = { latitude: -22.90556, longitude: -47.06083, name: t('Largo do Rosário'), address: t('Campinas, SP') }

/** Buttons below a message: its buttons, its link, its form, or sharing the location. */
export function PhoneButtons(props: {
  phone: LabPhone
  message: LabMessage
  send: (content: Content) => Promise<unknown>
}) {
  const { phone, message, send } = props
  const { mediaType, data } = message
  const set = mediaType === 'buttons' || mediaType === 'template' ? buttonsOf(data) : null
  const link = mediaType === 'cta_url' ? linkOf(data) : null
  const form = mediaType === 'form' ? formOf(data) : null
  const isLocationAsked = mediaType === 'location_request'
  if (!set?.buttons.length && !link && !form && !isLocationAsked) return null
  const { header, footer } = frameOf(data)
  return (
    <div className={css.buttons} role="group" aria-label={t('Botões')}>
      {header && <b>{header}</b>}
      {footer && <small>{footer}</small>}
      {set?.buttons.map(({ id, text }) => (
        <button key={id} type="button" onClick={() => void actOn(phone, message, { act: 'press', buttonId: id })}>
          {text}
        </button>
      ))}
      {link && (
        <a href={link.url} target="_blank" rel="noreferrer">
          {link.text}
        </a>
      )}
      {form && (
        <button
          type="button"
          onClick={() => notify({ tone: 'info', title: t('O formulário é do provedor: aqui ele não abre.') })}
        >
          {form.text}
        </button>
      )}
      {isLocationAsked && (
        <button type="button" onClick={() => void send({ text: '', location: LOCATION })}>
          {t('Enviar localização')}
        </button>
      )}
    </div>
  )
}
