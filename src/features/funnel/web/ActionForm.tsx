import { Button, MultiSelect, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ActionStep, StepType } from '#domain/funnel/actions.ts'
import { STATUS_NAMES } from '#domain/funnel/card.ts'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { type Choices, useChoices } from '#web/choices.ts'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { AddIcon, DeleteIcon } from '#web/ui/icons.ts'
import { Pair } from '#web/ui/inputs/fields.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { pipelineActions } from '../action-addresses.ts'
import { actionForm, actionStep } from '../action-forms.ts'
import type { PipelineAction } from '../actions-contract.ts'
import css from './funnel.module.css'
import { STEPS } from './step-labels.ts'

/** Step being edited; required values may be missing. */
type Draft = { readonly key: number; readonly type: StepType; readonly values: Readonly<Record<string, unknown>> }
type Values = {
  name: string
  pipelineId: number | null
  stageId: number | null
  daysToTrigger: number
  hourFrom: number | null
  hourTo: number | null
  active: boolean
  steps: readonly Draft[]
}

let made = 0
const draftOf = ({ type, ...values }: ActionStep): Draft => ({ key: ++made, type, values })
const BEGIN: Readonly<Record<StepType, Readonly<Record<string, unknown>>>> = {
  message: { message: '' },
  stage_change: {},
  status_change: { targetStatus: 'win' },
  add_tag: { tagIds: [] },
  add_wallet: { userIds: [] },
  start_flow: {},
}
const stepOf = ({ type, values }: Draft) => ({ type, ...values })
const bodyOf = ({ steps, ...values }: Values) => ({ ...values, steps: steps.map(stepOf) })
const checker = { safeParse: (values: Values) => actionForm.safeParse(bodyOf(values)) }

const valuesOf = (action: PipelineAction): Values => ({
  ...{ name: action.name, pipelineId: action.pipelineId, stageId: action.stageId },
  ...{ daysToTrigger: action.daysToTrigger, hourFrom: action.hourFrom, hourTo: action.hourTo },
  ...{ active: action.active, steps: action.steps.map((step) => draftOf(step)) },
})

