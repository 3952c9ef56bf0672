import { useEffect, useLayoutEffect, useRef } from 'react'
import { RichText } from '#features/conversations/web/index.ts'
import { formatDay, formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { Ticks } from '#web/ui/identity/Ticks.tsx'
import type { LabMessage, LabPhone } from '../contract.ts'
import { PhoneMedia } from './PhoneMedia.tsx'
import css from './thread.module.css'
import type { PhoneState } from './use-phone.ts'

/** The conversation on the phone: the person's own words at right, as on every WhatsApp. */
export function PhoneThread({ phone, state }: { phone: LabPhone; state: PhoneState }) {
  const { messages, older, isPending } = state
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const height = useRef(0)
  const last = messages.at(-1)
  const first = messages[0]?.id
  // Older messages leave what is read where it is.
  useLayoutEffect(() => {
    const view = box.current
    if (!view) return
    if (first && height.current > 0 && !atEnd.current) view.scrollTop += view.scrollHeight - height.current
    height.current = view.scrollHeight
  }, [first])
  useLayoutEffect(() => {
    if (last?.fromPhone) atEnd.current = true
  }, [last])
  // Whatever grows (a message, a picture that gets its size late, the typing dots) keeps the end in sight.
  useEffect(() => {
    const view = box.current
    if (!view || !content.current) return
    const watch = new ResizeObserver(() => {
      if (atEnd.current) view.scrollTop = view.scrollHeight
      height.current = view.scrollHeight
    })
    watch.observe(content.current)
    return () => watch.disconnect()
  }, [])
  const scroll = () => {
    const view = box.current
    if (!view) return
    atEnd.current = view.scrollHeight - view.scrollTop - view.clientHeight < 40
    if (view.scrollTop < 60) older?.()
  }
  return (
    <div ref={box} className={css.thread} onScroll={scroll}>
      <div ref={content}>
        <ol aria-label={t('Conversa de {name}', { name: phone.name })}>
          {messages.map((message, index) => (
            <Row
              key={message.id}
              phone={phone}
              state={state}
              message={message}
              before={messages[index - 1]}
              quoted={messages.find(({ id }) => id === message.quotedId)}
            />
          ))}
        </ol>
        {!isPending && messages.length === 0 && (
          <p className={css.empty}>
            {t('Escreva como {name} e veja a conversa chegar ao atendimento.', { name: phone.name })}
          </p>
        )}
        {state.teamState !== 'paused' && !phone.faults.disconnected && (
          <span className={css.typing} role="status" aria-label={t('A equipe está digitando')}>
            <i />
            <i />
            <i />
          </span>
        )}
      </div>
    </div>
  )
}

function Row(props: {
  phone: LabPhone
  state: PhoneState
  message: LabMessage
  before: LabMessage | undefined
  quoted: LabMessage | undefined
}) {
  const { phone, state, message, before, quoted } = props
  const day = formatDay(message.timestamp)
  const isNewDay = !before || formatDay(before.timestamp) !== day
  const isGrouped = !isNewDay && before.fromPhone === message.fromPhone
  return (
    <li className={css.row} data-own={message.fromPhone || undefined} data-grouped={isGrouped || undefined}>
      {isNewDay && <span className={css.day}>{before ? day : `${day} · ${phone.name}`}</span>}
      <div className={css.bubble} data-bare={(message.file && !message.body) || undefined}>
        {quoted && (
          <blockquote className={css.quoted}>
            <b>{quoted.fromPhone ? phone.name : t('Equipe')}</b>
            {quoted.body || quoted.file?.name}
          </blockquote>
        )}
        {message.file && (
          <PhoneMedia phoneId={phone.id} message={message} file={message.file} onBroken={state.reload} />
        )}
        {message.body && (
          <span className={css.text}>
            <RichText text={message.body} />
          </span>
        )}
        <span className={css.time}>
          {formatTime(message.timestamp)}
          {message.fromPhone && <Ticks status={message.status} size={14} />}
        </span>
      </div>
    </li>
  )
}
