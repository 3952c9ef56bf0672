import { TextInput } from '@mantine/core'
import { type BusinessDay, USUAL_WEEK, weekProblems } from '#domain/calendar/business-hours.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { WeekHours } from '#web/fields/WeekHours.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { SwitchGroup, SwitchRow, TextArea } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { SectionTabs, sectionOf } from '#web/ui/layout/section-tabs.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { queues } from '../addresses.ts'
import { queueForm } from '../forms.ts'

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
  { key: 'dados', name: t('Dados'), fields: ['queue', 'color', 'isActive'] },
  { key: 'pessoas', name: t('Pessoas'), fields: ['userIds'] },
  { key: 'horario', name: t('Horário'), fields: ['businessHours', 'messageBusinessHours'] },
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
  const seesAll = useMay()('tickets:all')
  const row = useRow(queues.get, id)
  const people = useChoices('users')
  const { values, errors, changed, set, drawer, save } = useDrawerForm(empty, {
    stored: isNew ? null : row.data && (pick(row.data, Object.keys(empty)) as Values),
    reading: row,
    checker: queueForm,
    unique: ['queue', t('Já existe uma fila com este nome.')],
    onWrong: (fields) => onSection(sectionOf(sections, fields)),
    onClose,
  })
  const send = async () => {
    const sent = isNew ? Object.keys(values).filter((key) => seesAll || key !== 'userIds') : changed
    const body = pick(values, sent)
    if (isNew) await call(queues.create, { body: { ...body, queue: values.queue } }, { quiet: true })
    else await call(queues.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Fila salva')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova fila') : (row.data?.queue ?? t('Fila'))}
      tabs={
        <SectionTabs
          sections={sections.filter(({ key }) => seesAll || key !== 'pessoas')}
          open={section}
          onOpen={onSection}
        />
      }
      size={540}
    >
      {section === 'dados' && (
        <>
          <TextInput
            label={t('Nome da Fila')}
            required
            data-autofocus
            maxLength={60}
            value={values.queue}
            error={errors.queue}
            onChange={(event) => set('queue', event.currentTarget.value)}
          />
          <FieldInput
            field={{ label: t('Cor'), kind: 'color' }}
            value={values.color}
            error={errors.color}
            onChange={(color) => set('color', String(color))}
          />
          <SwitchGroup>
            <SwitchRow
              name={t('Ativo')}
              effect={t('Desligada, não recebe atendimentos por transferência.')}
              checked={values.isActive}
              onChange={(isActive) => set('isActive', isActive)}
            />
          </SwitchGroup>
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
          <SwitchGroup>
            <SwitchRow
              name={t('Horário próprio')}
              effect={t('Vale no lugar do horário da empresa para quem escreve a esta fila.')}
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
            label={t('Mensagem de Ausência')}
            description={t('Enviada a quem escreve fora do horário. Vazia, vale a da empresa.')}
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
