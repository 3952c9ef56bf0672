import { useId } from 'react'
import { formatMoney } from '#web/format.ts'
import { t } from '#web/t.ts'
import css from './plan-choice.module.css'

/** Plan on offer. */
export type Offer = {
  id: number
  name: string
  value: string
  connections: number
  users: number
  trial: boolean
  trialPeriod: number
}

const some = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** Choice of a plan, side by side with price and scope. */
export function PlanChoice(props: {
  plans: readonly Offer[]
  hasMore: boolean
  value: number | null
  error: string | undefined
  onChange: (id: number) => void
}) {
  const { plans, hasMore, value, error, onChange } = props
  const errorId = useId()
  return (
    <fieldset className={css.plans} aria-describedby={error ? errorId : undefined}>
      <legend>{t('Selecione um plano')}</legend>
      {plans.length === 0 && <p>{t('Nenhum plano é oferecido no momento.')}</p>}
      {plans.map((plan) => (
        <label key={plan.id} data-chosen={plan.id === value || undefined}>
          <input type="radio" name="planId" checked={plan.id === value} onChange={() => onChange(plan.id)} />
          <span>
            <b>{plan.name}</b>
            <small>
              {some(plan.users, t('usuário'), t('usuários'))} · {some(plan.connections, t('canal'), t('canais'))}
              {plan.trial &&
                t(' · {trialPeriod} de teste', { trialPeriod: some(plan.trialPeriod, t('dia'), t('dias')) })}
            </small>
          </span>
          <span className={css.price}>
            {Number(plan.value) === 0 ? t('Grátis') : formatMoney(plan.value)}
            {Number(plan.value) > 0 && <small>{t('por mês')}</small>}
          </span>
        </label>
      ))}
      {hasMore && <p>{t('Há outros planos: fale com quem administra esta instalação.')}</p>}
      {error && (
        <p id={errorId} className={css.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
