import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import type { DistributionMode } from '#domain/distribution/distribute.ts'
import type { AUTO_CLOSE_TIMES } from '#domain/tickets/auto-close.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { SectionTabs, sectionOf } from '#web/ui/layout/section-tabs.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { queues } from '../addresses.ts'
import { queueForm } from '../forms.ts'
import { queueTable } from '../table.ts'
import { Trial } from './Trial.tsx'

type Values = {
  queue: string
  color: string
  isActive: boolean
  businessHours: readonly BusinessDay[] | null
  messageBusinessHours: string
  autoClose: 'company' | 'own' | 'never'
  autoCloseTime: keyof typeof AUTO_CLOSE_TIMES
  autoCloseMessage: string
  distribution: DistributionMode | null
  overflowQueueId: number | null
  overflowMinutes: number | null
  userIds: number[]
}

const empty: Values = {
  queue: '',
  color: queueTable.fields.color.default,
  isActive: true,
  businessHours: null,
  messageBusinessHours: '',
  autoClose: 'company',
  autoCloseTime: '1440',
  autoCloseMessage: '',
  distribution: null,
  overflowQueueId: null,
  overflowMinutes: null,
  userIds: [],
}
const sections = [
  { key: 'dados', name: t('Dados'), fields: ['queue', 'color', 'isActive'] },
  { key: 'pessoas', name: t('Pessoas'), fields: ['userIds'] },
  { key: 'horario', name: t('Horário'), fields: ['businessHours', 'messageBusinessHours'] },
  {
    key: 'distribuicao',
    name: t('Distribuição'),
    fields: ['distribution', 'overflowQueueId', 'overflowMinutes'],
  },
  { key: 'encerramento', name: t('Encerramento'), fields: ['autoClose', 'autoCloseTime', 'autoCloseMessage'] },
] as const
/** Key of a form section. */
export type Section = (typeof sections)[number]['key']

const pick = (values: object, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)))

// Returns the fields of the sections that the user may edit, which a new queue is created from.
const shownFields = (isShown: (section: Section) => boolean): string[] =>
  sections.filter(({ key }) => isShown(key)).flatMap(({ fields }) => [...fields])
const rulesOf = ['distribution', 'overflowQueueId', 'overflowMinutes'] as const
type Rules = Pick<Values, (typeof rulesOf)[number]>

/** Drawer of one queue: `id` of the row, or 'novo'. */
export function QueueForm(props: {
  id: string
  section: Section
  onSection: (section: Section) => void
  onClose: () => void
}) {
  const { id, section, onSection, onClose } = props
  const isNew = id === 'novo'
  const may = useMay()
  const seesAll = may('tickets:all')
  const distributes = may('distribution:write')
  const isShown = (key: Section) => (seesAll || key !== 'pessoas') && (distributes || key !== 'distribuicao')
  const row = useRow(queues.get, id)
  const people = useChoices('users')
  const { values, errors, changed, set, drawer, save } = useDrawerForm(empty, {
    stored: isNew ? null : row.data && pick(row.data, Object.keys(empty)),
    reading: row,
    checker: queueForm,
    unique: ['queue', t('Já existe uma fila com este nome.')],
    onWrong: (fields) => onSection(sectionOf(sections, fields)),
    onClose,
  })
  const send = async () => {
    const sent = isNew ? shownFields(isShown) : changed
    const body = pick(values, sent)
    if (isNew) await call(queues.create, { body: { ...body, queue: values.queue } }, { quiet: true })
    else await call(queues.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Fila salva')
  }
  const field = (key: keyof typeof queueTable.fields, autoFocus = false) => (
    <FieldInput
      key={key}
      field={queueTable.fields[key]}
      value={values[key]}
      error={errors[key]}
      autoFocus={autoFocus}
      onChange={(value) => set(key, value)}
    />
  )
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova fila') : (row.data?.queue ?? t('Fila'))}
      tabs={<SectionTabs sections={sections.filter(({ key }) => isShown(key))} open={section} onOpen={onSection} />}
      size={540}
    >
      {section === 'dados' && (
        <>
          {field('queue', true)}
          {field('color')}
          {field('isActive')}
        </>
      )}
      {section === 'pessoas' && (
        <ManyChoice
          label={t('Pessoas')}
          hint={t('Quem trabalha nesta fila vê o que espera nela.')}
          none={t('Ninguém com esse nome')}
          options={people}
          chosen={values.userIds}
          error={errors.userIds}
          onChange={(ids) => set('userIds', ids)}
        />
      )}
      {section === 'horario' && (
        <>
          {field('businessHours')}
          {field('messageBusinessHours')}
        </>
      )}
      {section === 'distribuicao' && (
        <>
          {field('distribution')}
          {field('overflowQueueId')}
          {values.overflowQueueId !== null && field('overflowMinutes')}
          {!isNew && <Trial queueId={Number(id)} rules={pick(values, rulesOf) as Rules} />}
        </>
      )}
      {section === 'encerramento' && (
        <>
          {field('autoClose')}
          {values.autoClose === 'own' && (
            <>
              {field('autoCloseTime')}
              {field('autoCloseMessage')}
            </>
          )}
        </>
      )}
    </FormDrawer>
  )
}
