import { NumberInput, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { localTime } from '#domain/calendar/local-time.ts'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { loadTemplateChoice } from '#features/message-templates/web/index.ts'
import { repeatsFrom, repeatText } from '#features/schedules/web/repeats.ts'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import type { TemplateField } from '#kit/fields/template.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { useChoices } from '#web/choices.ts'
import { call, query } from '#web/client.ts'
import { TemplateInput } from '#web/fields/template.tsx'
import { lazyPart } from '#web/lazy-part.ts'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { FileChoice } from '#web/ui/inputs/FileChoice.tsx'
import { Notice, Pair, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { campaigns } from '../addresses.ts'
import { MOST_LETTERS } from '../forms.ts'
import css from './campaigns.module.css'
import { type CampaignValues, campaignChecker, campaignValues, emptyCampaign, sentCampaign } from './form-values.ts'
import { MessageShares } from './MessageShares.tsx'
import { PurposeSelect } from './PurposeSelect.tsx'
import { WeekdayChoice } from './WeekdayChoice.tsx'

const TemplateChoice = lazyPart(loadTemplateChoice)

const { name, firstName, lastName, businessName, email, phoneNumber, kanban } = TEMPLATE_VARIABLES
const variables = { firstName, name, lastName, businessName, email, phoneNumber, kanban }

const messageField = (number: number): TemplateField => ({
  kind: 'template',
  label: t('Mensagem {number}', { number }),
  max: MOST_LETTERS,
  variables,
})

const messages = ['message1', 'message2', 'message3'] as const

/** Drawer of one campaign: `id` of the row, or 'novo'. */
export function CampaignForm({ id, onClose }: { id: string; onClose: () => void }) {
  const isNew = id === 'novo'
  const row = useRow(campaigns.get, id)
  const connections = useChoices('connections').filter(
    ({ isAllowed, type }) => isAllowed && capabilitiesOf(type).begins === 'anyone',
  )
  const queues = useChoices('queues')
  const tags = useChoices('tags')
  const { data: flows } = useQuery(query(ticketCommands.chatFlows))
  const { values, errors, set, drawer, save } = useDrawerForm<CampaignValues>(emptyCampaign(), {
    stored: isNew ? null : row.data && campaignValues(row.data),
    reading: row,
    checker: campaignChecker,
    onClose,
  })
  const connection = connections.find((one) => one.id === values.sessionId)
  const isOfficial = connection !== undefined && capabilitiesOf(connection.type).templates
  const fileName = values.file?.name ?? (values.removeFile ? null : (row.data?.mediaName ?? null))
  const send = async () => {
    const body = sentCampaign(values) as never
    if (isNew) await call(campaigns.create, { body }, { long: true, quiet: true })
    else await call(campaigns.update, { params: { id: Number(id) }, body }, { long: true, quiet: true })
    return t('Campanha salva')
  }
  const choiceOf = (all: readonly { id: number; name: string }[]) =>
    all.map((one) => ({ value: String(one.id), label: one.name }))
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova campanha') : (row.data?.name ?? t('Campanha'))}
      size={560}
    >
      <TextInput
        label={t('Nome')}
        required
        maxLength={120}
        data-autofocus
        value={values.name}
        error={errors['name']}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <Pair>
        <Select
          label={t('Enviar por')}
          required
          allowDeselect={false}
          data={choiceOf(connections)}
          value={values.sessionId > 0 ? String(values.sessionId) : null}
          error={errors['sessionId']}
          onChange={(next) => {
            set('sessionId', Number(next))
            // Templates are those of a connection.
            set('template', null)
          }}
        />
        <TextInput
          type="datetime-local"
          label={t('Início')}
          required
          value={values.start}
          error={errors['start']}
          onChange={(event) => set('start', event.currentTarget.value)}
        />
      </Pair>
      {isOfficial && (
        <Suspense>
          <TemplateChoice
            whatsappId={values.sessionId}
            template={values.template}
            onChange={(template) => set('template', template)}
          />
        </Suspense>
      )}
      {!values.template && (
        <>
          {isOfficial && <Notice tone="warn">{t('Sem modelo, só recebe quem escreveu nas últimas 24 horas.')}</Notice>}
          {messages.map((key, index) => (
            <TemplateInput
              key={key}
              field={messageField(index + 1)}
              look={{ rows: 4, required: index === 0 }}
              value={values[key]}
              error={errors[key]}
              onChange={(text) => set(key, text)}
            />
          ))}
          <MessageShares
            texts={messages.map((key) => values[key])}
            weights={values.weights}
            error={errors['weights']}
            onChange={(weights) => set('weights', weights)}
          />
          <p className={css.hint}>
            {t('Com mais de uma mensagem, cada contato recebe uma delas, sorteada. Textos variados protegem o número.')}
          </p>
        </>
      )}
      <FileChoice
        name={fileName}
        onChange={(file) => set('file', file)}
        onRemove={() => {
          set('file', null)
          set('removeFile', Boolean(row.data?.mediaName))
        }}
      />
      {!fileName && (
        <TextInput
          label={t('Ou o link de um arquivo')}
          placeholder={t('https://')}
          description={t('O arquivo é baixado ao salvar, e fica guardado na empresa.')}
          maxLength={2000}
          value={values.mediaUrl}
          error={errors['mediaUrl']}
          onChange={(event) => set('mediaUrl', event.currentTarget.value)}
        />
      )}
      <Select
        label={t('Repetir')}
        description={
          values.recurrence === null ? undefined : t('A cada vez, os contatos são escolhidos de novo pelos filtros.')
        }
        allowDeselect={false}
        data={repeatsOf(values)}
        value={values.recurrence ?? ''}
        error={errors['recurrence']}
        onChange={(next) => set('recurrence', next === null || next === '' ? null : next)}
      />
      <Pair>
        <NumberInput
          label={t('Intervalo (segundos)')}
          description={t('Varia 30% para mais e para menos.')}
          min={0}
          max={86_400}
          allowDecimal={false}
          value={values.delay}
          error={errors['delay']}
          onChange={(next) => set('delay', Number(next))}
        />
        <PurposeSelect value={values.purpose} onChange={(next) => set('purpose', next)} />
      </Pair>
      <Pair>
        <TextInput
          label={t('Das')}
          value={values.windowStart}
          error={errors['windowStart']}
          onChange={(event) => set('windowStart', event.currentTarget.value)}
        />
        <TextInput
          label={t('Até')}
          value={values.windowEnd}
          error={errors['windowEnd']}
          onChange={(event) => set('windowEnd', event.currentTarget.value)}
        />
      </Pair>
      <WeekdayChoice
        chosen={values.weekdays}
        error={errors['weekdays']}
        onChange={(weekdays) => set('weekdays', weekdays)}
      />
      <SwitchGroup>
        <SwitchRow
          name={t('Pular feriados')}
          effect={t('Nada sai nos feriados da empresa.')}
          checked={values.skipsHolidays}
          onChange={(skipsHolidays) => set('skipsHolidays', skipsHolidays)}
        />
        <SwitchRow
          name={t('No máximo 2 campanhas por semana')}
          effect={t('Quem já recebeu duas nos últimos 7 dias fica de fora.')}
          checked={values.perWeek !== null}
          onChange={(isOn) => set('perWeek', isOn ? 2 : null)}
        />
        <SwitchRow
          name={t('Não escrever a quem está em atendimento')}
          effect={t('Quem tem uma conversa aberta ou pendente fica de fora.')}
          checked={values.skipsOpen}
          onChange={(skipsOpen) => set('skipsOpen', skipsOpen)}
        />
      </SwitchGroup>
      <Pair>
        <Select
          label={t('Respostas vão para a fila')}
          placeholder={t('Como qualquer conversa')}
          clearable
          data={choiceOf(queues)}
          value={values.replyQueueId === null ? null : String(values.replyQueueId)}
          error={errors['replyQueueId']}
          onChange={(next) => set('replyQueueId', next === null ? null : Number(next))}
        />
        <Select
          label={t('Respostas ganham a etiqueta')}
          placeholder={t('Nenhuma')}
          clearable
          data={choiceOf(tags)}
          value={values.replyTagId === null ? null : String(values.replyTagId)}
          error={errors['replyTagId']}
          onChange={(next) => set('replyTagId', next === null ? null : Number(next))}
        />
      </Pair>
      <Select
        label={t('Respostas começam o chatbot')}
        placeholder={t('Nenhum')}
        clearable
        data={choiceOf(flows?.chatFlow ?? [])}
        value={values.replyFlowId === null ? null : String(values.replyFlowId)}
        error={errors['replyFlowId']}
        onChange={(next) => set('replyFlowId', next === null ? null : Number(next))}
      />
      <FollowUpFields values={values} isOfficial={isOfficial} errors={errors} set={(next) => set('followUp', next)} />
    </FormDrawer>
  )
}

/** Returns the options of repetition, by the weekday of the start; a stored rule of another kind stays until changed. */
function repeatsOf({ start, recurrence }: CampaignValues) {
  const usual =
    start === '' ? [{ value: '', label: t('Não repete') }] : repeatsFrom(localTime(Date.parse(`${start}Z`), 0))
  return recurrence === null || usual.some(({ value }) => value === recurrence)
    ? usual
    : [...usual, { value: recurrence, label: t('Como está: {how}', { how: repeatText(recurrence) }) }]
}

/** Fields of the follow-up to recipients without an answer. */
function FollowUpFields(props: {
  values: CampaignValues
  isOfficial: boolean
  errors: Readonly<Record<string, string | undefined>>
  set: (followUp: CampaignValues['followUp']) => void
}) {
  const { values, isOfficial, errors, set } = props
  const { followUp } = values
  return (
    <>
      <SwitchGroup>
        <SwitchRow
          name={t('Escrever de novo a quem não responder')}
          effect={t('Uma vez, alguns dias depois do fim do envio, como outra campanha.')}
          checked={followUp !== null}
          onChange={(isOn) => set(isOn ? { days: 3, message: '', template: null } : null)}
        />
      </SwitchGroup>
      {followUp && (
        <>
          <NumberInput
            label={t('Dias depois do fim')}
            min={1}
            max={90}
            allowDecimal={false}
            value={followUp.days}
            error={errors['followUp.days']}
            onChange={(next) => set({ ...followUp, days: Number(next) })}
          />
          {isOfficial && (
            <Suspense>
              <TemplateChoice
                whatsappId={values.sessionId}
                template={followUp.template}
                onChange={(template) => set({ ...followUp, template })}
              />
            </Suspense>
          )}
          {!followUp.template && (
            <TemplateInput
              field={{ ...messageField(1), label: t('Mensagem a quem não respondeu') }}
              look={{ rows: 4, required: true }}
              value={followUp.message}
              error={errors['followUp']}
              onChange={(message) => set({ ...followUp, message })}
            />
          )}
        </>
      )}
    </>
  )
}
