import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { dataAsText } from '#domain/messages/data.ts'
import { mailOf } from '#domain/messages/mail.ts'
import { smsPartsOf } from '#domain/messages/sms.ts'
import { RichText } from '#features/messages/web/parts/rich-text.tsx'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { formatDay, formatTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { hueOf, hueStyle } from '#web/ui/identity/hue.ts'
import { Ticks } from '#web/ui/identity/Ticks.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { LabMessage, LabPhone } from '../contract.ts'
import { PhoneButtons } from './PhoneButtons.tsx'
import { PhoneList } from './PhoneList.tsx'
import { PhoneMedia } from './PhoneMedia.tsx'
import { PhonePoll } from './PhonePoll.tsx'
import css from './thread.module.css'
import type { PhoneState } from './use-phone.ts'

const EditOnPhone = lazyPart(async () => (await import('./EditOnPhone.tsx')).EditOnPhone)

/** Conversation on the phone, with the person's own messages at the right, as on WhatsApp. */
export function PhoneThread({ phone, state }: { phone: LabPhone; state: PhoneState }) {
  const { messages, older, isPending } = state
  const [editing, setEditing] = useState<LabMessage | null>(null)
  const { box, content, scroll } = useScroll(messages, older)
  return (
    <div ref={box} className={css.thread} onScroll={scroll}>
      <Suspense>{editing && <EditOnPhone phone={phone} message={editing} onClose={() => setEditing(null)} />}</Suspense>
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
              onEdit={setEditing}
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

function useScroll(messages: readonly LabMessage[], older: PhoneState['older']) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const height = useRef(0)
  const last = messages.at(-1)
  const first = messages[0]?.id
  // Loading older messages keeps the reading position.
  useLayoutEffect(() => {
    const view = box.current
    if (!view) return
    if (first && height.current > 0 && !atEnd.current) view.scrollTop += view.scrollHeight - height.current
    height.current = view.scrollHeight
  }, [first])
  useLayoutEffect(() => {
    if (last?.fromPhone) atEnd.current = true
  }, [last])
  // Keeps the end in sight when content grows (a message, a late picture, the typing dots).
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
  return { box, content, scroll }
}

function Row(props: {
  phone: LabPhone
  state: PhoneState
  message: LabMessage
  before: LabMessage | undefined
  quoted: LabMessage | undefined
  onEdit: (message: LabMessage) => void
}) {
  const { phone, state, message, before, quoted, onEdit } = props
  const day = formatDay(message.timestamp)
  const isNewDay = !before || formatDay(before.timestamp) !== day
  const isGrouped =
    !isNewDay && before.fromPhone === message.fromPhone && before.sender?.phoneId === message.sender?.phoneId
  // SMS have only text and no acts.
  const { smsParts } = capabilitiesOf(phone.type)
  return (
    <li className={css.row} data-own={message.fromPhone || undefined} data-grouped={isGrouped || undefined}>
      {isNewDay && <span className={css.day}>{before ? day : `${day} · ${phone.name}`}</span>}
      <div className={css.bubble} data-bare={(message.file && !message.body) || undefined}>
        <BubbleContent phone={phone} state={state} message={message} quoted={quoted} isGrouped={isGrouped} />
        <Sent phone={phone} message={message} />
        {!message.isDeleted && !smsParts && message.status !== 'pending' && (
          <span className={css.corner}>
            <CommandMenu
              size={26}
              label={t('Ações da mensagem')}
              load={async () => (await import('./message-commands.ts')).commandsOf(phone, message, onEdit, state)}
            />
          </span>
        )}
        {message.reactions.length > 0 && (
          <span
            className={css.reactions}
            role="img"
            aria-label={t('Reações: {all}', { all: emojiOf(message).join(' ') })}
          >
            {emojiOf(message).join(' ')}
          </span>
        )}
      </div>
      {!message.fromPhone && <PhoneButtons phone={phone} message={message} send={state.send} />}
      {!message.fromPhone && <PhoneList phone={phone} message={message} />}
      {!message.fromPhone && <PhonePoll phone={phone} message={message} voter={state.writer?.phoneId ?? phone.id} />}
    </li>
  )
}

/** Time and state of a message; neither SMS nor mail has receipts. */
function Sent({ phone, message }: { phone: LabPhone; message: LabMessage }) {
  const { smsParts, threads } = capabilitiesOf(phone.type)
  return (
    <span className={css.time}>
      {message.mentions?.everyone === 'hidden' && `${t('mencionou todos sem mostrar')} · `}
      {message.edited && `${t('editada')} · `}
      {smsParts && `${t('{parts} SMS', { parts: smsPartsOf(message.body).parts })} · `}
      {formatTime(message.timestamp)}
      {message.fromPhone && !smsParts && !threads && <Ticks status={message.status} size={14} />}
    </span>
  )
}

function BubbleContent(props: {
  phone: LabPhone
  state: PhoneState
  message: LabMessage
  quoted: LabMessage | undefined
  isGrouped: boolean
}) {
  const { phone, state, message, quoted, isGrouped } = props
  const { mentions } = message
  return (
    <>
      {message.sender && !isGrouped && (
        <b className={css.sender} style={{ color: hueStyle(hueOf(message.sender.phoneId)).color }}>
          {message.sender.name}
        </b>
      )}
      {quoted && (
        <blockquote className={css.quoted}>
          <b>{quoted.fromPhone ? (quoted.sender?.name ?? phone.name) : t('Equipe')}</b>
          {quoted.body || quoted.file?.name}
        </blockquote>
      )}
      <MailHeader message={message} />
      {message.isForwarded && <i className={css.forwarded}>{t('Encaminhada')}</i>}
      {message.file && <PhoneMedia phoneId={phone.id} message={message} file={message.file} onBroken={state.reload} />}
      {message.isDeleted ? (
        <i className={css.gone}>{t('Mensagem apagada')}</i>
      ) : (
        (message.body || asText(message)) && (
          <span className={css.text}>
            <RichText text={asText(message) ?? message.body} {...(mentions ? { names: mentions.people } : {})} />
          </span>
        )
      )}
    </>
  )
}

/** Subject and recipients of a mail. */
function MailHeader({ message }: { message: LabMessage }) {
  const mail = mailOf(message.data)
  if (!mail) return null
  const to = [...mail.to, ...mail.cc].map(({ name, address }) => name || address).join(', ')
  return (
    <span className={css.mail}>
      <b>{mail.subject || t('(sem assunto)')}</b>
      {to && <small>{t('Para: {people}', { people: to })}</small>}
    </span>
  )
}

const emojiOf = ({ reactions }: LabMessage): string[] => reactions.map(({ emoji }) => emoji)

const asText = ({ mediaType, data }: LabMessage): string | null => dataAsText(mediaType, data)
