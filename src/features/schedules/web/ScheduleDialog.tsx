import { Modal, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { signed, unsigned } from '#domain/messages/signature.ts'
import { messages } from '#features/messages/addresses.ts'
import { wishOf } from '#features/messages/web/composer/mail-draft.ts'
import type { ScheduleSubject } from '#features/messages/web/composer/schedule-subject.ts'
import { type FileAbilities, partsOf } from '#features/messages/web/outbox/attachments.ts'
import { refreshTicket } from '#features/messages/web/ticket/ticket.ts'
import { isApiError, sentence, uuid } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime, timeZone } from '#web/format.ts'
import { usePreferences } from '#web/preferences.ts'
import { isSettingOn } from '#web/session/permissions.ts'
import { stored, viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { confirmDiscard } from '#web/ui/feedback/confirm.tsx'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import dialogs from '#web/ui/feedback/dialogs.module.css'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { useUnsaved } from '#web/unsaved.ts'
import { schedules } from '../addresses.ts'
import { repeatsFrom, repeatText } from './repeats.ts'
import { ScheduleText } from './ScheduleText.tsx'
import css from './schedule.module.css'
import { type Recipient, sendScheduled } from './send-scheduled.ts'
import { momentAt, wallOf } from './wall.ts'

const none: FileAbilities = { files: {}, viewOnce: [], transcodes: false }

/** Hook that prefixes the user's signature, if enabled. */
function useSigning(): (text: string) => string {
  const { signs, signature } = usePreferences()
  const { username, profile } = viewer()
  const name = username || (stored<{ name?: string }>('usuario')?.name ?? '')
  const isWanted = signs || (isSettingOn('signed') && profile === 'user')
  return (text) => (isWanted && text ? signed(text, name, signature) : text)
}

type Props = {
  /** Null: not in a ticket yet. */
  ticketId: number | null
  name: string
  subject: ScheduleSubject
  /** File abilities of the channel; omitted: no files. */
  abilities?: FileAbilities | undefined
  /** Returns the recipient of a message without ticket; null if something is missing, which has been shown. */
  recipientOf?: () => Recipient | null
  /** Fields above the text. */
  children?: ReactNode
  onClose: () => void
}

/** “Agendar mensagem”: dialog with the time, cancellation by the customer's answer, and repetition. */
export function ScheduleDialog(props: Props) {
  const { name, subject, abilities = none, children, onClose } = props
  const { change } = subject
  const draft = useDraft(subject)
  const { problem, setProblem, busy, submit } = useSubmit(props, draft)
  const isDirty = draft.isChanged || draft.files.length > 0
  useUnsaved(isDirty)
  const close = async () => {
    if (!isDirty || (await confirmDiscard({ text: t('A mensagem ainda não foi agendada.') }))) onClose()
  }
  return (
    <Modal
      opened
      onClose={() => void close()}
      size={460}
      title={
        change ? t('Alterar agendamento') : name ? t('Agendar mensagem para {name}', { name }) : t('Agendar mensagem')
      }
    >
      <form
        className={dialogs.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        <Fields
          subject={subject}
          draft={draft}
          problem={problem}
          takesFocus={subject.body === '' && !children}
          abilities={abilities}
          onProblem={setProblem}
        />
        <DialogEnd
          problem={problem.all}
          action={change ? t('Salvar') : t('Agendar')}
          busy={busy}
          onClose={() => void close()}
        />
      </form>
    </Modal>
  )
}

type Problem = { date?: string; body?: string; all?: string }

/** Fields of the message, its time, repetition and cancellation. */
function Fields(props: {
  subject: ScheduleSubject
  draft: ReturnType<typeof useDraft>
  problem: Problem
  takesFocus: boolean
  abilities: FileAbilities
  onProblem: (problem: Problem) => void
}) {
  const { subject, draft, problem, takesFocus, abilities, onProblem } = props
  const { change } = subject
  return (
    <>
      <ScheduleText
        body={draft.body}
        onBody={draft.setBody}
        error={problem.body}
        takesFocus={takesFocus}
        files={draft.files}
        onFiles={draft.setFiles}
        abilities={abilities}
        fileName={change?.mediaName ?? null}
      />
      <WhenFields
        wall={draft.wall}
        error={problem.date}
        onChange={(next) => {
          draft.setWall(next)
          onProblem({})
        }}
      />
      <RepeatField
        at={momentAt(draft.wall)}
        stored={change?.repeat ?? null}
        value={draft.repeat}
        onChange={draft.setRepeat}
      />
      <SwitchGroup>
        <SwitchRow
          name={t('Cancelar se o cliente responder')}
          effect={t('Se ele escrever antes do horário, a mensagem não sai.')}
          checked={draft.cancelOnReply}
          onChange={draft.setCancelOnReply}
        />
      </SwitchGroup>
    </>
  )
}

/** Hook with the fields of the dialog, filled in from the message. */
function useDraft(subject: ScheduleSubject) {
  const { change } = subject
  const [first] = useState(() => (change ? unsigned(subject.body, change.userName) : subject.body))
  const [body, setBody] = useState(first)
  const [files, setFiles] = useState(subject.files ?? [])
  const [wall, setWall] = useState(change ? wallOf(Date.parse(change.scheduleDate)) : '')
  const [cancelOnReply, setCancelOnReply] = useState(change?.cancelOnReply ?? false)
  const [repeat, setRepeat] = useState(change?.repeat ?? '')
  return {
    first,
    body,
    setBody,
    files,
    setFiles,
    wall,
    setWall,
    cancelOnReply,
    setCancelOnReply,
    repeat,
    setRepeat,
    isChanged: body !== first,
  }
}

/** Hook that checks and schedules the message, and shows what is wrong. */
function useSubmit({ ticketId, subject, recipientOf, onClose }: Props, draft: ReturnType<typeof useDraft>) {
  const { change } = subject
  const { first, body, files, wall, cancelOnReply, repeat, isChanged } = draft
  const [problem, setProblem] = useState<Problem>({})
  const [busy, setBusy] = useState(false)
  const [idFront] = useState(uuid)
  const sign = useSigning()
  const submit = async () => {
    const at = momentAt(wall)
    if (at === null) return setProblem({ date: t('Escolha o dia e o horário.') })
    const isEmpty = body.trim() === '' && files.length === 0 && !change?.mediaName
    if (isEmpty) return setProblem({ body: t('Escreva a mensagem.') })
    if (files.some((file) => file.problem)) return
    const to = ticketId === null ? (recipientOf?.() ?? null) : { ticketId }
    if (to === null) return
    const mail = subject.mail ? wishOf(subject.mail) : null
    if (mail === undefined) return setProblem({ all: t('Confira os destinatários do e-mail antes de agendar.') })
    setProblem({})
    setBusy(true)
    const when = { scheduleDate: new Date(at).toISOString(), cancelOnReply, repeat }
    try {
      if (change) await saveChange(subject, change, isChanged ? { from: first, to: body.trim() } : null, when)
      else await sendNew(to, { subject, body: body.trim(), files, mail, sign, idFront }, when)
      notify({ tone: 'pos', title: t('Agendada para {when}', { when: formatDateTime(at) }) })
      subject.onDone()
      if (ticketId !== null) refreshTicket(ticketId)
      onClose()
    } catch (error) {
      const detail = isApiError(error) ? error.details['scheduleDate'] : undefined
      setProblem(typeof detail === 'string' ? { date: detail } : { all: sentence(error) })
    } finally {
      setBusy(false)
    }
  }
  return { problem, setProblem, busy, submit }
}

type When = { readonly scheduleDate: string; readonly cancelOnReply: boolean; readonly repeat: string }

/** Saves a scheduled message; `text` is the typed part before and after the change, null if unchanged. */
async function saveChange(
  { body }: ScheduleSubject,
  change: NonNullable<ScheduleSubject['change']>,
  text: { from: string; to: string } | null,
  { scheduleDate, cancelOnReply, repeat }: When,
): Promise<void> {
  const changes = {
    // The signature before the typed text remains.
    ...(text && { body: body.replace(text.from, () => text.to) }),
    scheduleDate,
    cancelOnReply,
    ...(repeat !== (change.repeat ?? '') && { repeat: repeat || null }),
  }
  await call(messages.change, { params: { id: change.id }, body: changes }, { quiet: true })
}

type NewMessage = {
  readonly subject: ScheduleSubject
  readonly body: string
  readonly files: NonNullable<ScheduleSubject['files']>
  readonly mail: NonNullable<ReturnType<typeof wishOf>> | null
  readonly sign: (text: string) => string
  readonly idFront: string
}

/** Schedules a new message, one part for each file. */
async function sendNew(
  to: Recipient,
  { subject, body, files, mail, sign, idFront }: NewMessage,
  { repeat, ...when }: When,
): Promise<void> {
  const parts = files.length > 0 ? await partsOf(body, files, null) : [{ body, file: null }]
  const contents = parts.map(({ body: text, file }, index) => ({
    body: sign(text),
    file,
    mail,
    quotedMsgId: index === 0 ? subject.quotedMsgId : undefined,
  }))
  await sendScheduled(to, contents, { ...when, repeat: repeat || null }, idFront)
}

/** Fields of the sending date and time, with the usual times as buttons. */
function WhenFields(props: { wall: string; error: string | undefined; onChange: (wall: string) => void }) {
  const { wall, error, onChange } = props
  const { data } = useQuery({ ...query(schedules.choices, {}), staleTime: 0 })
  return (
    <div className={css.when}>
      <div className={css.choices} role="group" aria-label={t('Horários de sempre')}>
        {data?.choices.map((choice) => (
          <button
            key={choice.at}
            type="button"
            className={css.choice}
            aria-pressed={momentAt(wall) === Date.parse(choice.at)}
            onClick={() => onChange(wallOf(Date.parse(choice.at)))}
          >
            {choice.label}
          </button>
        ))}
      </div>
      <TextInput
        type="datetime-local"
        label={t('Dia e horário')}
        withAsterisk
        value={wall}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

/** Choice of the repetition; a stored rule that is not offered for this time is kept until another is chosen. */
function RepeatField(props: {
  at: number | null
  stored: string | null
  value: string
  onChange: (rule: string) => void
}) {
  const { at, stored: rule, value, onChange } = props
  const local = at === null ? null : localTime(at, offsetMinutes(timeZone(), at))
  const usual = local ? repeatsFrom(local) : [{ value: '', label: t('Não repete') }]
  const repeats =
    rule && !usual.some((one) => one.value === rule)
      ? [...usual, { value: rule, label: t('Como está: {how}', { how: repeatText(rule) }) }]
      : usual
  return (
    <Select
      label={t('Repetir')}
      allowDeselect={false}
      disabled={local === null}
      data={repeats}
      value={repeats.some((one) => one.value === value) ? value : ''}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
