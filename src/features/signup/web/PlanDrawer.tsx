import { NumberInput, TextInput } from '@mantine/core'
import { call } from '#web/client.ts'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { CountInput } from '#web/ui/inputs/CountInput.tsx'
import { Pair, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { plans } from '../addresses.ts'
import type { Plan } from '../contract.ts'
import { planForm } from '../forms.ts'

type Fields = Omit<Plan, 'id' | 'tenants'>

const fresh: Fields = {
  name: '',
  value: '',
  connections: 5,
  users: 10,
  trial: false,
  trialPeriod: 7,
  isActive: true,
}
const toFields = ({ id: _, tenants: __, ...fields }: Plan): Fields => fields

/** The form of a plan: `id`, or 'novo'. */
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
  const number = (key: 'connections' | 'users' | 'trialPeriod') => ({
    value: values[key],
    error: errors[key],
    onChange: (value: number) => set(key, value),
  })
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Novo plano') : t('Editar plano')}
      sub={isNew ? undefined : t('Empresas que já têm este plano ficam com os limites de quando o escolheram.')}
      size={480}
    >
      <TextInput
        label={t('Nome')}
        required
        data-autofocus
        value={values.name}
        error={errors.name}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <NumberInput
        label={t('Valor por mês')}
        required
        prefix="R$ "
        min={0}
        decimalScale={2}
        fixedDecimalScale
        thousandSeparator="."
        decimalSeparator=","
        hideControls
        value={values.value}
        error={errors.value}
        onChange={(value) => set('value', String(value))}
      />
      <Pair>
        <CountInput {...number('users')} label={t('Usuários')} />
        <CountInput {...number('connections')} label={t('Conexões')} />
      </Pair>
      <SwitchGroup>
        <SwitchRow
          name={t('Período de teste')}
          effect={t('Ao fim dele, a empresa fica inativa até alguém a reativar.')}
          checked={values.trial}
          onChange={(on) => set('trial', on)}
        />
        <SwitchRow
          name={t('Oferecido no cadastro')}
          effect={t('Desligado, o plano some de /signup; quem já o tem não muda.')}
          checked={values.isActive}
          onChange={(on) => set('isActive', on)}
        />
      </SwitchGroup>
      {values.trial && <CountInput {...number('trialPeriod')} label={t('Dias de teste')} min={0} />}
    </FormDrawer>
  )
}