/** Drawer of an action: stage, timing, and steps in order. */
export function ActionForm({ action, onClose }: { action: PipelineAction | null; onClose: () => void }) {
  const pipelines = useChoices('pipelines')
  const [start] = useState((): Values => {
    if (action) return valuesOf(action)
    const [first] = pipelines
    return {
      ...{ name: '', pipelineId: first?.id ?? null, stageId: first?.stages[0]?.id ?? null, daysToTrigger: 0 },
      ...{
        hourFrom: null,
        hourTo: null,
        active: true,
        steps: [{ key: ++made, type: 'message', values: BEGIN.message }],
      },
    }
  })
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(start, {
    stored: action ? start : null,
    checker,
    onClose,
  })
  const { pipelineId, stageId, steps, hourFrom, hourTo } = values
  const stages = pipelines.find(({ id }) => id === pipelineId)?.stages ?? []
  const send = async () => {
    const body = actionForm.parse(bodyOf(values))
    if (action) await call(pipelineActions.update, { params: { id: action.id }, body }, { quiet: true })
    else await call(pipelineActions.sequential, { body }, { quiet: true })
    return t('Automação salva')
  }
  const put = (key: number, change: Readonly<Record<string, unknown>>) =>
    set(
      'steps',
      steps.map((one) => (one.key === key ? { ...one, values: { ...one.values, ...change } } : one)),
    )
  const hours = Array.from({ length: 25 }, (_, hour) => ({ value: String(hour), label: `${hour}h` }))
  const hourOf = (text: string | null) => (text === null ? null : Number(text))
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={action ? action.name : t('Nova automação do funil')}
      sub={t('Uma vez por entrada na etapa, só enquanto a oportunidade estiver nela.')}
      size={600}
    >
      <TextInput
        label={t('Nome')}
        placeholder={t('Perguntar sobre a proposta')}
        required
        autoFocus
        maxLength={80}
        value={values.name}
        error={errors['name']}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <Switch
        label={t('Ligada')}
        description={t('Vale para quem entrar na etapa daqui em diante.')}
        checked={values.active}
        onChange={(event) => set('active', event.currentTarget.checked)}
      />
      <Pair>
        <Select
          label={t('Funil')}
          allowDeselect={false}
          data={pipelines.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={pipelineId === null ? null : String(pipelineId)}
          error={errors['pipelineId']}
          onChange={(next) => {
            const pipeline = pipelines.find(({ id }) => String(id) === next)
            set('pipelineId', pipeline?.id ?? null)
            set('stageId', pipeline?.stages[0]?.id ?? null)
          }}
        />
        <Select
          label={t('Ao entrar na etapa')}
          allowDeselect={false}
          data={stages.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={stageId === null ? null : String(stageId)}
          error={errors['stageId']}
          onChange={(next) => set('stageId', next === null ? null : Number(next))}
        />
      </Pair>
      <NumberInput
        label={t('Quantos dias depois')}
        description={t('0: na hora em que entra')}
        min={0}
        max={365}
        allowDecimal={false}
        value={values.daysToTrigger}
        error={errors['daysToTrigger']}
        onChange={(next) => set('daysToTrigger', Number(next))}
      />
      <Pair>
        <Select
          label={t('Só a partir das')}
          placeholder={t('A qualquer hora')}
          clearable
          data={hours.slice(0, 24)}
          value={hourFrom === null ? null : String(hourFrom)}
          error={errors['hourFrom']}
          onChange={(next) => set('hourFrom', hourOf(next))}
        />
        <Select
          label={t('Até as')}
          placeholder={t('A qualquer hora')}
          clearable
          data={hours.slice(1)}
          value={hourTo === null ? null : String(hourTo)}
          error={errors['hourTo']}
          onChange={(next) => set('hourTo', hourOf(next))}
        />
      </Pair>
      <ol className={css.stages} aria-label={t('Passos, na ordem em que são feitos')}>
        {steps.map((step) => (
          <li key={step.key} className={css.card}>
            <span className={css.header}>
              <b className={css.names}>{STEPS[step.type]}</b>
              <IconButton
                aria-label={t('Excluir o passo')}
                disabled={steps.length === 1}
                onClick={() =>
                  set(
                    'steps',
                    steps.filter((one) => one.key !== step.key),
                  )
                }
              >
                <DeleteIcon size={17} />
              </IconButton>
            </span>
            <StepFields step={step} stages={stages} onChange={(change) => put(step.key, change)} />
            {errors['steps'] && !actionStep.safeParse(stepOf(step)).success && (
              <p className={css.problem} role="alert">
                {t('Complete este passo.')}
              </p>
            )}
          </li>
        ))}
      </ol>
      <CommandMenu
        label={t('Incluir passo')}
        position="bottom-start"
        commands={Object.entries(STEPS).map(([type, label]) => ({
          id: type,
          label,
          run: () => set('steps', [...steps, { key: ++made, type: type as StepType, values: BEGIN[type as StepType] }]),
        }))}
        target={
          <Button variant="default" leftSection={<AddIcon size={17} />}>
            {t('Incluir passo')}
          </Button>
        }
      />
    </FormDrawer>
  )
}

function FlowChoice({ value, onChange }: { value: string | null; onChange: (id: number) => void }) {
  const { data } = useQuery(query(ticketCommands.chatFlows))
  const flows = (data?.chatFlow ?? []).filter(({ isActive }) => isActive)
  return (
    <Select
      aria-label={t('Chatbot')}
      placeholder={t('Qual chatbot')}
      description={t('Na conversa em andamento do contato, que sai de quem a atende.')}
      searchable
      allowDeselect={false}
      data={flows.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value}
      onChange={(next) => onChange(Number(next))}
    />
  )
}

function StepFields(props: {
  step: Draft
  stages: Choices['pipelines']['stages']
  onChange: (change: Readonly<Record<string, unknown>>) => void
}) {
  const { step, stages, onChange } = props
  const { values } = step
  const connections = useChoices('connections')
  const tags = useChoices('tags')
  const colleagues = useChoices('users')
  const textOf = (value: unknown) => (value === undefined || value === null ? null : String(value))
  const idsOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  switch (step.type) {
    case 'message':
      return (
        <>
          <Select
            aria-label={t('Canal')}
            placeholder={t('Por qual canal')}
            allowDeselect={false}
            data={connections.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={textOf(values['whatsappId'])}
            onChange={(next) => onChange({ whatsappId: Number(next) })}
          />
          <Textarea
            aria-label={t('Mensagem')}
            placeholder={t('{{greeting}}, {{firstName}}! Ficou alguma dúvida sobre a proposta?')}
            autosize
            minRows={2}
            maxLength={4000}
            value={String(values['message'] ?? '')}
            onChange={(event) => onChange({ message: event.currentTarget.value })}
          />
        </>
      )
    case 'stage_change':
      return (
        <Select
          aria-label={t('Para a etapa')}
          placeholder={t('Para qual etapa')}
          allowDeselect={false}
          data={stages.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={textOf(values['targetStageId'])}
          onChange={(next) => onChange({ targetStageId: Number(next) })}
        />
      )
    case 'status_change':
      return (
        <Select
          aria-label={t('Status')}
          allowDeselect={false}
          data={Object.entries(STATUS_NAMES).map(([value, label]) => ({ value, label }))}
          value={textOf(values['targetStatus'])}
          onChange={(next) => onChange({ targetStatus: next })}
        />
      )
    case 'add_tag':
      return (
        <MultiSelect
          aria-label={t('Etiquetas')}
          placeholder={t('Quais etiquetas')}
          searchable
          data={tags.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={idsOf(values['tagIds'])}
          onChange={(next) => onChange({ tagIds: next.map(Number) })}
        />
      )
    case 'add_wallet':
      return (
        <MultiSelect
          aria-label={t('Carteiras')}
          placeholder={t('Na carteira de quem')}
          searchable
          data={colleagues.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={idsOf(values['userIds'])}
          onChange={(next) => onChange({ userIds: next.map(Number) })}
        />
      )
    case 'start_flow':
      return <FlowChoice value={textOf(values['chatFlowId'])} onChange={(chatFlowId) => onChange({ chatFlowId })} />
  }
}
