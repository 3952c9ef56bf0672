import { Button, Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { uuid } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { Notice, Pair, SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { FieldErrors, SetField } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { calendarEvents } from '../addresses.ts'
import type { CalendarAccount, CalendarEvent } from '../contract.ts'
import { eventChanges, eventFilled } from '../forms.ts'
import css from './calendar.module.css'
import { dayOfWall, momentOf, wallOf } from './items.ts'

type Account = Pick<CalendarAccount, 'id' | 'name' | 'status'>

type Values = {
  configId: string
  title: string
  isAllDay: boolean
  /** Local time: `YYYY-MM-DD`, with `THH:mm` unless all-day. */
  start: string
  end: string
  location: string
  description: string
  attendees: string[]
  reminder: string
  hasMeet: boolean
  notifies: boolean
}

const reminders = [
  { value: '', label: t('Como a agenda costuma lembrar') },
  ...[0, 5, 10, 15, 30, 60, 120, 1440, 2880, 10_080].map((minutes) => ({
    value: String(minutes),
    label: minuteText(minutes),
  })),
]

function minuteText(minutes: number): string {
  if (minutes === 0) return t('Na hora')
  if (minutes % 1440 === 0) return t('{days} dia(s) antes', { days: minutes / 1440 })
  if (minutes % 60 === 0) return t('{hours} h antes', { hours: minutes / 60 })
  return t('{minutes} min antes', { minutes })
}

const inputOf = (wall: string) => wall.slice(0, 16).replace(' ', 'T')
const timed = (value: string, clock: string) => (value.includes('T') ? value : `${value}T${clock}`)

const valuesOf = (event: CalendarEvent): Values => ({
  ...{ configId: String(event.configId), title: event.title, isAllDay: event.isAllDay },
  start: event.isAllDay ? event.start : inputOf(wallOf(Date.parse(event.start))),
  end: event.isAllDay ? event.end : inputOf(wallOf(Date.parse(event.end))),
  ...{ location: event.location, description: event.description, attendees: event.attendees.map(({ email }) => email) },
  reminder: event.reminderMinutes === null ? '' : String(event.reminderMinutes),
  ...{ hasMeet: event.hasMeet, notifies: event.attendees.length > 0 },
})

/** Converts form values to the request body. */
function bodyOf({ configId: _, isAllDay, start, end, reminder, ...rest }: Values) {
  const times = isAllDay
    ? { start: dayOfWall(start), end: dayOfWall(end) }
    : { start: momentOf(timed(start, '09:00')), end: momentOf(timed(end, '10:00')) }
  return { ...rest, ...times, reminderMinutes: reminder === '' ? null : Number(reminder) }
}

const checker = {
  safeParse: (values: Values) => {
    const written = eventFilled.safeParse(values)
    return written.success ? eventChanges.safeParse(bodyOf(values)) : written
  },
}

/** Drawer of an event, or of a new one between two local times (days: all-day). */
export function EventForm(
  props: { accounts: readonly Account[]; onClose: () => void } & (
    | { event: CalendarEvent }
    | { start: string; end: string }
  ),
) {
  const { accounts, onClose } = props
  const event = 'event' in props ? props.event : null
  const there = accounts.filter(({ status }) => status !== 'new')
  const [id] = useState(uuid)
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(emptyOf(props, there[0]), {
    stored: event && valuesOf(event),
    checker,
    onClose,
  })
  const isReadOnly = event !== null && !event.isEditable
  const send = () => sendEvent(values, event, id)
  return (
    <FormDrawer
      {...drawer}
      onSave={() => (isReadOnly || event?.isConflict ? onClose() : void save(send))}
      title={event === null ? t('Novo evento') : event.title || t('(sem título)')}
      sub={accounts.find((one) => String(one.id) === values.configId)?.name}
      {...((isReadOnly || event?.isConflict) && { saveLabel: t('Fechar') })}
      size={540}
    >
      {event && <State event={event} onClose={onClose} />}
      {event === null && there.length > 1 && (
        <AccountField accounts={there} value={values.configId} onChange={(next) => set('configId', next)} />
      )}
      <fieldset className={css.form} disabled={isReadOnly || (event?.isConflict ?? false)}>
        <TextInput
          label={t('Título')}
          required
          autoFocus={event === null}
          maxLength={300}
          value={values.title}
          error={errors['title']}
          onChange={(change) => set('title', change.currentTarget.value)}
        />
        <WhenFields values={values} errors={errors} set={set} />
        <GuestFields values={values} errors={errors} set={set} />
        <DetailFields values={values} errors={errors} set={set} />
      </fieldset>
      {event && !isReadOnly && !event.isConflict && <RemoveButton event={event} onRemoved={onClose} />}
    </FormDrawer>
  )
}

/** Saves the event, or creates one with the id; returns the notice. */
async function sendEvent(values: Values, event: CalendarEvent | null, id: string): Promise<string> {
  const body = bodyOf(values)
  if (event) {
    const changes = { ...body, etag: event.etag }
    await call(calendarEvents.update, { params: { id: event.id }, body: changes }, { quiet: true })
    return t('Evento salvo')
  }
  const made = { ...body, id, configId: Number(values.configId) }
  const { waiting } = await call(calendarEvents.create, { body: made }, { quiet: true })
  return waiting ? t('Evento salvo: vai para o Google assim que der') : t('Evento criado')
}

/** Choice of the calendar of a new event. */
function AccountField(props: { accounts: readonly Account[]; value: string; onChange: (id: string) => void }) {
  const { accounts, value, onChange } = props
  return (
    <Select
      label={t('Agenda')}
      allowDeselect={false}
      data={accounts.map((one) => ({ value: String(one.id), label: one.name }))}
      value={value}
      onChange={(next) => next && onChange(next)}
    />
  )
}

type FieldProps = {
  values: Values
  errors: FieldErrors
  set: SetField<Values>
}

/** Fields of the start and the end; an end before the start moves with it. */
function WhenFields({ values, errors, set }: FieldProps) {
  const setAllDay = (isAllDay: boolean) => {
    set('isAllDay', isAllDay)
    set('start', isAllDay ? dayOfWall(values.start) : timed(values.start, '09:00'))
    set('end', isAllDay ? dayOfWall(values.end) : timed(values.end, '10:00'))
  }
  return (
    <>
      <SwitchRow name={t('Dia inteiro')} checked={values.isAllDay} onChange={setAllDay} />
      <Pair>
        <TextInput
          type={values.isAllDay ? 'date' : 'datetime-local'}
          label={t('Começo')}
          required
          value={values.start}
          error={errors['start']}
          onChange={(change) => {
            const next = change.currentTarget.value
            if (values.end < next) set('end', next)
            set('start', next)
          }}
        />
        <TextInput
          type={values.isAllDay ? 'date' : 'datetime-local'}
          label={t('Fim')}
          required
          value={values.end}
          error={errors['end']}
          onChange={(change) => set('end', change.currentTarget.value)}
        />
      </Pair>
    </>
  )
}

/** Fields of the guests and their notification. */
function GuestFields({ values, errors, set }: FieldProps) {
  return (
    <>
      <TagsInput
        label={t('Convidados')}
        description={t('O e-mail de cada um; Enter acrescenta.')}
        placeholder={values.attendees.length === 0 ? t('nome@exemplo.com') : ''}
        splitChars={[',', ';', ' ']}
        value={values.attendees}
        error={errors['attendees']}
        onChange={(next) => set('attendees', next)}
      />
      {values.attendees.length > 0 && (
        <SwitchRow
          name={t('Avisar os convidados por e-mail')}
          checked={values.notifies}
          onChange={(next) => set('notifies', next)}
        />
      )}
    </>
  )
}

/** Fields of the video call, place, reminder and description. */
function DetailFields({ values, errors, set }: FieldProps) {
  return (
    <>
      <SwitchRow
        name={t('Videochamada do Google Meet')}
        checked={values.hasMeet}
        onChange={(next) => set('hasMeet', next)}
      />
      <Pair>
        <TextInput
          label={t('Local')}
          maxLength={500}
          value={values.location}
          error={errors['location']}
          onChange={(change) => set('location', change.currentTarget.value)}
        />
        <ReminderField
          value={values.reminder}
          error={errors['reminderMinutes']}
          onChange={(next) => set('reminder', next)}
        />
      </Pair>
      <Textarea
        label={t('Descrição')}
        autosize
        minRows={3}
        maxLength={8000}
        value={values.description}
        error={errors['description']}
        onChange={(change) => set('description', change.currentTarget.value)}
      />
    </>
  )
}

/** Choice of the reminder; a stored one that is not offered remains. */
function ReminderField(props: { value: string; error: string | undefined; onChange: (minutes: string) => void }) {
  const { value, error, onChange } = props
  return (
    <Select
      label={t('Lembrete')}
      allowDeselect={false}
      data={
        reminders.some((one) => one.value === value)
          ? reminders
          : [...reminders, { value, label: minuteText(Number(value)) }]
      }
      value={value}
      error={error}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}

/** Button that removes the event, after a confirmation. */
function RemoveButton({ event, onRemoved }: { event: CalendarEvent; onRemoved: () => void }) {
  const remove = async () => {
    const isSure = await confirm({
      title: t('Excluir {name}?', { name: event.title }),
      text: t('Ele sai também da agenda no Google.'),
      action: t('Excluir'),
      tone: 'neg',
    })
    const work = () => call(calendarEvents.remove, { params: { id: event.id } }, { quiet: true })
    if (isSure && (await attempt(work, t('Evento excluído')))) onRemoved()
  }
  return (
    <div>
      <Button variant="subtle" color="red" onClick={() => void remove()}>
        {t('Excluir o evento')}
      </Button>
    </div>
  )
}

function emptyOf(props: object, account: Account | undefined): Values {
  const { start, end } = props as { start?: string; end?: string }
  const isAllDay = start !== undefined && start.length <= 10
  return {
    ...{ configId: String(account?.id ?? ''), title: '', isAllDay },
    ...{ start: inputOf(start ?? ''), end: inputOf(end ?? '') },
    ...{ location: '', description: '', attendees: [], reminder: '', hasMeet: false, notifies: true },
  }
}

/** Section with an event's state at Google: links, pending changes, conflicts. */
function State({ event, onClose }: { event: CalendarEvent; onClose: () => void }) {
  const { id, meetUrl, url, waiting, problem, isConflict, isEditable, isRecurring } = event
  const reconcile = async (choice: 'ours' | 'theirs') => {
    const done = choice === 'ours' ? t('A sua alteração vai para o Google') : t('Ficou como está no Google')
    const work = async () => {
      await call(calendarEvents.reconcile, { params: { id }, body: { use: choice } }, { quiet: true })
      return true
    }
    if (await attempt(work, done)) onClose()
  }
  return (
    <>
      {isConflict ? (
        <Notice tone="warn">
          {t('{problem} A sua alteração ainda está aqui: diga qual das duas fica.', { problem })}
          <span className={css.choice}>
            <Button size="compact-sm" onClick={() => void reconcile('ours')}>
              {t('Ficar com a minha')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => void reconcile('theirs')}>
              {t('Ficar com a do Google')}
            </Button>
          </span>
        </Notice>
      ) : (
        waiting && (
          <Notice tone="warn">
            {problem ? t('Ainda não está no Google. {problem}', { problem }) : t('Ainda não está no Google.')}
          </Notice>
        )
      )}
      {!isEditable && <Notice tone="info">{t('Este evento só pode ser alterado no Google, por quem o criou.')}</Notice>}
      {isRecurring && isEditable && <Notice tone="info">{t('Faz parte de uma série: só este dia muda.')}</Notice>}
      {(meetUrl || url) && (
        <p className={css.links}>
          {meetUrl && (
            <a href={meetUrl} target="_blank" rel="noreferrer noopener">
              {t('Entrar na videochamada')}
            </a>
          )}
          {url && (
            <a href={url} target="_blank" rel="noreferrer noopener">
              {t('Abrir no Google')}
            </a>
          )}
        </p>
      )}
    </>
  )
}
