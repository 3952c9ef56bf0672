import type { ReactNode } from 'react'
import { t } from '#web/t.ts'
import { Cobogo } from '#web/ui/identity/Cobogo.tsx'
import { drawn } from '#web/ui/identity/channel-looks.ts'
import { Mark, Wordmark } from '#web/ui/identity/mark.tsx'
import css from './login.module.css'

const channels = [
  { name: 'WhatsApp', icon: 'whatsapp', color: 'green' },
  { name: 'Instagram', icon: 'instagram', color: 'pink' },
  { name: 'Messenger', icon: 'messenger', color: 'blue' },
  { name: 'Telegram', icon: 'telegram', color: 'sky' },
  { name: 'WebChat', icon: 'webchat', color: 'indigo' },
  { name: 'E-mail', icon: 'email', color: 'amber' },
] as const

/** Layout of login and set-up pages: the form on the left, the illustration on the right (above on a phone). */
export function EntryFrame({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={css.frame}>
      <div className={css.strip} aria-hidden="true">
        <Cobogo columns={6} rows={3} waiting={false} />
        <span className={css.tab}>
          <Mark size={37} />
        </span>
      </div>
      <main className={css.side}>
        <div className={css.word}>
          <Wordmark size={34} />
        </div>
        <h1>{title}</h1>
        <p className={css.sub}>{text}</p>
        {children}
      </main>
      <aside className={css.wall}>
        <Cobogo columns={10} rows={11} />
        <section className={css.card}>
          <h2 className="g-title">{t('Todos os canais, uma fila só.')}</h2>
          <p>{t('Sua equipe responde de um lugar, e o cliente fala por onde preferir.')}</p>
          <ul>
            {channels.map((channel) => {
              const { Icon, color, name } = drawn(channel)
              return (
                <li key={name}>
                  <span style={{ color }}>
                    <Icon size={18} />
                  </span>
                  {name}
                </li>
              )
            })}
          </ul>
        </section>
      </aside>
    </div>
  )
}
