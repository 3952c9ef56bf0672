import { MultiSelect, Tabs, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type BusinessDay, USUAL_WEEK, weekProblems } from '#domain/calendar/business-hours.ts'
import { WeekHours } from '#features/hours/web/index.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { FieldInput } from '#web/resource/resource-field.tsx'
import { useMay } from '#web/standing.ts'
import { SwitchGroup, SwitchRow, TextArea } from '#web/ui/fields.tsx'
import { FormDrawer } from '#web/ui/form-drawer.tsx'
import { notify } from '#web/ui/notify.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { LoadError } from '#web/ui/states.tsx'
import { type FieldErrors, useForm } from '#web/ui/use-form.ts'
import { useOpening } from '#web/ui/use-opening.ts'
import { queueForm, queues } from '../contract.ts'
import { usePeople } from './choices.ts'

type Values = {
  queue: string
  color: string
  isActive: boolean
  businessHours: readonly BusinessDay[] | null
  messageBusinessHours: string
  userIds: number[]
}

const empty: Values = {
  queue: '',
  color: '#3874B6',
  isActive: true,
  businessHours: null,
  messageBusinessHours: '',
  userIds: [],
}
const sections = [
  { key: 'dados', name: 'Dados', fields: ['queue', 'color', 'isActive'] },
  { key: 'pessoas', name: 'Pessoas', fields: ['userIds'] },
  { key: 'horario', name: 'Horário', fields: ['businessHours', 'messageBusinessHours'] },
] as const
/** The section of the form that is open. */
export type Section = (typeof sections)[number]['key']

const pick = (values: object, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)))

/** The drawer of one queue: `id` of the row, or 'novo'. */
export function QueueForm(props: {
  id: string
  section: Section
  onSection: (section: Section) => void
  onClose: () => void
}) {
  const { id, section, onSection, onClose } = props
  const isNew = id === 'novo'
  const params = { id: Number(id) }
  const seesAll = useMay()('tickets:all')
  const row = useQuery({ ...query(queues.get, { params }), enabled: !isNew, staleTime: 0 })
  const people = usePeople()
  const form = useForm<Values>(empty)
  const [busy, setBusy] = useState(false)
  const { opened, close } = useOpening(onClose)
  const [loaded, setLoaded] = useState(false)
  const { values, errors, set, reset } = form
  const queue = row.data
  useEffect(() => {
    if (!queue || loaded) return
    reset(pick(queue, Object.keys(empty)) as Values)
    setLoaded(true)
  }, [queue, loaded, reset])

  const refuse = (found: FieldErrors) => {
    const byField = Object.fromEntries(
      Object.entries(found).map(([path, text]) => [path.split('.')[0] as string, text]),
    )
    form.setErrors(byField)
    const first = sections.find((one) => one.fields.some((field) => field in byField))
    if (first) onSection(first.key)
  }
  const save = async () => {
    const sent = isNew ? Object.keys(values).filter((key) => seesAll || key !== 'userIds') : form.changed
    const body = pick(values, sent)
    const checked = (isNew ? queueForm : queueForm.partial()).safeParse(body)
    if (!checked.success)
      return refuse(Object.fromEntries(checked.error.issues.map(({ path, message }) => [String(path[0]), message])))
    setBusy(true)
    try {
      if (isNew) await call(queues.create, { body: { ...checked.data, queue: values.queue } }, { quiet: true })
      else await call(queues.update, { params, body: checked.data }, { quiet: true })
      notify({ tone: 'pos', title: 'Fila salva' })
      reset(values)
      close()
    } catch (error) {
      if (isApiError(error) && error.code === 'ERR_DUPLICATED') refuse({ queue: 'Já existe uma fila com este nome.' })
      else if (isApiError(error) && error.code === 'ERR_VALIDATION') refuse(error.details as FieldErrors)
      else notify({ tone: 'neg', title: sentence(error) })
    } finally {
      setBusy(false)
    }
  }

  const isReady = isNew || loaded
  return (
    <FormDrawer
      opened={opened}
      onClose={close}
      onSave={() => void save()}
      title={isNew ? 'Nova fila' : (queue?.queue ?? 'Fila')}
      tabs={
        <Tabs value={section} onChange={(next) => next && onSection(next as Section)}>
          <Tabs.List>
            {sections
              .filter(({ key }) => seesAll || key !== 'pessoas')
              .map(({ key, name }) => (
                <Tabs.Tab key={key} value={key}>
                  {name}
                </Tabs.Tab>
              ))}
          </Tabs.List>
        </Tabs>
      }
      changed={isReady ? form.changed.length : 0}
      busy={busy}
      size={540}
    >
      {!isNew && row.isPending && <SkeletonRows kind="card" rows={3} />}
      {row.isError && <LoadError text={sentence(row.error)} retry={() => void row.refetch()} />}
      {isReady && section === 'dados' && (
        <>
          <TextInput
            label="Nome da Fila"
            required
            data-autofocus
            maxLength={60}
            value={values.queue}
            error={errors.queue}
            onChange={(event) => set('queue', event.currentTarget.value)}
          />
          <FieldInput
            field={{ label: 'Cor', kind: 'color' }}
            value={values.color}
            error={errors.color}
            onChange={(color) => set('color', String(color))}
          />
          <SwitchGroup>
            <SwitchRow
              name="Ativo"
              effect="Desligada, não recebe atendimentos por transferência."
              checked={values.isActive}
              onChange={(isActive) => set('isActive', isActive)}
            />
          </SwitchGroup>
        </>
      )}
      {isReady && section === 'pessoas' && (
        <MultiSelect
          label="Pessoas"
          description="Quem trabalha nesta fila vê o que espera nela."
          placeholder="Adicionar…"
          searchable
          hidePickedOptions
          nothingFoundMessage="Ninguém com esse nome"
          error={errors.userIds}
          data={people.map((one) => ({ value: String(one.id), label: one.name }))}
          value={values.userIds.map(String)}
          onChange={(ids) => set('userIds', ids.map(Number))}
        />
      )}
      {isReady && section === 'horario' && (
        <>
          <SwitchGroup>
            <SwitchRow
              name="Horário próprio"
              effect="Vale no lugar do horário da empresa para quem escreve a esta fila."
              checked={values.businessHours !== null}
              onChange={(hasHours) => set('businessHours', hasHours ? USUAL_WEEK : null)}
            />
          </SwitchGroup>
          {values.businessHours && (
            <WeekHours
              value={values.businessHours}
              errors={
                errors.businessHours
                  ? Object.fromEntries(weekProblems(values.businessHours).map(({ day, problem }) => [day, problem]))
                  : {}
              }
              onChange={(week) => set('businessHours', week)}
            />
          )}
          <TextArea
            label="Mensagem de Ausência"
            description="Enviada a quem escreve fora do horário. Vazia, vale a da empresa."
            maxLength={1000}
            value={values.messageBusinessHours}
            error={errors.messageBusinessHours}
            onChange={(event) => set('messageBusinessHours', event.currentTarget.value)}
          />
        </>
      )}
    </FormDrawer>
  )
}
