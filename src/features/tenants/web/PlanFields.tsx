import { Checkbox, Select } from '@mantine/core'
import { LIMITS } from '#domain/access/plan.ts'
import { PLAN_FEATURES } from '#kit/plan-features.ts'
import { channelTypeIds, channelTypes } from '#providers/channels/configs.ts'
import { type Choices, useChoices } from '#web/choices.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { t } from '#web/t.ts'
import '#web/registries.ts'
import { CountInput } from '#web/ui/inputs/CountInput.tsx'
import { Pair, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { FieldErrors } from '#web/ui/inputs/use-form.ts'
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

/** Form fields of a company's plan: limits, trial, channel types. */
export function PlanFields(props: {
  values: CompanyValues
  errors: FieldErrors
  set: <K extends keyof CompanyValues>(key: K, value: CompanyValues[K]) => void
  company: Company | undefined
}) {
  const { values, errors, set, company } = props
  const all = useChoices('plans')
  const number = (key: 'maxUsers' | 'maxConnections' | 'maxAssistantAnswers' | 'trialPeriod') => ({
    value: values[key],
    error: errors[key],
    onChange: (value: number) => set(key, value),
  })
  return (
    <>
      <PlanSelect set={set} all={all} company={company} values={values} errors={errors} />
      <LimitFields number={number} company={company} values={values} />
      <TrialFields values={values} company={company} set={set} number={number} />
      <ChannelChoice errors={errors} values={values} set={set} />
      <FeatureChoice values={values} set={set} />
    </>
  )
}

function FeatureChoice({
  values,
  set,
}: {
  values: CompanyValues
  set: <K extends keyof CompanyValues>(key: K, value: CompanyValues[K]) => void
}) {
  const sold = Object.entries(PLAN_FEATURES)
  return (
    sold.length > 0 && (
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
  )
}

function ChannelChoice({
  errors,
  values,
  set,
}: {
  errors: FieldErrors
  values: CompanyValues
  set: <K extends keyof CompanyValues>(key: K, value: CompanyValues[K]) => void
}) {
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

function TrialFields({
  values,
  company,
  set,
  number,
}: {
  values: CompanyValues
  company: Company | undefined
  set: <K extends keyof CompanyValues>(key: K, value: CompanyValues[K]) => void
  number: (key: 'maxUsers' | 'maxConnections' | 'maxAssistantAnswers' | 'trialPeriod') => {
    value: number
    error: string | undefined
    onChange: (value: number) => void
  }
}) {
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
          {...number('trialPeriod')}
          label={t('Dias de teste')}
          description={
            company?.trialEndsAt ? t('Contados de quando o teste começou.') : t('Contados a partir de hoje.')
          }
        />
      )}
    </>
  )
}

function LimitFields({
  number,
  company,
  values,
}: {
  number: (key: 'maxUsers' | 'maxConnections' | 'maxAssistantAnswers' | 'trialPeriod') => {
    value: number
    error: string | undefined
    onChange: (value: number) => void
  }
  company: Company | undefined
  values: CompanyValues
}) {
  return (
    <>
      <Pair>
        <CountInput
          {...number('maxUsers')}
          label={t('Limite de {what}', { what: LIMITS.users.name.toLowerCase() })}
          description={company && usageText(company.users, values.maxUsers)}
        />
        <CountInput
          {...number('maxConnections')}
          label={t('Limite de {what}', { what: LIMITS.connections.name.toLowerCase() })}
          description={company && usageText(company.connections, values.maxConnections)}
        />
      </Pair>
      <CountInput
        {...number('maxAssistantAnswers')}
        label={t('Respostas de IA por mês')}
        description={t('Zero é sem limite. Contam respostas, ajudas do copiloto, transcrições e ligações.')}
        min={0}
      />
    </>
  )
}

function PlanSelect(props: {
  set: <K extends keyof CompanyValues>(key: K, value: CompanyValues[K]) => void
  all: readonly Choices['plans'][]
  company: Company | undefined
  values: CompanyValues
  errors: FieldErrors
}) {
  const { set, all, company, values, errors } = props
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
