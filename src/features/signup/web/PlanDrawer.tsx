import { NumberInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isApiError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { Pair, SwitchGroup, SwitchRow } from '#web/ui/fields.tsx'
import { FormDrawer } from '#web/ui/form-drawer.tsx'
import { notify } from '#web/ui/notify.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { LoadError } from '#web/ui/states.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { useOpening } from '#web/ui/use-opening.ts'
import { type Plan, planForm, plans } from '../contract.ts'

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
  const plan = useQuery({ ...query(plans.get, { params: { id: Number(id) } }), enabled: !isNew, staleTime: 0 })
  const { values, errors, changed, set, reset, check, setErrors } = useForm<Fields>(fresh, planForm)
  const [busy, setBusy] = useState(false)
  const { opened, close } = useOpening(onClose)
  useEffect(() => {
    if (plan.data) reset(toFields(plan.data))
  }, [plan.data, reset])
  const save = async () => {
    if (!check()) return
    setBusy(true)
    try {
      if (isNew) await call(plans.create, { body: values }, { quiet: true })
      else await call(plans.update, { params: { id: Number(id) }, body: values }, { quiet: true })
      notify({ tone: 'pos', title: t('Plano salvo') })
      reset(values)
      close()
    } catch (error) {
      if (isApiError(error) && error.code === 'ERR_DUPLICATED')
        setErrors({ name: t('Já existe um plano com esse nome.') })
      else if (isApiError(error) && error.code === 'ERR_VALIDATION') setErrors(error.details as Record<string, string>)
      else notify({ tone: 'neg', title: sentence(error) })
    } finally {
      setBusy(false)
    }
  }
  const number = (key: 'connections' | 'users' | 'trialPeriod') => ({
    min: key === 'trialPeriod' ? 0 : 1,
    allowDecimal: false,
    hideControls: true,
    thousandSeparator: '.',
    decimalSeparator: ',',
    value: values[key],
    error: errors[key],
    onChange: (value: number | string) => set(key, Number(value)),
  })
  return (
    <FormDrawer
      opened={opened}
      onClose={close}
      onSave={save}
      title={isNew ? t('Novo plano') : t('Editar plano')}
      sub={isNew ? undefined : t('Empresas que já têm este plano ficam com os limites de quando o escolheram.')}
      changed={changed.length}
      busy={busy}
      size={480}
    >
      {!isNew && plan.isPending && <SkeletonRows kind="card" rows={3} />}
      {plan.isError && <LoadError text={sentence(plan.error)} retry={() => void plan.refetch()} />}
      {(isNew || plan.data) && (
        <>
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
            <NumberInput {...number('users')} label={t('Usuários')} required />
            <NumberInput {...number('connections')} label={t('Conexões')} required />
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
          {values.trial && <NumberInput {...number('trialPeriod')} label={t('Dias de teste')} required />}
        </>
      )}
    </FormDrawer>
  )
}
