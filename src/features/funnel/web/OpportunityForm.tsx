import { NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, Suspense, useState } from 'react'
import { type CardStatus, STATUS_NAMES } from '#domain/funnel/card.ts'
import { contactScreens } from '#features/messages/web/registries/contact-screens.ts'
import { type Choices, useChoices } from '#web/choices.ts'
import { call, query } from '#web/client.ts'
import { changedValues, OwnFields, type OwnFieldValues } from '#web/fields/own-fields.tsx'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'
import { viewer } from '#web/session/session.ts'
import { plural, t } from '#web/t.ts'
import { Pair, Segments } from '#web/ui/inputs/fields.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { SectionTabs } from '#web/ui/layout/section-tabs.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { opportunities, opportunityNotes } from '../addresses.ts'
import type { Opportunity } from '../contract.ts'
import { opportunityChanges, opportunityForm } from '../forms.ts'
import css from './funnel.module.css'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())
const CardTasks = lazyPart(async () => (await import('./CardTasks.tsx')).CardTasks)
const CardNotes = lazyPart(async () => (await import('./CardNotes.tsx')).CardNotes)
const History = lazyPart(async () => (await import('./History.tsx')).History)

type Values = {
  name: string
  contactId: number | null
  pipelineId: number | null
  stageId: number | null
  responsibleId: number | null
  closingForecast: string | null
  value: string
  description: string
  status: CardStatus
  reason: string
  fields: OwnFieldValues
}

/** Initial values of a new opportunity. */
export type Beginning = {
  readonly pipelineId?: number
  readonly stageId?: number
  readonly contact?: { readonly id: number; readonly name: string }
}

const valuesOf = (card: Opportunity): Values => ({
  ...{ name: card.name, contactId: card.contactId, pipelineId: card.pipelineId, stageId: card.stageId },
  ...{ responsibleId: card.responsibleId, closingForecast: card.closingForecast, value: card.value },
  ...{ description: card.description, status: card.status, reason: card.reason, fields: card.fields },
})

const changesOf = ({ contactId: _, pipelineId: __, ...values }: Values, stored: OwnFieldValues = {}) => ({
  ...values,
  fields: changedValues(values.fields, stored),
  stageId: values.stageId ?? undefined,
})

const checkerOf = (isNew: boolean) => ({
  safeParse: (values: Values) =>
    isNew ? opportunityForm.safeParse(withStage(values)) : opportunityChanges.safeParse(changesOf(values)),
})
const withStage = ({ stageId, ...values }: Values) => ({ ...values, ...(stageId === null ? {} : { stageId }) })

type Section = 'data' | 'tasks' | 'notes' | 'history'

const sections: readonly { key: Section; name: string }[] = [
  { key: 'data', name: t('Dados') },
  { key: 'tasks', name: t('Tarefas') },
  { key: 'notes', name: t('Notas') },
  { key: 'history', name: t('Histórico') },
]

const withoutTasks = sections.filter(({ key }) => key !== 'tasks')

/** Drawer of one opportunity; `id` null for a new one with initial values (`beginning`). */
export function OpportunityForm(props: { id: number | null; beginning?: Beginning; onClose: () => void }) {
  const pipelines = useChoices('pipelines')
  // Waits for the pipelines: a new opportunity starts in the first one.
  if (pipelines.length === 0) return null
  return <OpportunityDrawer {...props} pipelines={pipelines} />
}

type Props = ComponentProps<typeof OpportunityForm> & { readonly pipelines: readonly Choices['pipelines'][] }

