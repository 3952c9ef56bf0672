import { type Ref, useEffect, useImperativeHandle } from 'react'
import { formatBrazilian } from '#domain/phone/brazil.ts'
import { capabilitiesOf, channelType } from '#providers/channels/configs.ts'
import { call } from '#web/client.ts'
import { formatTime } from '#web/format.ts'
import { on } from '#web/realtime/realtime.ts'
import { t } from '#web/t.ts'
import { BatteryIcon, SignalIcon, TeamsIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { channelLook } from '#web/ui/identity/channels.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { useNow } from '#web/ui/use-now.ts'
import { lab, labEvents } from '../addresses.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { drawnAs } from './drawn-as.ts'
import { MailComposer } from './MailComposer.tsx'
import { PhoneComposer } from './PhoneComposer.tsx'
import { PhoneThread } from './PhoneThread.tsx'
import css from './phone.module.css'
import type { Hands } from './scripts.ts'
import type { Trace } from './trace.ts'
import { type Typing, usePhone } from './use-phone.ts'

const states = { composing: t('digitando…'), recording: t('gravando áudio…'), paused: t('online') }
// Name of the company's account on a phone, unless it is a plain WhatsApp.
const accountOf = ({ type, isLinked }: LabPhone): string =>
  isLinked || type === 'lab' ? states.paused : (channelType(type)?.name ?? '')
const glanceAfter = 700

/** Virtual phone: status bar, conversation with the company, composer. */
export function Phone(props: {
  phone: LabPhone
  company: string
  trace: Trace
  isActive: boolean
  onActive: () => void
  commands: readonly Command[]
  hands: Ref<Hands>
}) {
  const { phone, company, trace, isActive, onActive, commands, hands } = props
  const state = usePhone(phone, trace)
  const { type, send } = state
  const isDown = phone.faults.disconnected
  const { Icon } = channelLook(drawnAs(phone.type))
  const isMailbox = capabilitiesOf(phone.type).threads
  useReading(phone, state.messages)
  useImperativeHandle(hands, () => ({ type, send, reply: (signal) => nextReply(phone.id, signal) }), [
    type,
    send,
    phone.id,
  ])
  return (
    <section
      className={css.phone}
      data-phone={phone.id}
      data-active={isActive || undefined}
      aria-label={
        isMailbox ? t('Caixa de e-mail de {name}', { name: phone.name }) : t('Telefone de {name}', { name: phone.name })
      }
      onPointerDownCapture={onActive}
      onFocusCapture={onActive}
    >
      <header className={css.label}>
        {phone.isGroup ? <TeamsIcon size={17} /> : <Icon size={17} />}
        <b className="g-cut" title={formatBrazilian(phone.number) ?? phone.number}>
          {phone.name}
        </b>
        <Pill tone={isDown ? 'neg' : 'pos'}>{isDown ? t('sem conexão') : t('conectado')}</Pill>
        <CommandMenu commands={commands} size={26} label={t('Ações do telefone de {name}', { name: phone.name })} />
      </header>
      <div className={css.body}>
        <div className={css.screen}>
          <PhoneTop phone={phone} company={company} teamState={state.teamState} />
          <PhoneThread phone={phone} state={state} />
          {isMailbox ? <MailComposer phone={phone} state={state} /> : <PhoneComposer phone={phone} state={state} />}
        </div>
      </div>
    </section>
  )
}

/** Status bar of the phone, and the company or group of the conversation. */
function PhoneTop({ phone, company, teamState }: { phone: LabPhone; company: string; teamState: Typing }) {
  const now = useNow()
  return (
    <>
      <div className={css.bar} aria-hidden="true">
        <span>{formatTime(now)}</span>
        <i className={css.island} />
        <span>
          <SignalIcon size={14} />
          <BatteryIcon size={16} />
        </span>
      </div>
      <div className={css.who}>
        <Avatar
          id={phone.isGroup ? phone.id : `empresa ${company}`}
          name={phone.isGroup ? phone.name : company}
          size={30}
        />
        <span>
          <b className="g-cut">{phone.isGroup ? phone.name : company}</b>
          <small data-live={teamState !== 'paused' || undefined} aria-live="polite">
            {phone.faults.disconnected
              ? t('aguardando conexão…')
              : capabilitiesOf(phone.type).threads
                ? phone.number
                : phone.isGroup && teamState === 'paused'
                  ? phone.members.map(({ name }) => name.split(' ')[0]).join(', ')
                  : teamState === 'paused'
                    ? accountOf(phone)
                    : states[teamState]}
          </small>
        </span>
      </div>
    </>
  )
}

// An open phone reads what arrives, after the delay of human reading.
function useReading(phone: LabPhone, messages: readonly LabMessage[]): void {
  const isDown = phone.faults.disconnected
  const unread = messages.findLast((message) => !message.fromPhone && message.status === 'delivered')?.id
  useEffect(() => {
    if (!unread || isDown) return
    const read = () => {
      if (document.visibilityState !== 'visible') return
      call(lab.read, { params: { id: phone.id }, body: {} }, { quiet: true }).catch(() => {})
    }
    const timer = setTimeout(read, glanceAfter)
    document.addEventListener('visibilitychange', read)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', read)
    }
  }, [unread, isDown, phone.id])
}

function nextReply(phoneId: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = on(labEvents.message, (message) => {
      if (message.phoneId !== phoneId || message.fromPhone) return
      stop()
      resolve()
    })
    signal.addEventListener('abort', () => {
      stop()
      reject(signal.reason)
    })
  })
}
