import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { CountInput } from '#web/ui/inputs/CountInput.tsx'
import { Pair } from '#web/ui/inputs/fields.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { plans } from '../addresses.ts'
import type { Plan } from '../contract.ts'
import { planForm } from '../forms.ts'
import { planTable } from '../table.ts'

type Fields = Omit<Plan, 'id' | 'tenants'>

const fresh: Fields = {
  name: '',
  value: '',
  connections: 5,
  users: 10,
  assistantAnswers: 0,
  trial: false,
  trialPeriod: 7,
  isActive: true,
}
const toFields = ({ id: _, tenants: __, ...fields }: Plan): Fields => fields

/** Drawer of a plan: `id`, or 'novo'. */
export function PlanDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const isNew = id === 'novo'
  const plan = useRow(plans.get, id)
  const { values, errors, set, drawer, save } = useDrawerForm(fresh, {
    stored: isNew ? null : plan.data && toFields(plan.data),
    reading: plan,
    checker: planForm,
    unique: ['name', t('Já existe um plano com esse nome.')],
    onClose,
  })
  const send = async () => {
    if (isNew) await call(plans.create, { body: values }, { quiet: true })
    else await call(plans.update, { params: { id: Number(id) }, body: values }, { quiet: true })
    return t('Plano salvo')
  }
  const number = (key: 'connections' | 'users' | 'assistantAnswers' | 'trialPeriod') => ({
    value: values[key],
    error: errors[key],
    onChange: (value: number) => set(key, value),
  })
  const field = (key: 'name' | 'value' | 'trial' | 'isActive', autoFocus = false) => (
    <FieldInput
      field={planTable.fields[key]}
      value={values[key]}
      error={errors[key]}
      autoFocus={autoFocus}
      onChange={(value) => set(key, value ?? '')}
    />
  )
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Novo plano') : t('Editar plano')}
      sub={isNew ? undefined : t('Empresas que já têm este plano ficam com os limites de quando o escolheram.')}
      size={480}
    >
      {field('name', true)}
      {field('value')}
      <Pair>
        <CountInput {...number('users')} label={t('Usuários')} />
        <CountInput {...number('connections')} label={t('Canais')} />
      </Pair>
      <CountInput
        {...number('assistantAnswers')}
        label={t(planTable.fields.assistantAnswers.label)}
        description={t(planTable.fields.assistantAnswers.hint)}
        min={0}
      />
      {field('trial')}
      {values.trial && <CountInput {...number('trialPeriod')} label={t('Dias de teste')} min={0} />}
      {field('isActive')}
    </FormDrawer>
  )
}