function OpportunityDrawer({ id, beginning = {}, onClose, pipelines }: Props) {
  const may = useMay()
  const row = useQuery({ ...query(opportunities.get, { params: { id: id ?? 0 } }), enabled: id !== null })
  const colleagues = useChoices('users')
  const ownFields = useChoices('opportunityFields')
  const [section, setSection] = useState<Section>('data')
  const [note, setNote] = useState('')
  const [checker] = useState(() => checkerOf(id === null))
  const empty: Values = {
    ...{
      name: '',
      contactId: beginning.contact?.id ?? null,
      pipelineId: beginning.pipelineId ?? pipelines[0]?.id ?? null,
    },
    ...{ stageId: beginning.stageId ?? null, responsibleId: viewer().userId, closingForecast: null, value: '0' },
    ...{ description: '', status: 'open', reason: '', fields: {} },
  }
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(empty, {
    stored: id === null ? null : row.data && valuesOf(row.data),
    reading: row,
    checker,
    onClose,
  })
  const { contactId, pipelineId, stageId, status } = values
  const others = useQuery({
    ...query(opportunities.ofContact, { params: { contactId: contactId ?? 0 }, query: { status: 'open', limit: 100 } }),
    enabled: id === null && contactId !== null,
  })
  const open = (others.data?.data ?? []).filter((one) => one.pipelineId === pipelineId).length
  const stages = pipelines.find((one) => one.id === pipelineId)?.stages ?? []
  const send = async () => {
    if (id === null) {
      const body = opportunityForm.parse(withStage(values))
      await call(opportunities.create, { body }, { quiet: true })
      return t('Oportunidade criada')
    }
    if (note.trim()) {
      await call(opportunityNotes.create, { params: { id }, body: { text: note } }, { quiet: true })
      setNote('')
    }
    if (drawer.changed > 0)
      await call(opportunities.update, { params: { id }, body: changesOf(values, row.data?.fields) }, { quiet: true })
    return t('Oportunidade salva')
  }
  return (
    <FormDrawer
      {...drawer}
      changed={drawer.changed + (note.trim() ? 1 : 0)}
      onSave={() => void save(send)}
      title={id === null ? t('Nova oportunidade') : (row.data?.name ?? t('Oportunidade'))}
      sub={row.data?.contact.name ?? beginning.contact?.name}
      {...(id !== null && {
        tabs: (
          <SectionTabs sections={may('tasks:write') ? sections : withoutTasks} open={section} onOpen={setSection} />
        ),
      })}
      size={540}
    >
      {section !== 'data' && id !== null ? (
        <Suspense>
          {section === 'history' && <History id={id} />}
          {section === 'tasks' && <CardTasks opportunityId={id} />}
          {section === 'notes' && <CardNotes opportunityId={id} draft={note} onDraft={setNote} />}
        </Suspense>
      ) : (
        <>
          <TextInput
            label={t('O que está em jogo')}
            placeholder={t('Mesa de jantar de 6 lugares')}
            required
            autoFocus={id === null}
            maxLength={120}
            value={values.name}
            error={errors['name']}
            onChange={(event) => set('name', event.currentTarget.value)}
          />
          {id === null && !beginning.contact && (
            <div>
              <p>{t('Contato')}</p>
              <Suspense>
                <ContactChoice chosen={contactId} onChoose={(next) => set('contactId', next)} />
              </Suspense>
              {errors['contactId'] && (
                <p className={css.problem} role="alert">
                  {t('Escolha o contato.')}
                </p>
              )}
            </div>
          )}
          {open > 0 && (
            <p className={css.warning} role="status">
              {t('Este contato já tem {open} neste funil.', {
                open: plural(open, t('oportunidade aberta'), t('oportunidades abertas')),
              })}
            </p>
          )}
          <Pair>
            <Select
              label={t('Funil')}
              allowDeselect={false}
              disabled={id !== null && pipelines.length < 2}
              data={pipelines.map((one) => ({ value: String(one.id), label: one.name }))}
              value={pipelineId === null ? null : String(pipelineId)}
              error={errors['pipelineId']}
              onChange={(next) => {
                const pipeline = pipelines.find((one) => String(one.id) === next)
                set('pipelineId', pipeline?.id ?? null)
                set('stageId', pipeline?.stages[0]?.id ?? null)
              }}
            />
            <Select
              label={t('Etapa')}
              allowDeselect={false}
              data={stages.map((one) => ({ value: String(one.id), label: one.name }))}
              value={String(stageId ?? stages[0]?.id ?? '')}
              error={errors['stageId']}
              onChange={(next) => set('stageId', next === null ? null : Number(next))}
            />
          </Pair>
          <Pair>
            <NumberInput
              label={t('Valor')}
              prefix="R$ "
              hideControls
              clampBehavior="none"
              thousandSeparator="."
              decimalSeparator=","
              decimalScale={2}
              min={0}
              value={values.value}
              error={errors['value']}
              onChange={(next) => set('value', next === '' ? '0' : String(next))}
            />
            <TextInput
              type="date"
              label={t('Previsão de fechamento')}
              value={values.closingForecast ?? ''}
              error={errors['closingForecast']}
              onChange={(event) => set('closingForecast', event.currentTarget.value || null)}
            />
          </Pair>
          <Select
            label={t('Responsável')}
            placeholder={t('Sem responsável')}
            clearable
            searchable
            data={colleagues.map((one) => ({ value: String(one.id), label: one.name }))}
            value={values.responsibleId === null ? null : String(values.responsibleId)}
            error={errors['responsibleId']}
            disabled={!may('funnel:write')}
            onChange={(next) => set('responsibleId', next === null ? null : Number(next))}
          />
          <Textarea
            label={t('Descrição')}
            autosize
            minRows={3}
            maxLength={4000}
            value={values.description}
            error={errors['description']}
            onChange={(event) => set('description', event.currentTarget.value)}
          />
          <OwnFields
            fields={ownFields}
            values={values.fields}
            error={errors['fields']}
            onChange={(next) => set('fields', next)}
          />
          <Segments<CardStatus>
            label={t('Status')}
            value={status}
            options={Object.entries(STATUS_NAMES).map(([value, label]) => ({ value: value as CardStatus, label }))}
            onChange={(next) => set('status', next)}
          />
          {status === 'lose' && (
            <TextInput
              label={t('Motivo da perda')}
              required
              maxLength={300}
              value={values.reason}
              error={errors['reason']}
              onChange={(event) => set('reason', event.currentTarget.value)}
            />
          )}
        </>
      )}
    </FormDrawer>
  )
}
