import { buttonsOf } from '#domain/messages/data.ts'
import { formOf, frameOf, type InteractiveType, linkOf, listOf } from '#domain/messages/interactive.ts'
import { t } from '#web/t.ts'
import css from './data-card.module.css'

/** Buttons, list, link or form below the text of an interactive message; display only. */
export function Pressable({ type, data }: { type: InteractiveType; data: unknown }) {
  const { footer } = frameOf(data)
  const list = listOf(data)
  const texts = type === 'location_request' ? [t('Enviar localização')] : [linkOf(data)?.text, formOf(data)?.text]
  const buttons = list ? [list.button] : (buttonsOf(data)?.buttons.map(({ text }) => text) ?? texts)
  const link = linkOf(data)
  return (
    <>
      {footer && <p className={css.footer}>{footer}</p>}
      <ul className={css.buttons} aria-label={t('Botões')}>
        {buttons.map((text, index) => text && <li key={index}>{text}</li>)}
      </ul>
      {link && <p className={css.footer}>{link.url}</p>}
      {list?.sections.map(({ title, rows }, index) => (
        <div key={index} className={css.section}>
          {title && <b>{title}</b>}
          <ul aria-label={title || t('Opções da lista')}>
            {rows.map((row) => (
              <li key={row.id}>
                {row.title}
                {row.description && <span>{row.description}</span>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  )
}
