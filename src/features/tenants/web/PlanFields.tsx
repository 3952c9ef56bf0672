import { Checkbox, Select } from '@mantine/core'
import { LIMITS } from '#domain/access/plan.ts'
import { PLAN_FEATURES } from '#kit/plan-features.ts'
import { channelTypeIds, channelTypes } from '#providers/channels/configs.ts'
import { useChoices } from '#web/choices.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { t } from '#web/t.ts'
import '#web/registries.ts'
import { CountInput } from '#web/ui/inputs/CountInput.tsx'
import { Pair, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { FormFields } from '#web/ui/inputs/use-form.ts'
import type { Company } from '../companies.ts'
import css from './companies.module.css'
import type { CompanyValues } from './company-values.ts'

const DAY_MS = 86_400_000

/** Returns the end of the form's trial, from now or from the beginning of the company's trial. */
function endOf({ trialPeriod }: CompanyValues, company: Company | undefined): number {
  const began = company?.trialEndsAt ? Date.parse(company.trialEndsAt) - company.trialPeriod * DAY_MS : Date.now()
  return began + trialPeriod * DAY_MS
}

function usageText(used: number, limit: number): string {
  if (used < limit) return t('{used} em uso', { used })
  return used === limit
    ? t('{used} em uso: no limite', { used })
    : t('{used} em uso: os que existem ficam, novos não entram', { used })
}

type Props = FormFields<CompanyValues> & { company: Company | undefined }

/** Form fields of a company's plan: limits, trial, channel types. */
export function PlanFields(props: Props) {
  return (
    <>
      <PlanChoice {...props} />
      <LimitFields {...props} />
      <TrialFields {...props} />
      <ChannelChoice {...props} />
      <FeatureSwitches {...props} />
    </>
  )
}

/** Choice of a plan, which fills in its limits, and for a new company its trial. */
function PlanChoice({ values, errors, set, company }: Props) {
  const all = useChoices('plans')
  const choosePlan = (id: string | null) => {
    set('planId', id ? Number(id) : null)
    const plan = all.find((one) => String(one.id) === id)
    if (!plan) return
    set('maxUsers', plan.users)
    set('maxConnections', plan.connections)
    set('maxAssistantAnswers', plan.assistantAnswers)
    if (company) return
    set('trial', plan.trial)
    if (plan.trial) set('trialPeriod', plan.trialPeriod)
  }
  return (
    <Select
      label={t('Plano')}
      description={t('Escolher um plano preenche os limites, que podem ser outros.')}
      placeholder={t('Nenhum')}
      clearable
      searchable
      nothingFoundMessage={t('Nenhum plano com esse nome')}
      data={all.map((plan) => ({ value: String(plan.id), label: `${plan.name} · ${formatMoney(plan.value)}` }))}
      value={values.planId ? String(values.planId) : null}
      error={errors['planId']}
      onChange={choosePlan}
    />
  )
}

function LimitFields({ values, errors, set, company }: Props) {
  return (
    <>
      <Pair>
        <CountInput
          value={values.maxUsers}
          error={errors['maxUsers']}
          onChange={(count) => set('maxUsers', count)}
          label={t('Limite de {what}', { what: LIMITS.users.name.toLowerCase() })}
          description={company && usageText(company.users, values.maxUsers)}
        />
        <CountInput
          value={values.maxConnections}
          error={errors['maxConnections']}
          onChange={(count) => set('maxConnections', count)}
          label={t('Limite de {what}', { what: LIMITS.connections.name.toLowerCase() })}
          description={company && usageText(company.connections, values.maxConnections)}
        />
      </Pair>
      <CountInput
        value={values.maxAssistantAnswers}
        error={errors['maxAssistantAnswers']}
        onChange={(count) => set('maxAssistantAnswers', count)}
        label={t('Respostas de IA por mês')}
        description={t('Zero é sem limite. Contam respostas, ajudas do copiloto, transcrições e ligações.')}
        min={0}
      />
    </>
  )
}

function TrialFields({ values, errors, set, company }: Props) {
  return (
    <>
      <SwitchGroup>
        <SwitchRow
          name={t('Período de teste')}
          effect={
            values.trial
              ? t('Termina em {day}; depois a empresa fica inativa.', { day: formatDate(endOf(values, company)) })
              : t('Sem prazo: a empresa não é desativada sozinha.')
          }
          checked={values.trial}
          onChange={(on) => set('trial', on)}
        />
      </SwitchGroup>
      {values.trial && (
        <CountInput
          value={values.trialPeriod}
          error={errors['trialPeriod']}
          onChange={(count) => set('trialPeriod', count)}
          label={t('Dias de teste')}
          description={
            company?.trialEndsAt ? t('Contados de quando o teste começou.') : t('Contados a partir de hoje.')
          }
        />
      )}
    </>
  )
}

function ChannelChoice({ values, errors, set }: Props) {
  return (
    <Checkbox.Group
      label={t('Canais permitidos')}
      description={t('Do que não é permitido não se cria outro; os canais que existem continuam.')}
      error={errors['allowedChannels']}
      value={values.allowedChannels}
      onChange={(chosen) =>
        set(
          'allowedChannels',
          channelTypeIds().filter((type) => chosen.includes(type)),
        )
      }
    >
      <div className={css.allowed}>
        {channelTypes().map(({ type, name }) => (
          <Checkbox key={type} value={type} label={name} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** Features that the plan includes, of those that are sold. */
function FeatureSwitches({ values, set }: Props) {
  const sold = Object.entries(PLAN_FEATURES)
  if (sold.length === 0) return null
  return (
    <SwitchGroup>
      {sold.map(([key, { name, without }]) => {
        const isIncluded = !values.excludedFeatures.includes(key)
        return (
          <SwitchRow
            key={key}
            name={t(name)}
            effect={isIncluded ? t('Faz parte do plano.') : t(without)}
            checked={isIncluded}
            onChange={(on) =>
              set(
                'excludedFeatures',
                sold.map(([one]) => one).filter((one) => (one === key ? !on : values.excludedFeatures.includes(one))),
              )
            }
          />
        )
      })}
    </SwitchGroup>
  )
}
